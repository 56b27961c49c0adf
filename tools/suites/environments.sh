# For the scripts here: virtual environments, and suites out of source distributions. Both are fetched from PyPI once.

# prepare_environment <venv> <requirements>
prepare_environment() {
  local venv=$1 requirements=$2
  if cmp -s "$requirements" "$venv/installed.txt"; then return; fi
  echo "$0: installing $venv" >&2
  python3 -m venv --clear "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$requirements"
  cp "$requirements" "$venv/installed.txt"
}

# fetch_suites <venv> <package> <version>: unpacks the source distribution, which alone holds the suites, into
# .suites/<package>-<version>.
fetch_suites() {
  local venv=$1 package=$2 version=$3
  local name=${package//-/_}-$version
  if grep -qsx "Version: $version" ".suites/$name/PKG-INFO"; then return; fi
  echo "$0: fetching $package $version" >&2
  mkdir -p .suites
  local folder
  folder=$(mktemp -d .suites/fetching.XXXXXX)
  "$venv/bin/pip" download --quiet --disable-pip-version-check --no-deps \
    --no-binary "$package" --dest "$folder" "$package==$version"
  tar -xzf "$folder/$name.tar.gz" -C "$folder"
  rm -rf ".suites/$name"
  mv "$folder/$name" ".suites/$name"
  rm -r "$folder"
}

# prepare_all: everything that the tests take from PyPI, so that it is there when the build is.
prepare_all() {
  prepare_environment .venv-integration Tests/IntegrationTests/requirements.txt
  prepare_environment .venv-firestore tools/suites/requirements-sync.txt
  prepare_environment .venv-firestore-async tools/suites/requirements-async.txt
  prepare_environment .venv-storage tools/suites/requirements-storage.txt
  prepare_environment .venv-spark Tests/SparkTests/requirements.txt
}

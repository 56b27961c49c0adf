# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""What a release is made of: man pages of the program, and a package and an image of a stage with a small program in its place."""

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import tarfile

import pytest

from harness import FIREMETER, ROOT

DATE = 1_790_000_000
VERSION = "1.2.3"


def make(tool, *arguments):
    command = [ROOT / "tools/release" / tool, *map(str, arguments)]
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(DATE)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr
    return ended


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    stage = tmp_path_factory.mktemp("stage")
    shutil.copy("/bin/true", stage / "firemeter")
    for name in ["LICENSE", "CHANGELOG.md"]:
        shutil.copy(ROOT / name, stage / name)
    (stage / "man/man1").mkdir(parents=True)
    (stage / "man/man1/firemeter.1").write_text(".Dd September 21, 2026\n")
    (stage / "completions").mkdir()
    for name in ["firemeter.bash", "_firemeter", "firemeter.fish"]:
        (stage / "completions" / name).write_text(f"# {name}\n")
    return stage


@pytest.mark.skipif(not shutil.which("mandoc"), reason="needs mandoc")
def test_every_command_has_a_page_without_faults(tmp_path):
    make("manual", FIREMETER, tmp_path)
    pages = {page.stem for page in tmp_path.iterdir()}
    assert {"firemeter", "firemeter-serve", "firemeter-rules-check", "firemeter-audit", "firemeter-audit-replay"} <= pages
    lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *sorted(tmp_path.iterdir())], capture_output=True, text=True)
    # Pages name others that are not installed here.
    assert [line for line in lint.stdout.splitlines() if "referenced manual not found" not in line] == []
    shown = subprocess.run(["mandoc", "-T", "utf8", tmp_path / "firemeter-audit-replay.1"], capture_output=True, text=True).stdout
    shown = re.sub(".\b", "", shown)
    for text in ["firemeter audit replay", "--strategy", "--budget", "EXIT STATUS", "September 21, 2026"]:
        assert text in shown, text


@pytest.mark.skipif(not shutil.which("dpkg-shlibdeps"), reason="needs dpkg-dev")
def test_the_package_has_the_program_by_one_name_and_depends_on_its_libraries(stage, tmp_path):
    package = tmp_path / "firemeter.deb"
    make("deb", stage, VERSION, package)
    fields = subprocess.run(["dpkg-deb", "--field", package], check=True, capture_output=True, text=True).stdout
    assert f"Version: {VERSION}\n" in fields and re.search(r"^Depends: libc6 \(>= ", fields, re.MULTILINE)
    contents = subprocess.run(["dpkg-deb", "--contents", package], check=True, capture_output=True, text=True).stdout
    files = {line.split()[5]: line.split()[:2] for line in contents.splitlines()}
    assert files["./usr/bin/firemeter"] == ["-rwxr-xr-x", "root/root"]
    assert [name for name in files if name.startswith("./usr/bin/")] == ["./usr/bin/", "./usr/bin/firemeter"]
    shared = ["man/man1/firemeter.1.gz", "bash-completion/completions/firemeter", "zsh/vendor-completions/_firemeter"]
    shared += ["fish/vendor_completions.d/firemeter.fish", "doc/firemeter/copyright", "doc/firemeter/changelog.gz"]
    assert all(files[f"./usr/share/{name}"] == ["-rw-r--r--", "root/root"] for name in shared)


def test_the_image_is_an_oci_layout_and_a_docker_archive(stage, tmp_path):
    file = tmp_path / "image.tar"
    make("image", stage, VERSION, file)
    with tarfile.open(file) as tar:
        parts = {entry.name: tar.extractfile(entry).read() for entry in tar if entry.isfile()}

    def blob(described):
        data = parts[f"blobs/{described['digest'].replace(':', '/')}"]
        assert described["size"] == len(data) and described["digest"] == f"sha256:{hashlib.sha256(data).hexdigest()}"
        return data

    (named,) = json.loads(parts["index.json"])["manifests"]
    manifest = json.loads(blob(named))
    configuration = json.loads(blob(manifest["config"]))
    (layer,) = map(blob, manifest["layers"])
    (docker,) = json.loads(parts["manifest.json"])
    assert (parts[docker["Config"]], parts[docker["Layers"][0]]) == (blob(manifest["config"]), layer)
    assert docker["RepoTags"] == [f"firemeter:{VERSION}"]
    run = configuration["config"]
    assert run["Entrypoint"] + run["Cmd"] == ["/usr/bin/firemeter", "serve", "--host", "0.0.0.0", "--data", "/data"]
    assert run["User"] == "1000:1000" and run["Volumes"] == {"/data": {}}
    assert f"{configuration['architecture']}" in {"amd64", "arm64"}
    with tarfile.open(fileobj=io.BytesIO(layer)) as tar:
        entries = {entry.name: entry for entry in tar}
        assert tar.extractfile("usr/bin/firemeter").read() == (stage / "firemeter").read_bytes()
    assert entries["data"].uid == 1000 and entries["tmp"].mode == 0o1777 and {entry.mtime for entry in entries.values()} == {DATE}
    assert any(name.endswith("/libc.so.6") for name in entries) and not any(name.endswith(("bin/sh", "bin/bash")) for name in entries)


def test_an_image_is_the_same_each_time(stage, tmp_path):
    for name in ["a", "b"]:
        make("image", stage, VERSION, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()

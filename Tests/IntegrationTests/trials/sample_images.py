# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Public sample images out of source packages, and what Imaging and Pillow make of each."""

import collections
import dataclasses
import pathlib
import re
import subprocess
import tarfile
import warnings

from PIL import Image

import photographs

ROOT = pathlib.Path(__file__).resolve().parents[3]
CACHE = ROOT / ".suites"
# Source distributions on PyPI that have images for their tests.
PYPI = {"pillow": "12.0.0", "pillow-heif": "1.8.1"}
# Debian's source packages (bookworm) that have them.
DEBIAN = ["exiv2", "gdk-pixbuf", "golang-golang-x-image", "libexif", "libheif", "libpng1.6", "libwebp", "vips"]
SUFFIXES = {".apng", ".avif", ".gif", ".heic", ".heif", ".hif", ".jfif", ".jpe", ".jpeg", ".jpg", ".png", ".webp"}
FORMATS = {"jpeg": {"JPEG", "MPO"}, "png": {"PNG"}, "gif": {"GIF"}, "webp": {"WEBP"}, "heic": {"HEIF"}, "avif": {"AVIF"}}
READ = set().union(*FORMATS.values()) - {"GIF"}
BATCH = 50
# One of Pillow's samples expands to 10,000 megapixels.
PIXELS_MAX = 100_000_000


def samples():
    """Yields name and path of each image; fetches what is not there."""
    for package, version in PYPI.items():
        command = ". tools/suites/environments.sh; fetch_suites .venv-integration " + f"{package} {version}"
        subprocess.run(["bash", "-euc", command], cwd=ROOT, check=True)
        yield from found_in(package, CACHE / f"{package.replace('-', '_')}-{version}")
    for package in DEBIAN:
        folder = CACHE / "debian" / package
        if not folder.exists():
            fetch_source(package, folder)
        yield from found_in(package, folder)


def found_in(package, folder):
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in SUFFIXES and path.is_file() and not path.is_symlink():
            yield f"{package}/{path.relative_to(folder)}", path


def fetch_source(package, folder):
    """Unpacks the images of a source package, by apt with lists of its own, since machines list no sources."""
    state = CACHE / "debian" / ".apt"
    options = [f"-oDir::State::lists={state}/lists", f"-oDir::Etc::sourcelist={state}/sources.list"]
    options += ["-oDir::Etc::sourceparts=-", f"-oDir::Cache={state}", "-oAPT::Sandbox::User="]
    if not (state / "sources.list").exists():
        (state / "lists/partial").mkdir(parents=True, exist_ok=True)
        (state / "sources.list").write_text(source_list())
        subprocess.run(["apt-get", *options, "-qq", "update"], check=True)
    apt = ["apt-get", *options, "-qq", "source", "--download-only", "--tar-only", package]
    subprocess.run(apt, cwd=state, check=True, stdout=subprocess.DEVNULL)
    (archive,) = state.glob(f"{package}_*.orig.tar.*")
    with tarfile.open(archive) as tar:
        members = [member for member in tar if member.isfile() and pathlib.Path(member.name).suffix.lower() in SUFFIXES]
        for member in members:
            # Without the folder whose name has the version.
            member.name = member.name.split("/", 1)[-1]
        tar.extractall(folder, members, filter="data")
    archive.unlink()


def source_list():
    """The machine's own package sources, of source packages."""
    lines = []
    for path in [pathlib.Path("/etc/apt/sources.list"), *pathlib.Path("/etc/apt/sources.list.d").glob("*.list")]:
        if path.exists():
            lines += [line.replace("deb ", "deb-src ", 1) for line in path.read_text().splitlines() if line.startswith("deb ")]
    for path in pathlib.Path("/etc/apt/sources.list.d").glob("*.sources"):
        for stanza in path.read_text().split("\n\n"):
            fields = dict(re.findall(r"^([\w-]+):\s*(.+)$", stanza, re.MULTILINE))
            key = f"[signed-by={fields['Signed-By']}] " if "Signed-By" in fields else ""
            lines += [
                f"deb-src {key}{uri} {suite} {fields['Components']}"
                for uri in fields["URIs"].split()
                for suite in fields["Suites"].split()
            ]
    return "\n".join(lines) + "\n"


@dataclasses.dataclass
class Comparison:
    """Counts by format and outcome, and what differs by the file's name."""

    outcomes: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    differences: dict = dataclasses.field(default_factory=dict)
    slowest: tuple = (0, "")

    def run(self, files, seconds):
        files = list(files)
        for start in range(0, len(files), BATCH):
            batch = files[start : start + BATCH]
            for (name, path), report in zip(batch, photographs.reports([path for _, path in batch], seconds * BATCH)):
                self.slowest = max(self.slowest, (report["milliseconds"], name))
                outcome, found = compare(path, report)
                self.outcomes[report.get("format", "other"), outcome] += 1
                if found:
                    self.differences[name] = "; ".join(found)


def compare(path, report):
    """The outcome for a file, and sentences on what is not as it should be."""
    picture = pillows(path)
    if isinstance(picture, str):
        return ("refused by both", []) if "error" in report else ("read by us alone", [f"Pillow: {picture}"])
    if "error" in report:
        found = []
        if "width" in report and (report["width"], report["height"]) != picture.size:
            found = [f"the size is {report['width']}x{report['height']}, Pillow's {picture.size}"]
        if picture.format in READ:
            found.append(report["error"])
        return ("refused by us alone" if picture.format in READ else "of a format that is not decoded"), found
    if picture.format not in FORMATS[report["format"]]:
        return "differs", [f"the format is {report['format']}, Pillow's {picture.format}"]
    found = photographs.differences(report, picture)
    return ("differs" if found else "equal"), found


def pillows(path):
    """Pillow's picture, or why there is none."""
    Image.MAX_IMAGE_PIXELS = PIXELS_MAX // 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return photographs.opened(path)
        except Exception as error:  # Pillow's plugins raise errors of every class for files that are damaged
            return f"{type(error).__name__}: {error}"

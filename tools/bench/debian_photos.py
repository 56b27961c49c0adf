"""Real photographs: those of Debian's package mate-backgrounds, unpacked and not installed."""
import pathlib
import subprocess
import sys

PACKAGE = "mate-backgrounds"
PACKAGE_PHOTOS = "usr/share/backgrounds/mate/nature"


def unpack_package(directory: pathlib.Path) -> pathlib.Path:
    subprocess.run(["apt-get", "download", "-q", "-o", "APT::Sandbox::User=root", PACKAGE], cwd=directory, check=True, stdout=sys.stderr)
    archive = next(directory.glob(f"{PACKAGE}_*.deb"))
    subprocess.run(["dpkg-deb", "--extract", archive, directory], check=True)
    return directory / PACKAGE_PHOTOS

"""Photographs of 12 megapixels, made of Debian's with Pillow from PyPI, which is fetched into .venv-bench-color."""
import os
import pathlib
import subprocess
import sys

from debian_photos import unpack_package

ROOT = pathlib.Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv-bench-color"
SIZE = (4000, 3000)


def enter_environment():
    """Begins again in the environment that has what is needed."""
    python = VENV / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        subprocess.run([VENV / "bin/pip", "install", "-q", "colorthief==0.2.1", "pillow==13.0.0"], check=True)
    os.execv(python, [str(python), *sys.argv])


def enlarged(photos, directory):
    """The photographs of a directory, or those of Debian's package, at 12 megapixels as JPEGs in another."""
    from PIL import Image

    photos = photos or unpack_package(directory)

    paths = []
    for photo in sorted(path for path in photos.iterdir() if path.suffix.lower() in (".jpg", ".jpeg", ".png")):
        paths.append(directory / f"{photo.stem}.jpg")
        Image.open(photo).convert("RGB").resize(SIZE, Image.LANCZOS).save(paths[-1], quality=90)
    return paths

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Files as phones and programs write them have the size, the colors and the copies that Pillow's pictures have."""

import random
import struct
import zlib

import pytest
from PIL import Image

import photographs

SIDES = (90, 60)


def photograph(mode="RGB"):
    """A picture with large areas and a little noise, so that one color is dominant and the corners differ."""
    dice = random.Random(5)
    picture = Image.new("RGB", SIDES, "#306090")
    for corner, color in [((0, 0), "#c04020"), ((60, 40), "#40a050")]:
        picture.paste(color, (*corner, corner[0] + 30, corner[1] + 20))
    for _ in range(300):
        place = (dice.randrange(SIDES[0]), dice.randrange(SIDES[1]))
        picture.putpixel(place, tuple(dice.randrange(256) for _ in range(3)))
    if mode == "RGBA":
        picture.putalpha(Image.linear_gradient("L").resize(SIDES))
    return picture if mode in ("RGB", "RGBA") else picture.convert(mode)


def sixteen_bits():
    grey = photograph("L")
    deep = Image.new("I;16", SIDES)
    deep.putdata([value * 257 for value in grey.tobytes()])
    return deep


def interlaced(path):
    """16 bits a sample in Adam7's seven passes, which Pillow does not write."""
    pixels, (width, height) = photograph().load(), SIDES
    rows = b""
    for x, y, across, down in [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]:
        for row in range(y, height, down):
            samples = [value * 257 for column in range(x, width, across) for value in pixels[column, row]]
            rows += b"\0" + struct.pack(f">{len(samples)}H", *samples)
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 2, 0, 0, 1)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    written = [struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks]
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(written))


def ycck(path):
    """Has a decoder take inks for luma and chroma: Adobe's marker says so in its last byte."""
    photograph("CMYK").save(path)
    data = bytearray(path.read_bytes())
    data[data.index(b"Adobe") + 11] = 2
    path.write_bytes(data)


def animated(path, **options):
    photograph().save(path, save_all=True, append_images=[Image.new("RGB", SIDES, "red")], **options)


def turned(form):
    def save(path, orientation):
        exif = Image.Exif()
        exif[0x0112] = orientation
        photograph().save(path, form, exif=exif.tobytes())

    return save


KINDS = {
    "baseline.jpg": lambda path: photograph().save(path, quality=90),
    "progressive.jpg": lambda path: photograph().save(path, progressive=True, quality=90),
    "grey.jpg": lambda path: photograph("L").save(path),
    "cmyk.jpg": lambda path: photograph("CMYK").save(path, quality=90),
    "ycck.jpg": ycck,
    "deep-grey.png": lambda path: sixteen_bits().save(path),
    "deep-interlaced.png": interlaced,
    "palette.png": lambda path: photograph("P").save(path),
    "transparent-palette.png": lambda path: photograph("P").save(path, transparency=0),
    "bits.png": lambda path: photograph("1").save(path),
    "grey-alpha.png": lambda path: photograph("LA").save(path),
    "alpha.png": lambda path: photograph("RGBA").save(path),
    "lossless.webp": lambda path: photograph().save(path, lossless=True),
    "alpha.webp": lambda path: photograph("RGBA").save(path, lossless=True, exact=True),
    "animated.webp": lambda path: animated(path, lossless=True),
    "animated-lossy.webp": lambda path: animated(path, quality=90),
    "plain.heic": lambda path: photograph().save(path, quality=90),
    "alpha.heic": lambda path: photograph("RGBA").save(path, quality=90),
    "plain.avif": lambda path: photograph().save(path, quality=90),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_picture_is_what_pillow_sees(tmp_path, name):
    KINDS[name](tmp_path / name)
    [report] = photographs.reports([tmp_path / name])
    assert report.get("error") is None and report["isWhole"]
    assert photographs.differences(report, photographs.opened(tmp_path / name)) == []


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "HEIF", "AVIF"])
def test_pictures_of_every_orientation_are_seen_upright(tmp_path, form):
    paths = [tmp_path / str(orientation) for orientation in range(1, 9)]
    for orientation, path in enumerate(paths, 1):
        turned(form)(path, orientation)
    for path, report in zip(paths, photographs.reports(paths)):
        picture = photographs.opened(path)
        assert (picture.size == SIDES) == (int(path.name) < 5)
        assert photographs.differences(report, picture) == [], path.name


def test_files_that_are_not_read_are_refused_with_a_reason(tmp_path):
    animated(tmp_path / "a.gif")
    photograph().save(tmp_path / "a.tiff")
    photograph().save(tmp_path / "whole.heic")
    (tmp_path / "cut.heic").write_bytes((tmp_path / "whole.heic").read_bytes()[:-100])
    names = ["a.gif", "a.tiff", "cut.heic"]
    found = [report["error"] for report in photographs.reports([tmp_path / name for name in names])]
    assert found[0] == "this GIF file cannot be decoded: there is no decoder of it here"
    assert found[1].startswith("not an image of a known format")
    assert found[2].startswith("truncated HEIC file")

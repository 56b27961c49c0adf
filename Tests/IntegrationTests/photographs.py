# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Image files as Pillow and Color Thief see them, and as Imaging reports them."""

import dataclasses
import json
import subprocess

import pillow_heif
from colorthief import ColorThief
from PIL import Image, ImageChops, ImageOps, ImageStat

from harness import BINARIES

pillow_heif.register_heif_opener()

# A JPEG is decoded smaller in eighths, which at its right and lower side reach beyond it; a turned picture is farther off.
COPY_DIFFERENCE_MAX = {"JPEG": 15, "MPO": 15}
OTHER_COPY_DIFFERENCE_MAX = 8
# Other formats have one decoder, theirs several; two steps of Color Thief's histogram.
COLOR_DIFFERENCE_MAX = {"HEIF": 16, "AVIF": 16}
# Of samples of 16 bits, libpng rounds the upper eight and Pillow cuts the lower eight off.
DEEP_COLOR_DIFFERENCE_MAX = 1
# Pillow's box filter takes whole pixels: of pictures smaller than this it would be off.
EXACT_SIDE = 512
# The gamma of files whose samples are sRGB.
GAMMA = 1 / 2.2


@dataclasses.dataclass
class Picture:
    format: str
    size: tuple
    # As colors are counted: as stored, unless turning is a part of decoding.
    counted: Image.Image
    upright: Image.Image
    color_difference_max: int


def opened(path):
    """Pillow's picture of a file; raises what Pillow raises."""
    with Image.open(path) as image:
        form = image.format
        image.load()
        gamma = image.info.get("gamma") if form == "PNG" and "srgb" not in image.info else None
        stored = rgba(image, gamma)
        stored.getexif()[0x0112] = image.getexif().get(0x0112, 1)
    upright = ImageOps.exif_transpose(stored)
    color_difference_max = COLOR_DIFFERENCE_MAX.get(form, DEEP_COLOR_DIFFERENCE_MAX if is_deep_png(path) else 0)
    return Picture(form, upright.size, upright if form == "AVIF" else stored, upright, color_difference_max)


def is_deep_png(path):
    with open(path, "rb") as file:
        header = file.read(25)
    return header.startswith(b"\x89PNG") and header[24] == 16


def rgba(image, gamma):
    """In eight bits a channel, encoded as the screen shows them."""
    if image.mode.startswith("I;16"):
        image = image.point(lambda value: value / 257 + 0.5).convert("L")
    image = image.convert("RGBA")
    if gamma and abs(gamma / GAMMA - 1) > 0.05:
        table = [round(255 * (value / 255) ** (GAMMA / gamma)) for value in range(256)]
        image = image.point(table * 3 + list(range(256)))
    return image


def dominant_color(image, quality=10):
    thief = ColorThief.__new__(ColorThief)
    thief.image = image
    try:
        return thief.get_color(quality=quality)
    except Exception:  # its error for a picture of which no pixel counts has no class of its own
        return (255, 255, 255)


def reports(paths, seconds=60):
    """Yields Imaging's report of each file; ends early where the program does."""
    names = "".join(f"{path}\n" for path in paths)
    command = [str(BINARIES / "FeedTrial"), "images"]
    result = subprocess.run(command, input=names, capture_output=True, text=True, timeout=seconds)
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.returncode == 0 and len(found) == len(paths), (
        f"ended with {result.returncode} after {len(found)} files, at {paths[len(found):][:1]}: {result.stderr[-2000:]}"
    )
    return found


def differences(report, picture):
    """Sentences on what a report and a picture have not in common."""
    found = []
    if (size := (report["width"], report["height"])) != picture.size:
        return [f"the size is {size}, Pillow's {picture.size}"]
    color = tuple(bytes.fromhex(report["color"][1:]))
    expected = dominant_color(picture.counted)
    if max(abs(a - b) for a, b in zip(color, expected)) > picture.color_difference_max:
        found.append(f"the color is {report['color']}, Color Thief's #{bytes(expected).hex()}")
    if (difference := copy_difference(report, picture)) > COPY_DIFFERENCE_MAX.get(
        picture.format, OTHER_COPY_DIFFERENCE_MAX
    ):
        found.append(f"the copy differs by {difference:.1f} on average")
    return found


def copy_difference(report, picture):
    samples = bytes.fromhex(report["copy"])
    width = report["copyWidth"]
    copy = Image.frombytes("RGB", (width, len(samples) // 3 // width), samples)
    paper = Image.new("RGBA", picture.size, "white")
    whole = Image.alpha_composite(paper, picture.upright).convert("RGB")
    factor = -(-EXACT_SIDE // max(whole.size))
    whole = whole.resize((whole.width * factor, whole.height * factor), Image.Resampling.NEAREST)
    expected = whole.resize(copy.size, Image.Resampling.BOX)
    return max(ImageStat.Stat(ImageChops.difference(copy, expected)).mean)

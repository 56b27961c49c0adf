# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Dominant colors are Color Thief's, and placeholders are BlurHash's, on pictures of every kind."""

import random
import subprocess

import blurhash
import pytest
from colorthief import ColorThief
from PIL import Image

from harness import BINARIES

PICTURES = 60


def noise(dice, count):
    return [tuple(dice.randrange(256) for _ in range(3)) for _ in range(count)]


def few_colors(dice, count):
    colors = noise(dice, dice.randint(1, 6))
    return [dice.choice(colors) for _ in range(count)]


def near_one_color(dice, count):
    middle = [dice.randrange(256) for _ in range(3)]
    return [tuple(max(0, min(255, round(dice.gauss(value, 25)))) for value in middle) for _ in range(count)]


def translucent(dice, count):
    return [tuple(dice.randrange(256) for _ in range(4)) for _ in range(count)]


def gradient(dice, count):
    step = dice.randint(1, 9)
    return [(index * step % 256, index * 255 // count, index // 7 % 256) for index in range(count)]


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """Files: PNG, every other also as JPEG, every third as WebP."""
    directory = tmp_path_factory.mktemp("pictures")
    dice = random.Random(7)
    kinds = [noise, few_colors, near_one_color, translucent, gradient]
    paths = []
    for number in range(PICTURES):
        kind = kinds[number % len(kinds)]
        width, height = dice.randint(1, 200), dice.randint(1, 160)
        picture = Image.new("RGBA" if kind is translucent else "RGB", (width, height))
        picture.putdata(kind(dice, width * height))
        paths.append(directory / f"{number:02}-{kind.__name__}.png")
        picture.save(paths[-1])
        if kind is not translucent and number % 2:
            paths.append(paths[-1].with_suffix(".jpg"))
            picture.save(paths[-1], quality=85)
        if number % 3 == 0:
            paths.append(directory / f"{number:02}-{kind.__name__}.webp")
            picture.save(paths[-1], quality=85, lossless=number % 2 == 0)
    return paths


def ours(what, paths):
    command = [str(BINARIES / "FeedTrial"), what, *map(str, paths)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True, timeout=50).stdout.splitlines()
    assert len(lines) == len(paths)
    return dict(zip(paths, lines))


def color_thiefs(source, quality):
    return "#%02x%02x%02x" % ColorThief(source).get_color(quality=quality)


def test_dominant_colors_are_color_thiefs(pictures):
    found = ours("colors", pictures)
    assert found == {path: color_thiefs(str(path), 10) for path in pictures}


def test_at_reduced_size_they_are_color_thiefs_of_the_picture_at_that_size(tmp_path):
    dice = random.Random(8)
    paths = []
    for number in range(6):
        picture = Image.new("RGB", (40, 30))
        picture.putdata(near_one_color(dice, 1200) if number % 2 else noise(dice, 1200))
        paths.append(tmp_path / f"{number}.jpg")
        picture.resize((1600, 1200), Image.BICUBIC).save(paths[-1], quality=90)
    found = ours("reduced-colors", paths)
    for path in paths:
        reduced = Image.open(path)
        reduced.draft("RGB", (200, 150))
        assert reduced.size == (200, 150)
        png = path.with_suffix(".png")
        reduced.save(png)
        assert found[path] == color_thiefs(str(png), 1)


def test_placeholders_are_blurhashes(pictures):
    small = [path for path in pictures if max(Image.open(path).size) <= 64 and "translucent" not in path.name]
    assert len(small) > 3
    for path, text in ours("blurhashes", small).items():
        with Image.open(path) as picture:
            pixels = picture.convert("RGB")
        rows = [[pixels.getpixel((x, y)) for x in range(pixels.width)] for y in range(pixels.height)]
        expected = blurhash.encode(rows, components_x=4, components_y=3)
        # The last digit of an amplitude may be rounded otherwise.
        assert len(text) == len(expected) == 28
        assert blurhash.components(text) == (4, 3)
        seen, wanted = (blurhash.decode(hash, 16, 16) for hash in (text, expected))
        pairs = [(a, b) for mine, theirs in zip(seen, wanted) for p, q in zip(mine, theirs) for a, b in zip(p, q)]
        assert max(abs(a - b) for a, b in pairs) <= 8
        assert sum(a != b for a, b in zip(text, expected)) <= 4, (text, expected)

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Photographs that phones store on their side: sizes, copies and placeholders are of what is seen, as Pillow sees it."""

import io

import pillow_heif
import pytest
from PIL import Image, ImageChops, ImageOps, ImageStat

import feeds

pillow_heif.register_heif_opener()

FORMATS = ["JPEG", "PNG", "WEBP", "HEIF", "AVIF"]
ORIENTATION = 0x0112


def photograph(form, orientation):
    """A picture with another color in each corner, 60 by 40 as stored."""
    picture = Image.new("RGB", (60, 40), "gray")
    for corner, color in [((0, 0), "red"), ((30, 0), "lime"), ((0, 20), "blue"), ((30, 20), "yellow")]:
        picture.paste(color, (*corner, corner[0] + 30, corner[1] + 20))
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    file = io.BytesIO()
    picture.save(file, form, exif=exif.tobytes())
    return file.getvalue()


def opened(data):
    return ImageOps.exif_transpose(Image.open(io.BytesIO(data))).convert("RGB")


@pytest.fixture(scope="module")
def photographs(tmp_path_factory):
    """An emulator with a post for each format and orientation, and copies of 20x30 pixels at most."""
    from harness import Emulator

    folder = tmp_path_factory.mktemp("photographs")
    files = {}
    for form in FORMATS:
        for orientation in range(1, 9):
            files[f"{form.lower()}/o{orientation}"] = photograph(form, orientation)
    for name, data in files.items():
        path = folder / name / f"0.{name.split('/')[0]}"
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
    emulator = Emulator("--seed", folder, "--seed-variant", "20x30")
    yield emulator, files
    emulator.close()


def test_documents_have_the_size_that_is_seen(photographs):
    emulator, files = photographs
    _, documents = feeds.run_posts_query(emulator, 100)
    sizes = {}
    for document in documents:
        fields = document["fields"]
        image = fields["images"]["arrayValue"]["values"][0]["mapValue"]["fields"]
        name = f"{fields['userID']['stringValue']}/{fields['feedID']['stringValue']}"
        sizes[name] = (int(image["width"]["integerValue"]), int(image["height"]["integerValue"]))
    assert sizes == {name: opened(data).size for name, data in files.items()}
    assert set(sizes.values()) == {(60, 40), (40, 60)}


def test_smaller_copies_are_upright(photographs):
    emulator, files = photographs
    for name, data in files.items():
        copy = Image.open(io.BytesIO(emulator.get(f"{name}/0_20x30", bucket=feeds.BUCKET).content))
        assert copy.getexif().get(ORIENTATION, 1) == 1
        original = opened(data)
        assert copy.size == ((20, 13) if original.size == (60, 40) else (20, 30)), name
        difference = ImageChops.difference(copy.convert("RGB"), original.resize(copy.size))
        assert max(ImageStat.Stat(difference).mean) < 30, name

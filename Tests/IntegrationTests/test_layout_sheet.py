# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The example that draws what FeedClient lays out."""

import subprocess

from PIL import Image

from harness import BINARIES


def test_the_sheet_is_a_picture_of_the_five_layouts(tmp_path):
    sheet = tmp_path / "sheet.png"
    subprocess.run([str(BINARIES / "LayoutSheet"), str(sheet)], check=True, timeout=50)
    with Image.open(sheet) as picture:
        assert picture.format == "PNG" and picture.mode == "RGB"
        assert picture.width == 1096 and picture.height > 500
        # White around the cells and between the thumbnails of the second layout, and not in them.
        white = (255, 255, 255)
        assert picture.getpixel((8, 8)) == white and picture.getpixel((332, 330)) == white
        assert white not in (picture.getpixel((116, 116)), picture.getpixel((300, 330)), picture.getpixel((360, 330)))

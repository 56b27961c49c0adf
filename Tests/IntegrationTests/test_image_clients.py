# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The same sessions by FeedClient and by the policies of the image-loading libraries, on one emulator."""

import json
import subprocess

import pytest

from harness import BINARIES, ROOT

OTHERS = ["Kingfisher", "Nuke", "SDWebImage"]


@pytest.mark.timeout(240)
def test_feed_client_downloads_the_fewest_bytes_for_the_same_pictures(serve):
    emulator = serve("--seed", ROOT / "fixtures/feed")
    addresses = {name: f"http://{getattr(emulator, name)}" for name in ("firestore", "storage", "console")}
    options = [text for name, address in addresses.items() for text in (f"--{name}", address)]
    log = ROOT / "fixtures/session.log"
    command = [str(BINARIES / "ImageClients"), *options, "--log", str(log), "--networks", "1", "--seeds", "1", "--json"]
    # It fails if two clients have shown different pictures.
    rows = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=200).stdout)
    assert [row["session"] for row in rows] == ["recorded, slow 4G", "scrolling 1", "changing 1", "avatars 1"]
    for row in rows:
        own = row["bodyBytes"]["FeedClient"]
        assert row["picturesShown"] > 100
        for other in OTHERS:
            assert own <= row["bodyBytes"][other], row
        # Nothing beats asking for what has changed.
        if not row["session"].startswith("avatars"):
            assert own < min(row["bodyBytes"][other] for other in OTHERS), row

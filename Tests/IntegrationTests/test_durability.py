# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""A seed that kill -9 cut off. `test_trials.py` tries other writes."""

import subprocess

import feeds
from harness import FIREMETER, FREE_PORTS, wait_until


def test_a_seed_that_was_killed_is_made_good_by_the_next_start(tmp_path, serve, image_directory):
    data = tmp_path / "data"
    process = subprocess.Popen(
        [FIREMETER, "serve", *FREE_PORTS, "--json", "--data", data, "--seed", image_directory],
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: any((data / "storage").rglob("*")) if data.exists() else False, "the store is open")
    finally:
        process.kill()
        process.wait()
    emulator = serve("--data", data, "--seed", image_directory)
    items = emulator.list(bucket=feeds.BUCKET).json()["items"]
    assert [item["name"] for item in items] == sorted(feeds.IMAGE_NAMES)

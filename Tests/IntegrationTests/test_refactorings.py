# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The articles' code before and after, through a link: what each downloads; and the link itself."""

import contextlib
import json
import re
import subprocess
import sys

import pytest
import requests

from harness import BINARIES, ROOT


@contextlib.contextmanager
def link(*servers, down, up, rtt):
    """The addresses at which the servers are reached through a shaped link."""
    command = [sys.executable, ROOT / "tools/bench/shaped_relay.py", "--down", down, "--up", up, "--rtt", rtt, *servers]
    relay = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True)
    try:
        addresses = json.loads(relay.stdout.readline())
        yield [addresses[server] for server in servers]
    finally:
        relay.terminate()
        relay.wait(10)
        relay.stdout.close()


@pytest.mark.timeout(240)
def test_the_list_downloads_less_and_the_rest_the_same(serve):
    emulator = serve("--seed", ROOT / "fixtures/feed")
    with link(emulator.firestore, emulator.storage, down=200_000, up=200_000, rtt=1) as (firestore, storage):
        command = [BINARIES / "RefactoringTimes", "--firestore", f"http://{firestore}", "--storage", f"http://{storage}"]
        command += ["--log", ROOT / "fixtures/session.log", "--rounds", "1", "--json"]
        # It fails when something that is to be shown does not come.
        results = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=200).stdout)
    before, after = ({row["name"]: row[side] for row in results["refactorings"]} for side in ("before", "after"))
    listed, again = "1: the list's images, at first", "1: the same, at the next tab switch"
    assert after[listed]["bodyBytes"] * 2 < before[listed]["bodyBytes"] == before[again]["bodyBytes"]
    assert after[again]["bodyBytes"] * 100 < before[again]["bodyBytes"]  # the documents alone
    whole = "3: all sixteen images"
    assert after[whole]["bodyBytes"] == before[whole]["bodyBytes"] > 16 * 100_000
    # Laid out long before the images are there.
    assert after["3: every cell has its place"]["bodyBytes"] * 2 < before[whole]["bodyBytes"]


def test_cells_are_compared_without_a_network():
    command = [BINARIES / "RefactoringTimes", "--cells", "--rounds", "1"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
    assert re.search(r"^one to five: [0-9]+\.[0-9]x$", printed, re.MULTILINE), printed
    (row,) = json.loads(subprocess.run([*command, "--json"], check=True, capture_output=True, timeout=60).stdout)["cells"]
    assert row["before"]["seconds"] > 0 < row["after"]["seconds"]


def test_the_link_passes_every_byte_on(serve):
    emulator = serve()
    emulator.put("ann/p1/0", b"x" * 50_000)
    with link(emulator.storage, down=4_000, up=4_000, rtt=40) as (storage,):
        url = f"http://{storage}/v0/b/demo.appspot.com/o/ann%2Fp1%2F0?alt=media"
        assert requests.get(url, timeout=30).content == b"x" * 50_000
        # Who goes away is sent nothing more, and the link serves the next.
        with requests.get(url, stream=True, timeout=30) as broken_off:
            next(broken_off.iter_content(1_000))
        assert requests.get(url, timeout=30).content == b"x" * 50_000

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Views that were inferred from a recorded log, replayed over HTTP: with the log's sizes, the data themselves, or an emulator."""

import hashlib
import json

import pytest

import feeds
from harness import Emulator, run_audit

STRATEGIES = ["all-images", "thumbnails+memory+disk", "thumbnails:100x100+memory", "all-images+revalidate+disk", "progressive:8kB+page:2"]


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """A folder with the log of a plain app, and the feed and data directory that it was served from."""
    folder = tmp_path_factory.mktemp("recording")
    feed = feeds.write_feed(folder)
    emulator = Emulator("--data", folder / "data", "--seed", feed, "--record", folder / "session.log")
    try:
        for limit in [2, 4]:
            _, documents = feeds.run_posts_query(emulator, limit)
            for document in documents:
                fields = document["fields"]
                post = f"{fields['userID']['stringValue']}/{fields['feedID']['stringValue']}"
                assert emulator.get(f"{post}/0", bucket=feeds.BUCKET).status_code == 200
        for index in [1, 2]:
            assert emulator.get(f"bob/p2/{index}", bucket=feeds.BUCKET).status_code == 200
        assert emulator.stop() == 0
    finally:
        emulator.close()
    return folder


def replay(recording, *arguments, strategies=STRATEGIES):
    chosen = [argument for strategy in strategies for argument in ("--strategy", strategy)]
    return run_audit("replay", recording / "session.log", "--format", "json", *chosen, *arguments)


def rows(ended):
    assert ended.returncode == 0, ended.stderr
    return [(row["name"], row["requests"], row["bytes"]["body"], row["billed"]) for row in json.loads(ended.stdout)["strategies"]]


def test_objects_of_the_logs_sizes_give_what_the_simulation_says(recording):
    simulated = rows(replay(recording))
    assert [row[0] for row in simulated] == ["recorded", *STRATEGIES]
    # A replay that is verified makes the same requests live and simulated, or fails.
    assert rows(replay(recording, "--mode", "verify")) == simulated
    assert rows(replay(recording, "--mode", "live")) == simulated


def test_the_data_give_the_same_and_copies_their_true_sizes(recording):
    plain = [strategy for strategy in STRATEGIES if "x" not in strategy]
    simulated = rows(replay(recording, strategies=plain))
    kept = {path: hashlib.sha256(path.read_bytes()).digest() for path in (recording / "data").glob("usage.sqlite*")}
    assert rows(replay(recording, "--data", recording / "data", strategies=plain)) == simulated
    assert kept == {path: hashlib.sha256(path.read_bytes()).digest() for path in (recording / "data").glob("usage.sqlite*")}
    assert rows(replay(recording, "--seed", recording / "feed.json", strategies=plain)) == simulated

    (_, _, estimate, _), (_, _, truth, _) = rows(replay(recording, strategies=["thumbnails:100x100"]))[1], rows(
        replay(recording, "--seed", recording / "feed.json", strategies=["thumbnails:100x100"])
    )[1]
    assert truth < simulated[1][2] / 2
    assert estimate == pytest.approx(truth, rel=0.2)


def test_an_emulator_that_runs_answers(serve, recording):
    emulator = serve("--seed", recording / "feed.json")
    plain = STRATEGIES[:2]
    assert rows(replay(recording, "--emulator", emulator.console, strategies=plain)) == rows(replay(recording, strategies=plain))


@pytest.mark.parametrize(
    "arguments, code, words",
    [
        (["--data", "DATA", "--mode", "simulate"], 64, "a simulation takes the sizes from the log"),
        (["--data", "DATA", "--seed", "feed.json"], 64, "--seed cannot go with --data"),
        (["--data", "nowhere"], 65, "nowhere is no data directory of 'firemeter serve --data'"),
        (["--data", "DATA", "--strategy", "thumbnails+listen"], 64, "listening to lists is simulated only"),
    ],
)
def test_data_that_do_not_fit_are_refused(recording, arguments, code, words):
    ended = replay(recording, *(recording / "data" if argument == "DATA" else argument for argument in arguments), strategies=[])
    assert (ended.returncode, ended.stdout) == (code, "")
    assert words in ended.stderr


@pytest.mark.parametrize("command", ["curve", "tune"])
def test_data_that_a_simulation_would_pass_over_are_refused(recording, command):
    ended = run_audit(command, recording / "session.log", "--seed", recording / "feed.json")
    assert (ended.returncode, ended.stdout) == (64, "")
    assert "a simulation takes the sizes from the log, and no data" in ended.stderr


def test_data_without_the_images_are_refused(recording, tmp_path):
    other = feeds.write_feed(tmp_path, feeds.feed(posts=feeds.FEED["posts"][:1]))
    ended = replay(recording, "--seed", other)
    assert (ended.returncode, ended.stdout) == (65, "")
    assert "6 of the log's 8 objects are not there, such as demo-feed.appspot.com/ann/p3/0" in ended.stderr

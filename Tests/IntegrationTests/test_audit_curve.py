# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0
"""`firemeter audit curve`, and the hits of its policies beside those of the simulator that the field uses."""
import csv
import io
import json
import sys

import libcachesim
import pytest

from harness import ROOT, run_audit

sys.path.insert(0, str(ROOT / "tools/bench"))
from cache_traces import write_trace  # noqa: E402

# Requests, objects and seed of two synthetic traces.
TRACES = {"many": (1_000_000, 100_000, 2), "few": (1_000_000, 20_000, 3)}
SIZES = [30_000_000, 1_000_000_000]
FIXTURE = ROOT / "fixtures/session.log"
JSON = ["--format", "json"]
POLICIES = {"fifo": "FIFO", "lru": "LRU", "lfu": "LFU", "sieve": "Sieve", "s3fifo": "S3FIFO"}


@pytest.fixture(scope="module", params=TRACES)
def trace(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("traces") / f"{request.param}.oracleGeneral.bin"
    write_trace(path, *TRACES[request.param])
    return path


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """A trace that all policies are through with soon, also without optimization."""
    path = tmp_path_factory.mktemp("traces") / "short.oracleGeneral.bin"
    write_trace(path, 20_000, 2_000, 4)
    return path


def curve(*arguments):
    ended = run_audit("curve", *arguments)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def libcachesim_misses(path, policy, size):
    """The shares of requests and of bytes that are missed."""
    parameters = libcachesim.ReaderInitParam(ignore_obj_size=False)
    reader = libcachesim.TraceReader(str(path), libcachesim.TraceType.ORACLE_GENERAL_TRACE, parameters)
    return getattr(libcachesim, policy)(size).process_trace(reader)


def assert_equal_to_libcachesim(trace, sizes):
    choice = [argument for policy in POLICIES for argument in ("--policy", policy)]
    choice += [argument for size in sizes for argument in ("--size", str(size))]
    rows = list(csv.DictReader(io.StringIO(curve(trace, *choice, "--format", "csv"))))
    assert len(rows) == len(POLICIES) * len(sizes)
    for row in rows:
        requests, bytes_ = int(row["requests"]), int(row["bytes"])
        missed, missed_bytes = libcachesim_misses(trace, POLICIES[row["policy"]], int(row["cacheBytes"]))
        assert requests - int(row["hits"]) == round(missed * requests), row
        # A double has too few digits for some sums of bytes.
        assert abs(bytes_ - int(row["hitBytes"]) - missed_bytes * bytes_) < 1, row


@pytest.mark.timeout(300)
def test_hits_and_byte_hits_are_those_of_libcachesim(trace):
    assert_equal_to_libcachesim(trace, SIZES)


@pytest.mark.parametrize("strategy", ["all-images", "thumbnails", "thumbnails+prefetch:2MB"])
@pytest.mark.parametrize("client", [[], ["--client", "u1"]], ids=["all", "u1"])
def test_hits_of_the_bundled_session_are_those_of_libcachesim(strategy, client, tmp_path):
    path = tmp_path / "session.oracleGeneral.bin"
    ended = run_audit("export", FIXTURE, "--strategy", strategy, *client, "--output", path)
    assert ended.returncode == 0, ended.stderr
    assert path.stat().st_size % 24 == 0
    assert_equal_to_libcachesim(path, [4_000_000, 10_000_000, 25_000_000, 60_000_000])


def test_the_curve_of_a_session_gives_each_user_a_cache(tmp_path):
    whole = json.loads(curve(FIXTURE, "--strategy", "thumbnails", "--size", "1GB", "--policy", "fifo", "--format", "json"))
    # Everything fits: what is missed are the first requests of each user, as with a cache on disk.
    report = json.loads(run_audit("replay", FIXTURE, "--mode", "simulate", "--strategy", "thumbnails+disk:1GB", *JSON).stdout)
    assert whole["requests"] - whole["points"][0]["hits"] == report["strategies"][0]["cache"]["misses"]
    path = tmp_path / "shared.oracleGeneral.bin"
    assert run_audit("export", FIXTURE, "--output", path).returncode == 0
    shared = json.loads(curve(path, "--size", "1GB", "--policy", "fifo", "--format", "json"))
    assert shared["requests"] == whole["requests"]
    assert shared["points"][0]["hits"] > whole["points"][0]["hits"]


def test_tuning_finds_a_cache_that_is_hardly_worse_than_the_best():
    tuned = json.loads(run_audit("tune", FIXTURE, *JSON).stdout)
    assert tuned["schema"] == "firemeter.tuning/1" and tuned["strategy"] == "thumbnails" and tuned["cache"] == "disk"
    assert {choice["policy"] for choice in tuned["choices"]} == set(POLICIES) | {"wtinylfu", "arc", "gdsf"}
    assert tuned["choices"] == sorted(tuned["choices"], key=lambda choice: choice["cacheBytes"])
    for choice in tuned["choices"]:
        assert choice["missedBytes"] <= 1.01 * tuned["bestMissedBytes"]
    replayed = run_audit("replay", FIXTURE, "--mode", "simulate", "--strategy", tuned["take"], *JSON)
    assert json.loads(replayed.stdout)["strategies"][0]["bytes"]["body"] == tuned["bytes"]
    table = run_audit("tune", FIXTURE, "--cache", "memory", "--strategy", "all-images").stdout
    assert "take all-images+memory:" in table


def test_exports_of_users_who_are_not_there_are_refused(tmp_path):
    ended = run_audit("export", FIXTURE, "--client", "nobody", "--output", tmp_path / "x.bin")
    assert ended.returncode == 64 and "nobody" in ended.stderr
    assert not (tmp_path / "x.bin").exists()


def test_the_curve_of_lru_is_what_single_caches_miss(short):
    sizes = [argument for shift in range(5) for argument in ("--size", str(2**30 >> shift))]
    whole = json.loads(curve(short, "--policy", "lru", "--format", "json", *sizes))
    for point in whole["points"]:
        alone = curve(short, "--policy", "lru", "--format", "json", "--size", point["cacheBytes"])
        assert json.loads(alone)["points"] == [point]


def test_the_table_tells_the_trace_and_both_ratios(short):
    table = curve(short)
    assert "20,000 requests" in table and "a cache for all of them takes" in table
    assert "bytes that the cache does not have" in table and "requests that the cache does not have" in table
    last = table.strip().splitlines()[-1].split()
    assert len(set(last[2:])) == 1, "everything fits into the largest cache, under every policy"
    assert curve(short) == table


@pytest.mark.parametrize(
    ("arguments", "exit_code", "mention"),
    [
        (["--policy", "sive"], 64, "sieve"),
        (["--size", "12 parsecs"], 64, "--size"),
        (["--size", "0"], 64, "--size"),
        (["--format", "html"], 64, "table"),
    ],
    ids=str,
)
def test_wrong_usage_says_what_is_right(short, arguments, exit_code, mention):
    ended = run_audit("curve", short, *arguments)
    assert ended.returncode == exit_code
    assert mention in ended.stderr and ended.stdout == ""


@pytest.mark.parametrize("command", ["curve", "tune", "export"])
def test_a_session_without_views_is_refused(command, tmp_path):
    log = tmp_path / "session.log"
    log.write_text(FIXTURE.read_text().split("\n")[0] + "\n")
    output = ["--output", tmp_path / "trace.bin"] if command == "export" else []
    ended = run_audit(command, log, "--seed", ROOT / "fixtures/feed/feed.json", *output)
    assert ended.returncode == 65 and ended.stdout == ""
    assert "neither views nor downloads" in ended.stderr


def test_a_file_that_is_no_trace_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("These are notes about caches, no requests at all.")
    ended = run_audit("curve", tmp_path / "notes.txt")
    assert ended.returncode == 65
    assert "notes.txt is no oracleGeneral trace" in ended.stderr
    missing = run_audit("curve", tmp_path / "missing.bin")
    assert missing.returncode == 65 and "missing.bin" in missing.stderr

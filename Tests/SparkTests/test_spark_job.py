# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0
"""The job on Spark gives what one process gives, to the byte."""
import json

import pytest
from pyspark.sql import functions as F

from conftest import AUDIT, REMOTE, ROOT, SPLIT, WHOLE, audit
from usage_logs import usage_rows, write_usage


def log_names(logs):
    return [word for log in logs for word in ("--log", log)]


@pytest.mark.parametrize("by, files", [(None, SPLIT), ("user", REMOTE), ("hour", SPLIT), ("object", WHOLE)])
def test_totals_are_those_of_one_process(job, usage, tmp_path, by, files):
    grouped = ["--by", by] if by else []
    merge = ["--format", "json", "--output", tmp_path / "totals.json", *log_names(usage)]
    assert job("totals", *usage, *grouped, merge=merge, **files) == 0
    alone = audit("totals", *usage, *grouped, "--format", "json")
    assert (tmp_path / "totals.json").read_text() == alone.stdout
    assert json.loads(alone.stdout)["duplicates"] == 175


def test_totals_are_the_sums_of_sql(job, spark, usage, tmp_path):
    merge = ["--format", "json", "--output", tmp_path / "totals.json"]
    assert job("totals", usage[0].parent / "*", merge=merge) == 0
    totals = json.loads((tmp_path / "totals.json").read_text())
    assert totals["logs"] == [str(usage[0].parent / "*")]
    rows = spark.read.csv([str(path) for path in usage], header=True, escape='"').dropDuplicates(["s_request_id"])
    by_status = rows.groupBy("sc_status").agg(F.count("*"), F.sum("sc_bytes")).collect()
    assert totals["statuses"] == {status: {"requests": count, "bytes": int(size)} for status, count, size in by_status}


def test_other_logs(job, tmp_path):
    access = tmp_path / "access.log"
    line = '10.0.0.{} - - [10/Oct/2026:13:55:{:02}.000 +0000] "GET /v0/b/feed.appspot.com/o/u%2Fp%2F{}?alt=media HTTP/1.1" 200 {}'
    lines = [line.format(n % 9, n % 60, n % 5, 1_000 + n).replace(".000", "") + ' "-" "okhttp"' for n in range(4_000)]
    access.write_text("\n".join(lines) + "\n")
    cloud = tmp_path / "cloud.json"
    address = "https://storage.googleapis.com/feed/u/p/0"
    request = {"requestMethod": "GET", "requestUrl": address, "status": 200, "responseSize": "10"}
    entries = [
        {"insertId": f"e{n}", "timestamp": f"2026-11-20T09:00:{n % 60:02}Z", "httpRequest": request}
        for n in [*range(1_500), *range(300)]
    ]
    cloud.write_text("\n".join(map(json.dumps, entries)) + "\n")
    for log in (access, cloud, ROOT / "fixtures/session.log"):
        merge = ["--format", "json", "--output", tmp_path / "totals.json", "--log", log]
        assert job("totals", log, merge=merge) == 0
        assert (tmp_path / "totals.json").read_text() == audit("totals", log, "--format", "json").stdout, log


def written_to(folder, kind):
    return ["--output", folder / "session.log"] if kind == "import" else []


@pytest.mark.parametrize("kind", ["totals", "import", "replay"])
def test_nothing_is_refused_as_by_one_process(job, tmp_path, capfd, kind):
    empty = tmp_path / "empty"
    empty.write_text("")
    alone = audit(kind, empty, *written_to(tmp_path, kind))
    assert job(kind, empty, *written_to(tmp_path, kind)) == alone.returncode == 65
    assert alone.stderr.replace(str(empty), "standard input") in capfd.readouterr().err


@pytest.mark.parametrize("kind", ["totals", "import", "replay"])
def test_a_log_that_is_not_there_is_refused(job, tmp_path, capfd, kind):
    missing = tmp_path / "missing.csv"
    assert job(kind, missing, *written_to(tmp_path, kind)) == audit(kind, missing, *written_to(tmp_path, kind)).returncode == 65
    assert f"audit: cannot read {missing}" in capfd.readouterr().err


@pytest.mark.parametrize("whole", [0, 1 << 20], ids=["split", "whole"])
def test_a_split_with_garbage_is_refused_as_by_one_process(job, tmp_path, capfd, whole):
    rows = list(usage_rows(2_000))
    rows[1_500] = "garbage"
    log = write_usage(tmp_path / "broken.csv", rows)
    alone = audit("totals", log)
    assert job("totals", log, whole=whole) == alone.returncode == 65
    # Of a split, the number of the line is not that of the file.
    problem = alone.stderr if whole else alone.stderr.rsplit(": ", 1)[1]
    assert problem in capfd.readouterr().err


def test_bad_lines_are_counted_and_shown_as_by_one_process(job, tmp_path):
    rows = list(usage_rows(3_000))
    for place, bad in enumerate(["garbage", '"an open quote', '"1","2"', "garbage", '"GET /o?token=secret"']):
        rows.insert(600 * place, bad)
    log = write_usage(tmp_path / "broken.csv", rows)
    merge = ["--format", "json", "--output", tmp_path / "totals.json", "--log", log]
    assert job("totals", log, "--skip-bad-lines", merge=merge) == 0
    alone = audit("totals", log, "--skip-bad-lines", "--format", "json").stdout
    assert (tmp_path / "totals.json").read_text() == alone
    totals = json.loads(alone)
    assert totals["requests"] == 3_000 and totals["unreadable"]["count"] == 5
    assert "secret" not in alone


def test_a_user_with_half_of_all_lines(job, tmp_path):
    log = write_usage(tmp_path / "skewed.csv", usage_rows(4_000, heavy_share=0.5))
    merge = ["--format", "json", "--output", tmp_path / "totals.json", "--log", log]
    assert job("totals", log, "--by", "user", merge=merge) == 0
    assert (tmp_path / "totals.json").read_text() == audit("totals", log, "--by", "user", "--format", "json").stdout


@pytest.mark.parametrize("victim", ["$$", "$PPID"], ids=["audit", "its worker"])
def test_what_is_killed_is_tried_again(job, usage, tmp_path, victim):
    killed = tmp_path / f"audit-{len(victim)}"
    once = f"if mkdir {tmp_path}/once 2>/dev/null; then kill -9 {victim}; exit 1; fi"
    killed.write_text(f'#!/bin/sh\n{once}\nexec {AUDIT} "$@"\n')
    killed.chmod(0o755)
    merge = ["--format", "json", "--output", tmp_path / "totals.json", *log_names(usage)]
    assert job("totals", *usage, merge=merge, audit=killed) == 0
    assert (tmp_path / "once").exists()
    assert (tmp_path / "totals.json").read_text() == audit("totals", *usage, "--format", "json").stdout


FEED = {
    "schema": "firemeter.feed/1",
    "project": "demo-tiny",
    "database": "(default)",
    "bucket": "demo-tiny.appspot.com",
    "collection": "posts",
    "images": {"render": {"seed": 7, "medianBytes": 60_000, "sigma": 0}},
    "users": [{"id": "u1", "name": "Ada"}, {"id": "u2", "name": "Ben"}],
    "posts": [
        {"id": f"p{n}", "owner": f"u{1 + n % 2}", "title": f"Post {n}", "likes": 10 * n, "images": 1 + n % 3}
        | {"createdAt": f"2026-11-0{n}T08:00:00Z"}
        for n in range(1, 7)
    ],
}


def many_users(folder, rounds):
    """The views of eight users of a small feed again and again, each time of other users; one more has as many as all of them."""
    (folder / "feed.json").write_text(json.dumps(FEED))
    recorded, path = folder / "recorded.log", folder / "session.log"
    ended = audit("record", folder / "feed.json", "--users", 8, "--page-size", 2, "--output", recorded)
    assert ended.returncode == 0, ended.stderr
    header, *lines = recorded.read_text().splitlines()
    views = [view for view in map(json.loads, lines) if view["type"] == "view"]
    repeated = [view | {"at": view["at"] + 37 * n, "client": f"{view['client']}-{n}"} for n in range(rounds) for view in views]
    first = [view for view in views if view["client"] == "u1"]
    days = range(len(repeated) // len(first))
    repeated += [view | {"at": view["at"] + 86_400_000 * day, "client": "heavy"} for day in days for view in first]
    repeated.sort(key=lambda view: view["at"])
    path.write_text("\n".join([header, *(json.dumps(view, separators=(",", ":")) for view in repeated)]) + "\n")
    return path


def assert_replayed_alike(job, log, *options, on_spark):
    outputs = {form: (log.with_name(f"one.{form}"), log.with_name(f"many.{form}")) for form in ("json", "html")}
    alone = [word for one, _ in outputs.values() for word in ("--output", one)]
    ended = audit("replay", log, "--mode", "simulate", *options, *alone)
    assert ended.returncode == 0, ended.stderr
    merge = ["--log", log, *(word for _, many in outputs.values() for word in ("--output", many))]
    assert job("replay", log, *options, *on_spark, merge=merge) == 0
    for one, many in outputs.values():
        assert one.read_bytes() == many.read_bytes()


STRATEGIES = ("--strategy", "all-images", "--strategy", "thumbnails+memory")


def test_a_session_is_replayed_as_by_one_process(job, tmp_path):
    log = many_users(tmp_path, 8)
    assert_replayed_alike(job, log, *STRATEGIES, on_spark=("--groups", 3, "--seed", tmp_path / "feed.json"))


def test_an_imported_session_is_replayed_as_by_one_process(job, usage, tmp_path):
    log = tmp_path / "session.log"
    assert audit("import", usage[0], "--output", log).returncode == 0
    assert_replayed_alike(job, log, *STRATEGIES, on_spark=("--groups", 3))

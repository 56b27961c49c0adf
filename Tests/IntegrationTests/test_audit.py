# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

import base64
import csv
import json
import random
import re
import shutil
import subprocess
from xml.etree import ElementTree

import pytest

import feeds
from harness import AUDIT, run_audit

STRATEGIES = ["all-images", "all-images+memory", "thumbnails", "thumbnails+memory", "thumbnails+memory+disk"]


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """A recorded session beside its data set: the path of the log."""
    folder = tmp_path_factory.mktemp("session")
    ended = record(feeds.write_feed(folder), folder / "session.log")
    assert ended.returncode == 0, ended.stderr
    return folder / "session.log"


@pytest.fixture(scope="module")
def whole_report(session):
    """The report of all strategies."""
    return report(session)


def record(data_set, log, *arguments, users=1):
    return run_audit("record", data_set, "--users", users, "--page-size", "2", "--output", log, *arguments)


def replay(*arguments, cwd=None):
    ended = run_audit("replay", *arguments, cwd=cwd)
    assert ended.returncode == 0, ended.stderr
    return ended


def report(*arguments):
    return json.loads(replay(*arguments, "--format", "json").stdout)


def assert_refused(ended, exit_code, *mentions):
    assert ended.returncode == exit_code, ended.stderr
    assert ended.stdout == ""
    for mention in mentions:
        assert mention in ended.stderr
    assert "Fatal" not in ended.stderr


def without(line, member):
    """A line of JSON that lacks one member."""
    return json.dumps({key: value for key, value in json.loads(line).items() if key != member})


def changed_log(session, folder, change):
    """A copy of the session whose lines a function has changed."""
    shutil.copy(session.parent / "feed.json", folder / "feed.json")
    lines = session.read_text().splitlines()
    (folder / "session.log").write_text("\n".join(change(lines)) + "\n")
    return folder / "session.log"


# Recording


def test_a_report_that_cannot_be_written_is_a_failure(session):
    command = [*AUDIT, "replay", session, "--format", "json"]
    with open("/dev/full", "w") as full:
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert (ended.returncode, "standard output" in ended.stderr) == (74, True)


def test_a_recording_holds_a_header_views_and_their_requests(session):
    header, *lines = [json.loads(line) for line in session.read_text().splitlines()]
    assert (header["type"], header["schema"]) == ("header", "firemeter.session/1")
    assert header["dataSet"] == "feed.json" and header["pageSize"] == 2
    assert header["feed"]["bucket"] == feeds.BUCKET
    assert {line["type"] for line in lines} == {"view", "recording", "document", "object", "request"}
    views = [line for line in lines if line["type"] == "view"]
    assert views and {view["client"] for view in views} == {"u1"}
    assert all(line["status"] == 200 for line in lines if line["type"] == "request")


def test_each_user_walks_alone(session, tmp_path):
    assert record(session.parent / "feed.json", tmp_path / "two.log", users=2).returncode == 0
    views = [json.loads(line) for line in (tmp_path / "two.log").read_text().splitlines() if '"type":"view"' in line]
    assert {view["client"] for view in views} == {"u1", "u2"}
    alone = [line for line in session.read_text().splitlines() if '"type":"view"' in line]
    assert [view for view in views if view["client"] == "u1"] == [json.loads(line) for line in alone]


def test_the_same_arguments_give_the_same_views(session, tmp_path):
    def views(log):
        return [line for line in log.read_text().splitlines() if '"type":"view"' in line]

    assert record(session.parent / "feed.json", tmp_path / "again.log").returncode == 0
    assert views(tmp_path / "again.log") == views(session)
    assert record(session.parent / "feed.json", tmp_path / "other.log", "--walk-seed", "2").returncode == 0
    assert views(tmp_path / "other.log") != views(session)


def test_a_recording_never_overwrites(session):
    before = session.read_bytes()
    assert_refused(record(session.parent / "feed.json", session), 64, str(session))
    assert session.read_bytes() == before


@pytest.mark.parametrize(
    "arguments",
    [["--users", "0"], ["--page-size", "0"], ["--starting-at", "today"], ["--walk-seed", "-1"]],
    ids=" ".join,
)
def test_wrong_usage_of_record_exits_with_64(session, tmp_path, arguments):
    ended = run_audit("record", session.parent / "feed.json", "--output", tmp_path / "x.log", *arguments)
    assert_refused(ended, 64)
    assert not (tmp_path / "x.log").exists()


def test_recording_a_missing_data_set_leaves_no_log(tmp_path):
    assert_refused(record(tmp_path / "nowhere", tmp_path / "x.log"), 65, f"{tmp_path}/nowhere")
    assert not (tmp_path / "x.log").exists()


# Replaying


def test_the_table_shows_every_strategy_and_the_date_of_the_profile(session):
    ended = replay(session)
    rows = re.findall(r"^(all-images\S*|thumbnails\S*) ", ended.stdout, re.MULTILINE)
    assert rows == STRATEGIES * 4, "bytes, then causes, then free amounts, then times"
    assert "what all-images could do without" in ended.stdout
    assert "Keep images in memory: all-images+memory, " in ended.stdout.replace("\n  ", " ")
    assert re.search(r"^best: \S+, \d+\.\dx less than all-images$", ended.stdout, re.MULTILINE)
    assert all(len(line) <= 120 for line in ended.stdout.splitlines()[1:])
    assert "baseline" in ended.stdout and "x less" in ended.stdout
    assert re.search(r"profile \S+ as of \d{4}-\d\d-\d\d", ended.stdout)
    assert ended.stderr == ""


def test_the_json_keeps_its_contract(session, whole_report):
    answer = whole_report
    assert answer["schema"] == "firemeter.report/1"
    assert answer["log"] == str(session)
    assert set(answer["profile"]) == {"name", "asOf"}
    assert [strategy["name"] for strategy in answer["strategies"]] == STRATEGIES
    for strategy in answer["strategies"]:
        assert set(strategy["bytes"]) == {"body", "wire"}
        assert set(strategy["cache"]) == {"hits", "misses", "hitRatio", "byteHitRatio"}
        assert {"egressBytes", "classA", "classB", "documentReads"} <= set(strategy["billed"])
        assert strategy["quota"]["downloadPercentPerDay"] > 0
        assert strategy["bytes"]["wire"] > strategy["bytes"]["body"] == strategy["billed"]["egressBytes"]
        assert strategy["billed"]["classB"] == strategy["cache"]["misses"]


def test_caches_and_thumbnails_save_bytes(whole_report):
    body = {strategy["name"]: strategy["bytes"]["body"] for strategy in whole_report["strategies"]}
    assert body["all-images"] > body["all-images+memory"] > body["thumbnails+memory+disk"]
    assert body["all-images"] > body["thumbnails"] > body["thumbnails+memory"] >= body["thumbnails+memory+disk"]


def test_the_baseline_costs_what_was_recorded(session, whole_report):
    lines = [json.loads(line) for line in session.read_text().splitlines()]
    requests_on_record = [line for line in lines if line["type"] == "request"]
    baseline = whole_report["strategies"][0]
    assert baseline["requests"] == len(requests_on_record)
    images = [line for line in requests_on_record if line["service"] == "storage"]
    assert baseline["billed"]["classB"] == len(images)
    reads = sum(line["billed"].get("documentReads", 0) for line in requests_on_record)
    assert baseline["billed"]["documentReads"] == reads


@pytest.mark.parametrize("form", ["table", "json"])
def test_two_replays_give_the_same_bytes(session, form):
    first, second = (replay(session, "--format", form).stdout for _ in range(2))
    assert first == second != ""


def test_named_strategies_are_replayed_in_their_order(session, whole_report):
    names = ["thumbnails+memory", "all-images"]
    answer = report(session, "--strategy", names[0], "--strategy", names[1])
    assert [strategy["name"] for strategy in answer["strategies"]] == names
    full = {strategy["name"]: strategy for strategy in whole_report["strategies"]}
    for strategy in answer["strategies"]:
        assert strategy["bytes"]["body"] == full[strategy["name"]]["bytes"]["body"]


def test_a_strategy_that_is_wrong_is_pointed_at(session):
    ended = run_audit("replay", session, "--strategy", "thumbnails+memory:5MB:sievee")
    assert_refused(ended, 64, "'sievee' is no policy (fifo, lru, ")
    assert ended.stderr.splitlines()[1:] == ["  thumbnails+memory:5MB:sievee", "                        ^^^^^^"]
    assert_refused(run_audit("replay", session, "--strategy", "none"), 64, "'none'", "feed-before", "feed-after")


OURS = "thumbnails+memory:4kB:sieve+disk:1MB:7d"


def test_a_file_of_strategies_is_replayed_after_those_of_the_command_line(session, tmp_path):
    file = tmp_path / "ours.json"
    strategies = [{"name": "ours", "strategy": OURS}, {"strategy": "feed-before"}]
    file.write_text(json.dumps({"schema": "firemeter.strategies/1", "strategies": strategies}))
    answer = report(session, "--strategies", file, "--strategy", "thumbnails")
    assert [strategy["name"] for strategy in answer["strategies"]] == ["thumbnails", "ours", "feed-before"]
    file.write_text('{"schema": "firemeter.strategies/1",\n "strategies": [{"strategy": "thumbs"}]}')
    assert_refused(run_audit("replay", session, "--strategies", file), 64, "line 2", "'thumbs'", "^^^^^^")
    assert_refused(run_audit("replay", session, "--strategies", tmp_path / "none.json"), 74, "none.json")


def test_live_and_simulated_reports_agree(session):
    arguments = [argument for strategy in [*STRATEGIES, OURS] for argument in ("--strategy", strategy)]
    live, simulated, verified = [report(session, *arguments, "--mode", mode) for mode in ("live", "simulate", "verify")]

    def of_the_simulation(answer):
        figures = ("time", "waste", "wastedBytes", "views", "screens", "findings")
        return [answer.pop("network"), answer.pop("best")] + [strategy.pop(key) for key in figures for strategy in answer["strategies"]]

    simulated_figures = of_the_simulation(verified)
    live.pop("best")
    assert verified == live, "live, nothing is known of a network, or of what was needed"
    assert simulated_figures == of_the_simulation(simulated)
    for one, other in zip(live["strategies"], simulated["strategies"]):
        # The heads of a simulated client's requests are estimated.
        assert abs(one["bytes"].pop("wire") - other["bytes"].pop("wire")) < 0.05 * 900 * one["requests"]
        assert one == other


def test_every_byte_has_a_cause(session):
    for strategy in report(session)["strategies"]:
        assert sum(strategy["waste"].values()) == strategy["bytes"]["body"]
        assert strategy["wastedBytes"] == strategy["bytes"]["body"] - strategy["waste"]["needed"] - strategy["waste"]["documents"]
        views = strategy["views"].values()
        assert sum(view["bytes"]["body"] for view in views) == strategy["bytes"]["body"]
        assert sum(view["requests"] for view in views) == strategy["requests"]
        for finding in strategy["findings"]:
            assert finding["objects"] and finding["screens"]
            assert finding["bytes"] == strategy["waste"][finding["cause"]]


def test_screens_add_up_to_the_strategy(session):
    for strategy in report(session, "--mode", "simulate")["strategies"]:
        screens = strategy["screens"]
        assert {"popular", "latest"} <= {screen["screen"] for screen in screens}
        assert sum(screen["bytes"] for screen in screens) == strategy["bytes"]["body"]
        assert sum(screen["requests"] for screen in screens) == strategy["requests"]
        assert sum(screen["documentReads"] for screen in screens) == strategy["billed"]["documentReads"]
        hits = [screen["cache"][key] for screen in screens for key in ("memoryHits", "diskHits", "revalidatedHits")]
        assert sum(hits) == strategy["cache"]["hits"]
        assert sum(screen["cache"]["misses"] for screen in screens) == strategy["cache"]["misses"]


def test_a_finding_says_what_to_do_and_where_that_is_shown(session):
    findings = report(session, "--mode", "simulate")["strategies"][0]["findings"]
    assert findings
    for finding in findings:
        assert finding["document"].startswith("docs/refactorings.md#")
        assert finding["document"] in finding["sentence"] and finding["remedy"]["strategy"] in finding["sentence"]


def test_what_is_recommended_downloads_what_was_said(session):
    baseline = report(session)["strategies"][0]
    remedies = {finding["cause"]: finding["remedy"] for finding in baseline["findings"] if "remedy" in finding}
    assert "again" in remedies
    for remedy in remedies.values():
        answer = report(session, "--strategy", remedy["strategy"], "--mode", "simulate")
        assert answer["strategies"][0]["bytes"]["body"] == remedy["bytes"] < baseline["bytes"]["body"]


def test_small_screens_make_images_oversized(session):
    def oversized(*arguments):
        return report(session, "--mode", "simulate", *arguments)["strategies"][0]["waste"]["oversized"]

    assert oversized("--screen-width", "100000") == 0 < oversized("--screen-width", "40", "--columns", "4")
    assert_refused(run_audit("replay", session, "--columns", "0"), 64, "--columns")


def test_an_oversized_list_has_a_smaller_copy_for_a_remedy(session):
    display = ["--screen-width", "60", "--columns", "2"]
    baseline = report(session, "--strategy", "all-images", *display)["strategies"][0]
    remedies = {finding["cause"]: finding["remedy"] for finding in baseline["findings"] if "remedy" in finding}
    remedy = remedies["oversized"]
    assert remedy["strategy"] == "thumbnails:30x60"
    answer = report(session, "--strategy", "all-images", "--strategy", remedy["strategy"], "--mode", "verify")
    assert answer["strategies"][1]["bytes"]["body"] == remedy["bytes"] < baseline["bytes"]["body"]
    together = baseline["remedyOfAll"]
    assert together["strategy"] == "thumbnails:30x60+memory+disk"
    assert together["bytes"] < min(one["bytes"] for one in remedies.values())
    answer = report(session, "--strategy", together["strategy"], "--mode", "simulate")
    assert answer["strategies"][0]["bytes"]["body"] == together["bytes"]
    # Beside a strategy that downloads less it is not offered.
    beside = report(session, "--mode", "simulate", *display)
    assert min(each["bytes"]["body"] for each in beside["strategies"]) <= together["bytes"]
    assert "remedyOfAll" not in beside["strategies"][0]


# Decisions


def write_budget(folder, **thresholds):
    file = folder / "budget.json"
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(bounds)}" for name, bounds in thresholds.items())
    file.write_text('{"schema": "firemeter.budget/1", "thresholds": {\n' + lines + "\n}}")
    return file


def test_a_budget_that_is_kept_exits_with_0(session, tmp_path):
    budget = write_budget(tmp_path, **{"bytes": ["<1GB"], "bytes{strategy:thumbnails}": ["<0.9x baseline"], "doc_reads": ["<1000"]})
    ended = replay(session, "--budget", budget)
    assert f"budget {budget}: 9 of 9 bounds kept" in ended.stdout


def test_a_budget_that_is_broken_exits_with_99_and_names_the_line(session, tmp_path):
    budget = write_budget(tmp_path, **{"bytes": ["<1GB"], "waste.again{strategy:all-images}": ["<=0"], "ttfi_p95": ["<1ms"]})
    outputs = [tmp_path / name for name in ("report.json", "junit.xml", "comment.md", "report.html", "report.csv", "report.txt")]
    ended = run_audit("replay", session, "--budget", budget, *[part for path in outputs for part in ("--output", path)])
    assert ended.returncode == 99 and ended.stdout == ""
    assert f"{budget}, line 3: waste.again{{strategy:all-images}} of all-images: " in ended.stderr
    assert f"{budget}, line 4: ttfi_p95 of thumbnails: " in ended.stderr
    answer, suites = json.loads(outputs[0].read_text()), ElementTree.parse(outputs[1]).getroot()
    assert answer["budget"]["breaches"] == len(ended.stderr.splitlines()) == int(suites.get("failures")) == 5
    assert len(suites.findall(".//failure")) == 5 and len(suites.findall(".//testcase")) == 9
    assert outputs[2].read_text().startswith("<!-- audit:session.log -->\n")
    assert outputs[3].read_text().startswith("<!DOCTYPE html>")
    rows = list(csv.DictReader(outputs[4].read_text().splitlines()))
    assert [row["strategy"] for row in rows] == STRATEGIES
    assert [int(row["bytes.body"]) for row in rows] == [strategy["bytes"]["body"] for strategy in answer["strategies"]]
    assert outputs[5].read_text().startswith(str(session))


def test_a_report_is_compared_with_a_former_one(session, tmp_path):
    former = tmp_path / "former.json"
    replay(session, "--output", former)
    assert "no figure changed" in replay(session, "--compare-to", former).stdout
    answer = json.loads(former.read_text())
    now = answer["strategies"][1]["bytes"]["body"]
    answer["strategies"][1]["bytes"]["body"] = now - 2_000_000 if now > 4_000_000 else now // 2
    former.write_text(json.dumps(answer))
    table = replay(session, "--compare-to", former).stdout
    assert re.search(r"all-images\+memory +bytes.body +\S+ \S+ +\S+ \S+ +\+\S+ \S+ +\d+\.\d\dx", table)
    budget = write_budget(tmp_path, bytes=["<=1x former"])
    ended = run_audit("replay", session, "--compare-to", former, "--budget", budget)
    assert ended.returncode == 99 and "of all-images+memory" in ended.stderr
    assert_refused(run_audit("replay", session, "--budget", budget), 64, "--compare-to")


@pytest.mark.parametrize(
    ("arguments", "mention"),
    [
        (["--output", "report.pdf"], "report.pdf says no form"),
        (["--output", "a.json", "--output", "b.csv", "--format", "json"], "--format"),
        (["--format", "junit"], "--budget"),
        (["--output", "x.xml"], "--budget"),
    ],
    ids=str,
)
def test_forms_that_make_no_sense_are_refused(session, arguments, mention):
    assert_refused(run_audit("replay", session, *arguments), 64, mention)


# Parts


def partial(log, folder, *arguments):
    path = folder / f"part-{len(list(folder.iterdir()))}.json"
    ended = run_audit("replay", log, "--partial", "--output", path, *arguments)
    assert ended.returncode == 0, ended.stderr
    return path


@pytest.mark.parametrize("count", [1, 2, 7])
def test_parts_merge_to_the_report_on_the_whole_log(count, tmp_path):
    log = tmp_path / "session.log"
    assert record(feeds.write_feed(tmp_path), log, users=3).returncode == 0
    folder = tmp_path / "parts"
    folder.mkdir()
    arguments = ["--strategy", "all-images", "--strategy", OURS, "--strategy", "thumbnails+prefetch:2MB+url-lookups"]
    parts = [
        partial(log, folder, "--part", f"{number}/{count}", "--curves", *arguments) for number in range(1, count + 1)
    ]
    for form in ("json", "table", "csv", "markdown", "html"):
        whole = replay(log, "--mode", "simulate", *arguments, "--format", form).stdout
        merged = run_audit("merge", *reversed(parts), "--format", form)
        assert merged.stdout == whole, merged.stderr


def test_any_tree_of_merges_ends_in_the_same_bytes(tmp_path):
    log = tmp_path / "session.log"
    assert record(feeds.write_feed(tmp_path), log, users=5).returncode == 0
    arguments = ["--strategy", "all-images+memory", "--strategy", OURS]

    def run(*command, input=""):
        ended = run_audit(*command, input=input, cwd=tmp_path)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def part(number):
        # From standard input, the data set is found from the directory that the command is in.
        return run("replay", "-", "--partial", "--curves", "--part", f"{number}/6", *arguments, input=log.read_text())

    leaves = [part(number) for number in range(1, 7)]
    assert leaves[2] == part(3) and all(leaf.count("\n") == 1 for leaf in leaves)
    roots = set()
    for seed in range(3):
        chance = random.Random(seed)
        parts = list(leaves)
        while len(parts) > 1:
            chance.shuffle(parts)
            taken, parts = parts[:2], parts[2:]
            parts.append(run("merge", "-", "--partial", input="".join(taken)))
        roots.add(parts[0])
    assert roots == {run("merge", "-", "--partial", input="".join(leaves))}
    page = run("merge", "-", "--format", "html", input=roots.pop())
    assert page == run("replay", "-", "--mode", "simulate", "--format", "html", *arguments, input=log.read_text())


def test_a_second_run_tries_what_the_whole_log_needs(tmp_path):
    log = tmp_path / "session.log"
    assert record(feeds.write_feed(tmp_path), log, users=4).returncode == 0

    def run(*command, input=""):
        ended = run_audit(*command, input=input, cwd=tmp_path)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def parts(count, *arguments):
        lines = [run("replay", log, "--partial", "--part", f"{number}/{count}", *arguments) for number in range(1, count + 1)]
        return run("merge", "-", "--partial", input="".join(lines))

    (tmp_path / "figures.json").write_text(parts(3, "--no-remedies"))
    assert_refused(run_audit("merge", tmp_path / "figures.json"), 65, "'firemeter audit merge --needed' lists what to try")
    (tmp_path / "needed.json").write_text(run("merge", "figures.json", "--needed"))
    tried = json.loads((tmp_path / "needed.json").read_text())["trials"]
    all_tried = json.loads(parts(1))["tried"]["byteCounts"]
    assert set(tried) < set(all_tried)
    (tmp_path / "remedies.json").write_text(parts(2, "--remedies", "needed.json", "--curves"))
    for form in ("json", "html"):
        whole = replay(log, "--mode", "simulate", "--format", form).stdout
        assert run("merge", "figures.json", "--remedies", "remedies.json", "--format", form) == whole
    half = run("replay", log, "--partial", "--part", "1/2", "--remedies", tmp_path / "needed.json")
    (tmp_path / "half.json").write_text(half)
    others = run_audit("merge", tmp_path / "figures.json", "--remedies", tmp_path / "half.json")
    assert_refused(others, 64, "other users")
    assert_refused(run_audit("merge", tmp_path / "half.json", tmp_path / "half.json", "--partial"), 64, "in another part, too")
    assert_refused(run_audit("merge", tmp_path / "half.json", tmp_path / "figures.json", "--partial"), 64, "has no remedies")
    swapped = run_audit("merge", tmp_path / "figures.json", "--remedies", tmp_path / "needed.json")
    assert_refused(swapped, 65, "is no part of remedies")
    assert_refused(run_audit("replay", log, "--no-remedies"), 64, "--partial")


def test_a_log_that_was_split_by_others_merges_too(session, tmp_path):
    two = tmp_path / "two"
    two.mkdir()
    assert record(feeds.write_feed(two), two / "two.log", users=2).returncode == 0
    header, *lines = (two / "two.log").read_text().splitlines()
    (tmp_path / "parts").mkdir()
    parts = []
    for user in ("u1", "u2"):
        log = two / f"{user}.log"
        log.write_text("\n".join([header, *(line for line in lines if f'"client":"{user}"' in line)]) + "\n")
        parts.append(partial(log, tmp_path / "parts"))
    merged = json.loads(run_audit("merge", *parts, "--format", "json").stdout)
    whole = report(two / "two.log", "--mode", "simulate")
    assert merged.pop("log") == str(two / "u1.log") and whole.pop("log")
    assert merged == whole


def test_parts_that_do_not_belong_together_are_refused(session, tmp_path):
    part = partial(session, tmp_path)
    other = partial(session, tmp_path, "--network", "edge")
    assert_refused(run_audit("merge", part, part), 64, "the user u1 is in another part, too")
    first = partial(session, tmp_path, "--part", "1/2")
    assert_refused(run_audit("merge", first), 64, "part 2 of 2 is missing")
    assert_refused(run_audit("merge", first, first), 64, "part 1 is there already")
    assert_refused(run_audit("merge", part, first), 64, "split otherwise")
    assert_refused(run_audit("merge", part, partial(session, tmp_path, "--columns", "3")), 64, "screens")
    assert_refused(run_audit("replay", session, "--compare-to", tmp_path / "none.json"), 74, "none.json")
    twice = ["--strategy", "thumbnails", "--strategy", "thumbnails"]
    assert_refused(run_audit("replay", session, *twice), 64, "two strategies are called 'thumbnails'")
    assert_refused(run_audit("merge", part, other), 64, "its network is edge")
    assert_refused(run_audit("merge", tmp_path / "none.json"), 74, "none.json")
    (tmp_path / "broken.json").write_text('{"schema": "firemeter.partial/2"}')
    assert_refused(run_audit("merge", tmp_path / "broken.json"), 65, "is missing")
    assert_refused(run_audit("replay", session, "--part", "1/2"), 64, "--partial")
    assert_refused(run_audit("replay", session, "--curves"), 64, "--partial")
    assert_refused(run_audit("replay", session, "--partial", "--mode", "live"), 64, "--mode simulate")
    assert_refused(run_audit("replay", session, "--partial", "--part", "3/2"), 64, "3/2")


def test_times_are_those_of_the_network(session, tmp_path):
    def times(network):
        answer = report(session, "--mode", "simulate", "--network", network, "--strategy", "thumbnails")
        assert answer["network"]["name"]
        return answer["strategies"][0]["time"]

    for part in ("layout", "firstImage", "complete"):
        assert times("edge")[part]["p50"] > times("4g")[part]["p50"] > times("fios")[part]["p50"] > 0
        assert times("4g")[part]["p95"] >= times("4g")[part]["p50"]
    own = {"name": "own", "downKilobitsPerSecond": 9000, "roundTripMilliseconds": 170}
    (tmp_path / "own.json").write_text(json.dumps({"schema": "firemeter.networks/1", "networks": [own]}))
    assert times(tmp_path / "own.json") == times("4g")
    assert_refused(run_audit("replay", session, "--network", "5g"), 64, "'5g'", "slow-4g")


def test_a_month_costs_what_its_profile_says(session, tmp_path):
    def answer(*arguments):
        return report(session, "--mode", "simulate", "--strategy", "thumbnails", *arguments)["strategies"][0]

    free = answer("--users", "10")
    assert "cost" not in free, "the Spark plan has no prices"
    share = free["quota"]["items"]["storage.egressBytes"]
    assert share["period"] == "day" and share["percent"] == pytest.approx(10 * free["quota"]["downloadPercentPerDay"])
    priced = answer("--profile", "blaze-appspot+firestore-nam5", "--users", "5000000")["cost"]
    assert priced["dailyUsers"] == 5_000_000
    assert priced["usdPerMonth"] > 1_000 * priced["usdPerMonthAndThousandDailyUsers"] > 0
    assert 0 < priced["usdPerUserDay"] < 0.01
    assert_refused(run_audit("replay", session, "--profile", "gold"), 64, "'gold'", "blaze-appspot")
    assert_refused(run_audit("replay", session, "--users", "0"), 64, "--users")


def test_a_simulation_is_the_same_each_time(session):
    first, second = [replay(session, "--mode", "simulate", "--format", "json").stdout for _ in range(2)]
    assert first == second


def test_answers_are_kept_between_runs_and_can_be_lost(session, tmp_path):
    def simulate(log):
        ended = run_audit(
            "replay", log, "--mode", "simulate", "--format", "json", environment={"XDG_CACHE_HOME": str(tmp_path)}
        )
        assert ended.returncode == 0, ended.stderr
        return json.loads(ended.stdout)["strategies"]

    first = simulate(session)
    (kept,) = (tmp_path / "firemeter").iterdir()
    written = kept.read_bytes()
    assert simulate(session) == first and kept.read_bytes() == written
    # Answers that are missing are asked for, and put to those that are there.
    answers = json.loads(written)
    for request in list(answers)[::2]:
        del answers[request]
    kept.write_text(json.dumps(answers))
    assert simulate(session) == first and json.loads(kept.read_bytes()).keys() == json.loads(written).keys()
    kept.write_bytes(b"{" + written[:99])
    assert simulate(session) == first and json.loads(kept.read_bytes()).keys() == json.loads(written).keys()
    # Another data set has answers of its own.
    posts = feeds.FEED["posts"]
    other = tmp_path / "other"
    other.mkdir()
    feeds.write_feed(other, feeds.feed(posts=[{**post, "title": post["title"] + "!"} for post in posts]))
    log = other / "session.log"
    log.write_text(session.read_text())
    assert simulate(log) != first and len(list((tmp_path / "firemeter").iterdir())) == 2


def test_answers_of_a_folder_of_images_are_kept_until_one_changes(tmp_path):
    folder = tmp_path / "photos"
    for post in ("a", "b"):
        (folder / "u1" / post).mkdir(parents=True)
        for number in range(2):
            (folder / "u1" / post / f"{number}.png").write_bytes(feeds.png(8 + number, 8))
    log = tmp_path / "session.log"
    assert record(folder, log, users=1).returncode == 0

    def byte_count():
        ended = run_audit(
            "replay", log, "--mode", "simulate", "--format", "json", environment={"XDG_CACHE_HOME": str(tmp_path / "cache")}
        )
        assert ended.returncode == 0, ended.stderr
        return json.loads(ended.stdout)["strategies"][0]["bytes"]["body"]

    first = byte_count()
    (kept,) = (tmp_path / "cache/firemeter").iterdir()
    written = kept.stat().st_mtime_ns
    assert byte_count() == first and kept.stat().st_mtime_ns == written
    (folder / "u1/a/0.png").write_bytes(feeds.png(64, 64))
    assert byte_count() > first and len(list((tmp_path / "cache/firemeter").iterdir())) == 2


def test_only_a_data_set_can_be_simulated(session):
    ended = run_audit("replay", session, "--mode", "simulate", "--emulator", "127.0.0.1:1")
    assert_refused(ended, 64, "--mode simulate", "--emulator")


@pytest.mark.parametrize(
    "arguments",
    [["--format", "xml"], ["--seed", ".", "--emulator", "127.0.0.1:1"], ["--unknown"], ["surplus"]],
    ids=" ".join,
)
def test_wrong_usage_of_replay_exits_with_64(session, arguments):
    assert_refused(run_audit("replay", session, *arguments), 64)


def test_the_report_goes_to_a_file(session, tmp_path):
    arguments = [session, "--strategy", "thumbnails", "--format", "json"]
    ended = replay(*arguments, "--output", tmp_path / "report.json")
    assert ended.stdout == ""
    assert (tmp_path / "report.json").read_text() == replay(*arguments).stdout


def test_a_report_that_cannot_be_written_exits_with_74(session, tmp_path):
    output = tmp_path / "none/report.json"
    assert_refused(run_audit("replay", session, "--strategy", "thumbnails", "--output", output), 74, str(output))


def test_the_data_set_is_found_from_any_directory(session):
    replay("session.log", "--strategy", "thumbnails", cwd=session.parent)
    replay(session, "--strategy", "thumbnails", cwd="/")


# Logs that are not as they should be


@pytest.mark.parametrize(
    ("line", "number"),
    [("{broken", 3), ('{"type":"view","at":-1}', 2), ("[]", 7), ('{"type":7}', 3)],
    ids=["syntax", "value", "array", "type"],
)
def test_a_broken_line_is_named(session, tmp_path, line, number):
    log = changed_log(session, tmp_path, lambda lines: [*lines[: number - 1], line, *lines[number - 1 :]])
    assert_refused(run_audit("replay", log), 65, f"line {number}")


def test_unknown_lines_are_skipped_with_a_note(session, tmp_path, whole_report):
    unknown = ['{"type":"weather","sun":true}', '{"type":"battery"}']
    log = changed_log(session, tmp_path, lambda lines: [lines[0], *unknown, *lines[1:]])
    ended = replay(log, "--strategy", "thumbnails", "--format", "json")
    assert "skipped 2 lines" in ended.stderr
    [strategy] = json.loads(ended.stdout)["strategies"]
    assert strategy["bytes"] == whole_report["strategies"][2]["bytes"]


@pytest.mark.parametrize(
    ("change", "mentions"),
    [
        (lambda lines: [], "header"),
        (lambda lines: lines[1:], "header"),
        (lambda lines: [lines[0].replace("session/1", "session/9"), *lines[1:]], "session/9"),
        (lambda lines: lines[:1], "views"),
        (lambda lines: [without(lines[0], "feed"), *lines[1:]], "feed"),
    ],
    ids=["empty", "no header", "schema", "no views", "no feed"],
)
def test_a_log_that_cannot_be_replayed_is_refused(session, tmp_path, change, mentions):
    assert_refused(run_audit("replay", changed_log(session, tmp_path, change)), 65, mentions)


def test_a_missing_log_is_named(tmp_path):
    assert_refused(run_audit("replay", tmp_path / "none.log"), 65, f"{tmp_path}/none.log")


def test_a_log_whose_data_set_is_missing_is_refused(session, tmp_path):
    shutil.copy(session, tmp_path / "session.log")
    assert_refused(run_audit("replay", tmp_path / "session.log"), 65, f"{tmp_path}/feed.json")


# Other emulators and data sets


def test_a_running_emulator_serves_a_replay(session, serve, feed_json, whole_report):
    emulator = serve("--seed", feed_json)
    answer = report(session, "--emulator", emulator.console)

    # Not the bytes: the documents hold another run's times, whose text may be longer.
    def figures(strategy):
        billed = {**strategy["billed"], "egressBytes": None}
        return strategy["name"], strategy["requests"], strategy["cache"]["hits"], billed

    assert [figures(s) for s in answer["strategies"]] == [figures(s) for s in whole_report["strategies"]]
    assert emulator.usage()["requests"] == sum(strategy["requests"] for strategy in answer["strategies"])


def test_a_running_emulator_serves_smaller_copies(session, serve, feed_json):
    emulator = serve("--seed", feed_json, "--seed-variant", "40x40")
    answer = report(session, "--strategy", "thumbnails:40x40", "--emulator", emulator.console)
    own = report(session, "--strategy", "thumbnails:40x40")["strategies"][0]["bytes"]["body"]
    # Not to the byte: the documents hold another run's times, whose text may be three bytes shorter.
    assert answer["strategies"][0]["bytes"]["body"] == pytest.approx(own, rel=1e-3)
    ended = run_audit("replay", session, "--strategy", "thumbnails:50x50", "--emulator", emulator.console)
    assert_refused(ended, 65, "images could not be loaded")


def test_thumbnails_that_have_no_copies_end_only_who_asks_for_them(session, tmp_path):
    """A GIF cannot be decoded: nothing is recommended that would need its copy, and nothing else fails."""
    folder = tmp_path / "images" / "u1" / "p1"
    folder.mkdir(parents=True)
    gif = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==")
    (folder / "0.gif").write_bytes(gif)
    log = tmp_path / "session.log"
    assert record(tmp_path / "images", log).returncode == 0
    report(log, "--seed", tmp_path / "images", "--screen-width", "1", "--columns", "1")
    ended = run_audit("replay", log, "--seed", tmp_path / "images", "--strategy", "thumbnails:40x40")
    assert_refused(ended, 65, "--seed-variant 40x40")


def test_an_emulator_of_another_data_set_is_refused(session, serve, tmp_path):
    other = feeds.feed()
    for post in other["posts"]:
        post["id"] = f"other-{post['id']}"
    emulator = serve("--seed", feeds.write_feed(tmp_path, other))
    ended = run_audit("replay", session, "--emulator", emulator.console)
    assert_refused(ended, 65, "data set")


def test_an_empty_emulator_is_refused(session, emulator):
    assert_refused(run_audit("replay", session, "--emulator", emulator.console), 65, "data set")


def test_an_emulator_that_meters_nothing_is_refused(session, serve, feed_json):
    emulator = serve("--no-meter", "--seed", feed_json)
    assert_refused(run_audit("replay", session, "--emulator", emulator.console), 69, emulator.console)


@pytest.mark.parametrize(("address", "exit_code"), [("127.0.0.1:1", 69), ("nowhere", 64), ("127.0.0.1:x", 64)])
def test_an_absent_emulator_is_named(session, address, exit_code):
    assert_refused(run_audit("replay", session, "--emulator", address), exit_code, address)


def test_images_of_a_directory_are_recorded_and_replayed(image_directory, tmp_path):
    log = tmp_path / "session.log"
    assert record(image_directory, log).returncode == 0
    answer = report(log)
    assert [strategy["name"] for strategy in answer["strategies"]] == STRATEGIES
    sizes = [path.stat().st_size for path in image_directory.glob("*/*/*")]
    assert answer["strategies"][0]["bytes"]["body"] > sum(sizes)


def test_another_data_set_may_be_given_instead(session, whole_report, tmp_path):
    shutil.copy(session, tmp_path / "session.log")  # without the feed.json it names
    log = tmp_path / "session.log"
    given = report(log, "--strategy", "all-images", "--seed", session.parent / "feed.json")
    assert given["strategies"][0] == whole_report["strategies"][0]

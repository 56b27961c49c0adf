# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The console's live view: what it shows of requests is what was metered, and what it copies and saves works elsewhere."""

import json
import subprocess

import pytest
import requests

from console_page import HOSTILE, script
from harness import run_audit, wait_until
from tokens import bearing, unsigned_token

ROWS = ".rows .row.request"
ALICE = bearing(unsigned_token(sub="alice", user_id="alice"))
QUERY = {"structuredQuery": {"from": [{"collectionId": "posts"}], "orderBy": [{"field": {"fieldPath": "likes"}}]}}

# A filter, how many requests it leaves at least, and what all of these have in a field.
FILTERS = [
    ("user:=alice", 3, "user", {"alice"}),
    ('user:"bob a"', 1, "user", {"bob a"}),
    ("status:>=400", 1, "status", {"404"}),
    ("bytes:>100kB op:get", 3, "subject", {"ann/p1/0"}),
    ("reads:>10", 1, "operation", {"runQuery"}),
    ("tag:feed", 2, "tag", {"feed"}),
    ("screen:feed -status:>=400", 2, "tag", {"feed"}),
    ("service:storage -op:upload -ann", 1, "subject", {"missing"}),
    ("__proto__", 1, "subject", {"__proto__"}),
]
# When watching begins, and the sum then; when the minutes were asked for, and the sum then; the minutes, and the point: milliseconds, and
# by the second.
PARTS_OF_MINUTES = [
    ((330_000, 36), (345_000, 40), [{"at": 300_000, "sum": 40}], [{"at": 300_000, "values": [1.2]}]),
    # The minutes before are not of this one, nor the later ones.
    ((330_000, 136), (345_000, 140), [{"at": 240_000, "sum": 100}, {"at": 300_000, "sum": 40}], [{"at": 300_000, "values": [1.2]}]),
    ((330_000, 36), (390_000, 90), [{"at": 300_000, "sum": 40}, {"at": 360_000, "sum": 50}], [{"at": 300_000, "values": [1.2]}]),
    # There is none before a whole minute, and none where the minutes were asked for earlier.
    ((300_000, 36), (345_000, 40), [{"at": 300_000, "sum": 40}], []),
    ((330_000, 36), (290_000, 30), [{"at": 240_000, "sum": 30}], []),
]
MALFORMED = [
    ("usr:alice", "did you mean 'user'?"),
    ("bytes:>1zz", "expected one such as bytes:>100kB"),
    ('"open', "is not closed"),
    ("user:", "needs a value"),
]


@pytest.fixture(scope="module")
def emulator(serve_for_file):
    """One that an app has used: uploads, downloads by two users, a query, a refusal."""
    emulator = serve_for_file("--ephemeral")
    for name in ["ann/p1/0", *HOSTILE]:
        emulator.put(name, b"x" * 200_000 if name == "ann/p1/0" else b"small")
    for _ in range(2):
        emulator.get("ann/p1/0", headers=ALICE | {"X-Firemeter-Tag": "feed"})
    emulator.get("ann/p1/0", headers=bearing(unsigned_token(sub="bob a", user_id="bob a")))
    emulator.get("missing")
    for number in range(12):
        requests.patch(emulator.documents(f"posts/p{number}"), json={"fields": {"likes": {"integerValue": str(number)}}}, timeout=20)
    requests.post(emulator.documents(":runQuery"), json=QUERY, headers=ALICE, timeout=20)
    return emulator


def count(page):
    """How many requests the list has."""
    return page.evaluate("Number(document.querySelector('.row.request')?.getAttribute('aria-setsize') ?? 0)")


def shown(page, filter=""):
    """Filters; returns how many rows are left, once all that the emulator has is there."""
    page.open("live", filter=filter)
    page.wait(f"document.querySelector('[data-filter]')?.value === {json.dumps(filter)}")
    wait_until(lambda: page.evaluate("/[1-9]/.test(document.querySelector('.count')?.textContent)"), "requests")
    # Two frames: the list is drawn in the next one.
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return count(page)


def test_requests_and_sums_are_those_of_the_meter(page, emulator):
    usage = emulator.usage()
    page.open("live")
    wait_until(lambda: count(page) >= usage["requests"], "all requests")
    tiles = dict(zip(page.texts(".tile > span"), page.texts(".tile > b"), strict=True))
    assert tiles["requests"] == f"{usage['requests']:,}"
    assert tiles["document reads"] == str(usage["billed"]["documentReads"]) and tiles["writes"] == "12"
    assert any("% of 50,000 free a day" in text for text in page.texts(".tile small"))
    newest = page.texts(f"{ROWS}:first-child .cell")
    assert [newest[1], newest[2], newest[3], newest[7]] == ["runQuery", "posts order by likes", "alice", "12"]
    # Another request comes to the top without a reload.
    emulator.get("ann/p1/0")
    page.wait(f"document.querySelector('{ROWS} .operation').textContent === 'get object'")


def test_a_filter_leaves_what_it_says(page):
    for filter, least, field, values in FILTERS:
        assert shown(page, filter) >= least, filter
        assert set(page.texts(f"{ROWS} .{field}")) == values, filter


def test_a_range_of_another_name_is_the_usual_one(page):
    for name, chosen in [("1h", "1 h"), ("constructor", "10 min"), ("__proto__", "10 min")]:
        page.open("live", range=name)
        page.wait(f"document.querySelector('.live-chart [aria-pressed=true]')?.textContent === {json.dumps(chosen)}")


def test_the_chart_has_what_was_used_before_the_page_was_opened(page):
    page.open("live")
    page.wait("/reads [^,]*, highest/.test(document.querySelector('.live-chart .legend')?.textContent)")


def test_a_part_of_a_minute_has_what_came_before_it_is_watched(page):
    page.open("live")
    page.until("Live", "h1")
    point = script("import", "/console/rates.js") + """.then(({ rateOfPart }) => (begin, asked, steps) => rateOfPart(
        steps.map(({ at, sum }) => ({ start: new Date(at).toISOString(), sum })),
        { begin: { at: begin[0], total: { sum: begin[1] } }, asked: { at: asked[0], total: { sum: asked[1] } }, figures: [({ sum }) => sum] },
    ))"""
    for begin, asked, steps, points in PARTS_OF_MINUTES:
        arguments = ", ".join(map(json.dumps, [begin, asked, steps]))
        assert page.evaluate(f"{point}.then((point) => point({arguments}))") == points, (begin, asked)


def test_a_malformed_filter_says_what_is_wrong(page):
    for filter, said in MALFORMED:
        page.open("live", filter=filter)
        page.until(said, ".filter-error")
        assert page.evaluate("document.querySelector('[data-filter]').getAttribute('aria-invalid')") == "true"


def test_a_request_is_opened_by_its_address_and_copied_as_curl(page, emulator, tmp_path):
    """The command is run by a shell, for objects whose names a shell would take for its own."""
    rows = requests.get(f"http://{emulator.console}/console/requests", timeout=20).json()["requests"]
    for name in [*HOSTILE, "ann/p1/0"]:
        number = next(row["number"] for row in rows if row.get("object") == name and row["operation"] == "storage.objects.insert")
        page.open("live", open=number)
        page.until(f"upload object {name}", ".details h2")
    number = next(row["number"] for row in rows if row.get("tag") == "feed")
    page.open("live", open=number)
    page.until("get object ann/p1/0", ".details h2")
    command = page.window.text(".command")
    body = tmp_path / "body"
    subprocess.run(["sh", "-c", f"{command} -s -o {body}"], check=True, timeout=20)
    assert body.read_bytes() == b"x" * 200_000
    page.press("Close the request")
    page.wait("!location.hash.includes('open')")


def test_curl_quotes_what_a_shell_would_run(page):
    page.open("live")
    page.until("Live", "h1")
    hostile = "/v0/b/b/o/$(touch harmed)`x`'; exit 1; '\"\\\n\u001b[201~?a=[1]"
    command = page.evaluate(
        f"""import("/console/curl.js").then(({{ curl }}) =>
            curl({{ service: "storage", method: "GET", target: {json.dumps(hostile)}, tag: "it's" }}, () => "http://h").command)"""
    )
    printed = subprocess.run(["sh", "-c", command.replace("curl", "printf '%s\\n' curl", 1)], capture_output=True, text=True, check=True)
    assert printed.stdout.splitlines() == [
        *["curl", "--globoff", "-X", "GET", "http://h" + hostile.replace("\n", "%0A").replace("\u001b", "%1B")],
        *["-H", "Authorization: Bearer owner", "-H", "X-Firemeter-Tag: it's"],
    ]


def test_the_list_is_saved_as_an_archive_that_the_auditor_reads(page, tmp_path):
    rows = shown(page, "op:get status:200")
    page.press("Save as HAR")
    path = page.saved_file()
    archive = json.loads(path.read_text())
    assert path.suffix == ".har"
    assert archive["log"]["version"] == "1.2" and len(archive["log"]["entries"]) == rows
    imported = run_audit("import", path, "--output", tmp_path / "imported.log")
    assert imported.returncode == 0, imported.stderr
    totals = json.loads(run_audit("totals", path, "--format", "json").stdout)
    assert (totals["requests"], totals["bytes"]) == (rows, sum(entry["response"]["bodySize"] for entry in archive["log"]["entries"]))


def test_a_window_made_narrow_has_the_layout_of_a_phone(page):
    shown(page)
    page.evaluate("document.querySelector('.row.request:nth-child(3)').click()")
    page.wait("!document.querySelector('section.details').hidden")
    page.resize(390, 844)
    page.wait("document.querySelector('dialog.details').open && document.querySelector('.rows').matches('.two-lines')")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth && !document.querySelector('.rows .head')")
    page.resize(1280, 900)
    page.wait("!document.querySelector('section.details').hidden && document.querySelectorAll('.rows:not(.two-lines) .head').length === 1")
    page.press("Close the request")
    page.wait("document.querySelector('section.details').hidden")


def test_memory_stays_bounded_however_many_requests_come(page):
    page.open("live")
    page.until("Live", "h1")
    lengths = page.evaluate(
        """import("/console/request-list.js").then(({ requestList, requestCountMax }) => {
            const list = requestList(() => {});
            list.filter((request) => request.number % 2 === 0);
            for (let number = 1; number <= 60_000; number += 1_000) {
              if (number === 30_001) list.pause();
              list.add(Array.from({ length: 1_000 }, (_, index) => ({ number: number + index })));
            }
            const waiting = list.waitingCount;
            list.resume();
            return [list.keptCount === requestCountMax, list.length, waiting, list.at(0).number, list.rowOf(60_000)];
        })"""
    )
    assert lengths == [True, 5_000, 30_000, 60_000, 0]


def test_a_paused_list_stands_and_counts_what_waits(page, emulator):
    shown(page)
    former = count(page)
    page.evaluate("document.activeElement.blur()")
    page.window.press("p", 80, text="p")
    emulator.get("ann/p1/0")
    page.until("Resume (1 waiting)", "main .tools + .tools, main section .tools:has([data-filter])")
    assert count(page) == former
    page.window.press("p", 80, text="p")
    wait_until(lambda: count(page) == former + 1, "the request that waited")
    page.window.press("c", 67, text="c")
    page.until("No requests yet")

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""From the app you already have to the table: what is recorded of it is replayed without a line of it changed."""

import json
from difflib import SequenceMatcher

import pytest

from harness import run_audit
from recorded_apps import CurlApp, PythonApp, WebApp
from web_pages import WEB_SDK

APPS = [
    PythonApp(),
    CurlApp(),
    pytest.param(WebApp(), marks=pytest.mark.skipif(not WEB_SDK.exists(), reason="needs the Web SDK's browser builds")),
]


def recorded(serve, app, folder, loads_all):
    """Plays an app's session; returns its log, what was metered, and what its users saw."""
    data = folder / "data"
    emulator = serve("--data", data)
    app.put(emulator)
    assert emulator.stop() == 0
    log = folder / "session.log"
    emulator = serve("--data", data, "--record", log)
    before = emulator.usage()
    truth = app.play(emulator, loads_all)
    assert emulator.stop() == 0
    emulator = serve("--data", data)
    after = emulator.usage()
    assert emulator.stop() == 0
    return log, (before, after), truth


def replayed(log, *arguments):
    ended = run_audit("replay", log, "--format", "json", *arguments)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def inferred_views(log, output):
    """The views by user, as the script of an app has them."""
    ended = run_audit("import", log, "--output", output)
    assert ended.returncode == 0, ended.stderr
    views = {}
    for line in map(json.loads, output.read_text().splitlines()):
        if line["type"] == "view":
            seen = ("open", line["post"]) if line["view"] == "openPost" else ("list", line["posts"])
            views.setdefault(line["client"], []).append(seen)
    return views


@pytest.mark.parametrize("loads_all", [True, False], ids=["all-images", "thumbnails"])
@pytest.mark.parametrize("app", APPS, ids=lambda app: type(app).__name__)
def test_an_app_of_any_client_is_replayed_from_its_requests(serve, tmp_path, app, loads_all):
    log, (before, after), truth = recorded(serve, app, tmp_path, loads_all)
    report = replayed(log, "--strategy", ("all-images" if loads_all else "thumbnails") + app.caches)
    first, same = report["strategies"]

    # The log and the meter agree, to the byte and to the read.
    assert first["name"] == "recorded" and "times" not in first
    assert first["requests"] == after["requests"] - before["requests"]
    assert first["bytes"]["wire"] == sum(after["bytes"][way] - before["bytes"][way] for way in ("sent", "received"))
    assert first["billed"]["documentReads"] == after["billed"]["documentReads"] - before["billed"]["documentReads"]
    assert first["billed"]["egressBytes"] == after["billed"]["egressBytes"] - before["billed"]["egressBytes"]
    assert report["inferred"]["explained"]["bytePercent"] > 95

    # Each recorded byte has one cause, or belongs to no view; each cause has the bytes that a simulation of the app has.
    assert sum(first["waste"].values()) + first["otherBytes"] == first["bytes"]["body"]
    assert first["waste"] == pytest.approx(same["waste"], abs=0.01 * first["bytes"]["body"])
    assert {screen["screen"] for screen in first["screens"]} == {screen["screen"] for screen in same["screens"] if screen["bytes"]}
    assert (first["waste"]["overFetched"] > 0) == loads_all
    assert ("again" in {finding["cause"] for finding in first["findings"]}) == (not app.caches)

    # A simulation of what the app does comes to the same.
    assert same["requests"] == pytest.approx(first["requests"], rel=0.02)
    assert same["bytes"]["body"] == pytest.approx(first["bytes"]["body"], rel=0.02)
    assert same["billed"]["documentReads"] == first["billed"]["documentReads"]
    assert any(sentence.startswith(f"images follow from documents as {app.layout}") for sentence in report["inferred"]["assumptions"])

    # The views are those of the script, and an imported session has all figures of its log.
    seen = inferred_views(log, tmp_path / "views.log")
    assert replayed(tmp_path / "views.log", "--strategy", same["name"])["strategies"] == report["strategies"]
    assert len(seen) == len(truth)
    for user, views in truth.items():
        found = seen[user] if user else next(iter(seen.values()))
        key = [f"{kind} {what}" for kind, what in views]
        assert SequenceMatcher(None, key, [f"{kind} {what}" for kind, what in found], autojunk=False).ratio() >= 0.95

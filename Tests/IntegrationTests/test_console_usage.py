# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The console's views of causes and of other strategies: their figures are those of the meter and of the auditor."""

import json

import pytest
import requests

import feeds
from console_page import HOSTILE
from harness import wait_until

UNSHOWN = "section:has(> .again + .small)"


@pytest.fixture(scope="module")
def emulator(serve_for_file, feed_json):
    return serve_for_file("--ephemeral", "--seed", feed_json, "--profile", "blaze-firebasestorage-app+firestore-nam5")


def table(page):
    """The rows of the causes: the name, the share, and figures as they are shown."""
    return {cells[0]: cells[1:] for cells in page.evaluate(
        "[...document.querySelectorAll('.causes tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"
    )}


def test_the_session_is_recorded_once_the_page_is_open(page, emulator):
    page.open("what-if")
    page.until("Use your app now.")
    feeds.show_feed(emulator)
    page.refresh()
    page.until("Recorded since")


def test_the_screen_that_wastes_most_is_named_first(page, emulator):
    page.open("what-if")
    sentence = page.until("wastes most", ".verdict")
    query = [("strategy", name) for name in page.texts(".strategies tbody th")[1:]]
    report = requests.get(f"http://{emulator.console}/console/what-if", params=query, timeout=60).json()
    recorded = report["strategies"][0]
    worst = max(recorded["screens"], key=lambda screen: screen["bytes"])
    assert recorded["name"] == "recorded" and f"Screen {worst['screen']} wastes most" in sentence
    assert page.texts(".verdict a") == [report["best"]["strategy"]]
    # The screen has its tag in its name, and is that of the query all the same.
    [reads] = recorded["reads"]["queries"]
    assert worst["screen"] == f"feed ({reads['query']})" and f" in {report['views']} views, " in reads["sentence"]
    assert len(page.texts(".strategies tbody tr")) == len(report["strategies"])
    requests_shown = page.texts(".strategies tbody tr td:nth-child(4)")
    assert requests_shown == [f"{strategy['requests']:,}" for strategy in report["strategies"]]
    assert page.texts(".findings li")[0].startswith(recorded["findings"][0]["sentence"])
    assert page.texts("summary")[-1].startswith(f"{report['views']} views of {report['clients']} users, inferred")
    assert page.texts("summary + ul li") == report["inferred"]["assumptions"]


def test_controls_make_a_strategy_and_ask_again(page):
    page.open("what-if")
    page.until("wastes most", ".verdict")
    page.evaluate(
        """(({ 0: slider }) => { slider.value = 1; slider.dispatchEvent(new Event("input", { bubbles: true })); })
            (document.querySelectorAll("input[type=range]")), 0"""
    )
    page.until("thumbnails+memory:1MB+disk:200MB:7d", ".strategies .own")
    assert "strategy=thumbnails%2Bmemory%3A1MB" in page.evaluate("location.hash")
    page.enter("Strategy as text", "thumbnails+memroy")
    page.window.press("Enter", 13)
    page.expected = ["thumbnails%2Bmemroy"]
    assert "did you mean 'memory'?" in page.until("memroy", "pre.notice")
    page.enter("Strategy as text", "all-images+memory")
    page.window.press("Enter", 13)
    page.until("all-images+memory", ".strategies .own")


def test_causes_are_the_meters_groups(page, emulator):
    page.open("causes", by="user", order="reads")
    page.until("bob", ".causes")
    groups = emulator.usage(by="user", order="billed.documentReads")
    rows = table(page)
    assert [name for name in rows if not name.startswith("(")] == [key for key in groups if key]
    assert {name: rows[name][3] for name in ["ann", "bob"]} == {name: str(groups[name]["billed"]["documentReads"]) for name in ["ann", "bob"]}
    waste = requests.get(f"http://{emulator.console}/console/waste", timeout=20).json()
    again = page.until("ann downloaded", ".again")
    assert f"{waste['objects'][0]['object']} 2 times" in again
    # A row leads to its requests.
    page.evaluate("document.querySelector('.causes tbody a').click()")
    page.until("Live", "h1")
    assert page.wait("document.querySelector('[data-filter]').value") == f"user:={next(iter(rows))}"


def test_a_screen_is_measured_from_now(page, emulator):
    page.open("causes", by="tag")
    page.until("feed", ".causes")
    page.press("Measure from now")
    page.until("Measured since")
    page.until("Nothing was used since then.", ".causes")
    # Figures of everything would be taken for the screen's.
    assert page.evaluate(f"document.querySelector('{UNSHOWN}').hidden")
    page.until("No user has downloaded an object again since then.")
    emulator.get(feeds.IMAGE_NAMES[0], bucket=feeds.BUCKET, headers={"X-Firemeter-Tag": "profile"})
    page.refresh()
    page.until("profile", ".causes")
    assert set(table(page)) == {"profile"} and table(page)["profile"][6] == "1"
    page.until(": 1 request, ", "main [role=status]")
    mark = page.evaluate("new URLSearchParams(location.hash.split('?')[1]).get('since')")
    wait_until(lambda: emulator.usage(by="tag", since=mark).keys() == {"profile"}, "the same at the meter")
    page.press("Show all")
    page.until("feed", ".causes")


def test_causes_are_ordered_by_cost(page, emulator):
    page.open("causes", by="user", order="cost")
    page.until("bob", ".causes tbody")
    groups = emulator.usage(by="user", order="usd")
    assert page.texts(".causes th[aria-sort]") == ["cost"]
    assert list(table(page)) == [key or "(without a user)" for key in groups]
    total = sum(group["usd"] for group in groups.values())
    for name in ["ann", "bob"]:
        share, cost = table(page)[name][::7]
        assert float(cost.removeprefix("$")) == pytest.approx(groups[name]["usd"], rel=0.1)
        assert abs(float(share.removesuffix(" %")) - 100 * groups[name]["usd"] / total) < 1
    page.change_answers("by=user", "for (const group of answer.groups) group.usd = 0;")
    page.refresh()
    page.until("Nothing here has a price", ".causes")


def test_screens_that_load_more_than_they_show_are_named(page, emulator):
    page.open("causes")
    line = page.until("images of posts that were never opened", UNSHOWN)
    report = requests.get(f"http://{emulator.console}/console/what-if?strategy=thumbnails", timeout=60).json()
    recorded = report["strategies"][0]
    [finding] = [finding for finding in recorded["findings"] if finding["cause"] == "overFetched"]
    assert f"loaded {finding['responses']} images" in line and recorded["screens"][0]["screen"] in line
    computed = page.texts(f"{UNSHOWN} .small")[0]
    assert computed.startswith("Computed at ") and f" {requests_on_record(emulator)} requests" in computed
    page.evaluate(f"document.querySelector('{UNSHOWN} a').click()")
    page.until(finding["remedy"]["strategy"], ".strategies .own")


def test_what_an_audit_found_stays_while_other_views_are_open(page):
    """It takes time; a session that did not grow is not audited again."""

    def asked(path):
        return sum(path in address for address in page.browser.requests)

    page.open("causes")
    found = page.until("images of posts that were never opened", UNSHOWN)
    page.open("inbox")
    page.until("Inbox", "h1")
    looks = asked("/console/recording")
    page.open("causes")
    # It is there with the view's heading, before anything can have been asked.
    heading = "document.querySelector('h1').textContent === 'Who causes it'"
    assert page.wait(f"{heading} && document.querySelector('{UNSHOWN}').textContent") == found
    page.browser.wait_for(lambda: asked("/console/recording") > looks, "another look at the recorded session")
    page.refresh()
    page.until("bob", "main")
    assert page.evaluate(f"document.querySelector('{UNSHOWN}').textContent") == found and asked("/console/what-if") == 1


def test_names_of_screens_are_shown_as_text(page):
    page.open("inbox")
    page.until("Inbox", "h1")
    page.change_answers("what-if", f"""
        const [recorded] = answer.strategies;
        recorded.screens = [{{ screen: {json.dumps(HOSTILE[0])}, bytes: 3e6 }}, {{ screen: "__proto__", bytes: 3e6 }}];
        const pages = [[{json.dumps(HOSTILE[0] + ", page 2")}, 2e6], ["__proto__", 1e6]]
          .map(([name, bytes]) => ({{ name, bytes, responses: 9 }}));
        recorded.findings = ["oversized", "constructor"].map((cause) => ({{ cause, bytes: 4e6, screens: pages, sentence: "" }}));
    """)
    page.open("causes")
    page.until("more pixels", UNSHOWN)
    lines = [f"{name} loaded 9 images with more pixels than the place where they are shown: at least {amount} of 3.0 MB. "
             for name, amount in [(HOSTILE[0], "2.0 MB"), ("__proto__", "1.0 MB")]]
    assert page.texts(f"{UNSHOWN} li") == lines
    # Without a session, it says where one is started.
    page.open("inbox")
    page.until("Inbox", "h1")
    page.change_answers("/console/recording", "answer.recording = null;")
    page.open("causes")
    page.until("Nothing is recorded: start it at What if.", UNSHOWN)


def requests_on_record(emulator):
    return requests.get(f"http://{emulator.console}/console/recording", timeout=20).json()["recording"]["requests"]



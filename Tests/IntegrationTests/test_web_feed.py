# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The page of docs/web-feed.html in Chromium: before and after its refactoring, recorded, metered and replayed."""

import json
from urllib.parse import urlencode

import pytest

from feeds import FEED
from harness import run_audit
from web_pages import WEB_SDK, run_page

pytestmark = pytest.mark.skipif(not WEB_SDK.exists(), reason="needs the Web SDK's browser builds")

# A user looks at both tabs, comes back to the first, and opens its second post.
SESSION = """
const frame = document.createElement("iframe");
frame.src = `/docs/web-feed.html${location.search}`;
frame.style = "width: 800px; height: 3000px";
document.body.append(frame);
const all = (selector) => [...(frame.contentDocument?.querySelectorAll(selector) ?? [])];
const until = async (isSo) => { while (!isSo()) await new Promise((resume) => setTimeout(resume, 20)); };
const isShown = (count) => all("article").length === count && all("img").every((image) => image.naturalWidth > 0);
const titles = () => all("h2").map((title) => title.firstChild.textContent.trim());
const seen = [];
for (const order of [undefined, "likes", "createdAt"]) {
  if (order) all(`[data-order=${order}]`)[0].click();
  if (order) await until(() => all("article").length === 0);
  await until(() => isShown(%(posts)d));
  seen.push([titles(), all("img").length]);
}
all("article")[1].click();
await until(() => isShown(%(posts)d));
seen.push(all("article")[1].querySelectorAll("img").length);
fetch("/done", { method: "POST", body: JSON.stringify(seen) });
"""

POSTS = sorted(FEED["posts"], key=lambda post: post["createdAt"], reverse=True)
LATEST = [post["title"] for post in POSTS]
POPULAR = [post["title"] for post in sorted(POSTS, key=lambda post: -post["likes"])]
IMAGE_COUNT = sum(post["images"] for post in POSTS)


def looked_at(serve, feed_json, log, query):
    """Plays the session; returns what the page showed, and the usage."""
    emulator = serve("--ephemeral", "--seed", feed_json, "--record", log)
    mark = emulator.mark()
    ports = {"firestore": emulator.firestore.rsplit(":", 1)[1], "storage": emulator.storage.rsplit(":", 1)[1]}
    seen = run_page(SESSION % {"posts": len(POSTS)}, f"?{urlencode({**ports, **query})}")
    usage, objects = emulator.usage(since=mark), emulator.usage(by="object", since=mark)
    assert emulator.stop() == 0
    return seen, usage, {name: group["billed"]["classB"] for name, group in objects.items() if group["billed"]["classB"]}


def recorded_row(log):
    ended = run_audit("replay", log, "--mode", "simulate", "--format", "json")
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)["strategies"][0]


@pytest.mark.timeout(180)
def test_the_page_is_recorded_and_its_refactoring_measured(serve, feed_json, tmp_path):
    rows = []
    for name, query in [("before", {}), ("after", {"refactored": ""})]:
        seen, usage, objects = looked_at(serve, feed_json, tmp_path / name, query)
        opened = POSTS[1]["images"]
        count = IMAGE_COUNT if name == "before" else len(POSTS)
        assert seen == [[LATEST, count], [POPULAR, count], [LATEST, count], opened]
        # The third list is one that the SDK has: it asks for changes, and there are none.
        assert usage["billed"]["documentReads"] == 2 * len(POSTS)
        if name == "after":
            assert set(objects.values()) == {1} and len(objects) == len(POSTS) + opened - 1
        else:
            assert set(objects.values()) == {3} and len(objects) == IMAGE_COUNT
        row = recorded_row(tmp_path / name)
        assert row["name"] == "recorded"
        assert row["billed"] == {key: usage["billed"][key] for key in row["billed"]}
        rows.append(usage)
    assert rows[1]["billed"]["egressBytes"] < rows[0]["billed"]["egressBytes"]

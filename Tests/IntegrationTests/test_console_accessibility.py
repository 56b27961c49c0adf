# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The console's views by the rules of axe-core, and whether each fits its window, in both themes and at a phone's width."""

import json
import pathlib

import axe_core_python
import pytest
import requests

import feeds
from functions_stand_in import FunctionsStandIn
from security_rules import OWNER
from tokens import bearing, unsigned_token

PROJECT = feeds.FEED["project"]
API_KEY = "fake-api-key"
AXE = (pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text()
FAULTS = """axe.run(document, { resultTypes: ["violations"], %s }).then(({ violations }) =>
  violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html.slice(0, 120)).join(" ")}`))"""
# Sizes of windows, with the themes that each is looked at in. A theme is another one by its colors alone.
SIZES = {"narrow": (390, 844, ["light"]), "wide": (1440, 900, ["light", "dark"])}
RULES_OF_AXE = {"light": "", "dark": 'runOnly: ["color-contrast"]'}

IS_NAMED = """(({ left, right }) => left >= 0 && right <= innerWidth)
  (document.querySelector("#views [aria-current]").getBoundingClientRect())"""

RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /posts/{id} {
      allow read;
      allow write: if request.auth.uid == resource.data.owner;
    }
  }
}
"""
INDEXES = {
    "indexes": [
        {"collectionGroup": "posts", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "owner", "order": "ASCENDING"}, {"fieldPath": "likes", "order": "DESCENDING"},
        ]},
    ],
    "fieldOverrides": [],
}
# A query that production would refuse: no index is defined for it.
UNINDEXED = {"structuredQuery": {"from": [{"collectionId": "posts"}], "orderBy": [{"field": {"fieldPath": "title"}}], "where": {
    "fieldFilter": {"field": {"fieldPath": "likes"}, "op": "EQUAL", "value": {"integerValue": "5"}},
}}}

# A view with its parameters, a text that it has once it is drawn or the selector of an element that it alone shows, and the buttons
# that open what is looked at.
STATES = [
    ("live", {}, "get object", []),
    ("live", {"open": "NEWEST"}, "Copy as curl", []),
    ("live", {"filter": "usr:ann"}, "did you mean", []),
    ("causes", {}, "images of posts that were never opened", []),
    ("what-if", {}, "wastes most", []),
    ("documents", {"path": "posts"}, "Three", []),
    ("documents", {"path": "posts/p1"}, "createdAt", []),
    ("documents", {"path": "posts"}, "Three", ["New"]),
    ("files", {"bucket": feeds.BUCKET, "prefix": "ann/p1/", "object": "ann/p1/0"}, "image/jpeg", []),
    ("files", {"bucket": feeds.BUCKET, "prefix": "ann/p1/", "thumbnails": "1"}, "main canvas", []),
    ("users", {}, "cat@example.com", []),
    ("users", {"user": "cat"}, "cat@example.com", []),
    ("inbox", {}, "cat@example.com", []),
    ("rules", {}, "allow write", []),
    ("rules", {"tab": "try"}, "main form.trial", []),
    ("rules", {"edit": "yes"}, "main .editor", []),
    ("indexes", {}, "likes", []),
    ("functions", {}, "Functions", []),
    ("control", {}, "Snapshots", []),
]


@pytest.fixture(scope="module")
def emulator(serve_for_file, tmp_path_factory, feed_json):
    """One that an app has used, so that no view is empty."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "firestore.rules").write_text(RULES)
    (folder / "firestore.indexes.json").write_text(json.dumps(INDEXES))
    with FunctionsStandIn() as functions:
        emulator = serve_for_file(
            *["--ephemeral", "--seed", feed_json, "--project", PROJECT, "--functions", functions.address],
            *["--rules", folder / "firestore.rules", "--indexes", folder / "firestore.indexes.json", "--export-below", folder],
        )
        toolkit = f"http://{emulator.auth}/identitytoolkit.googleapis.com/v1"
        cat = {"localId": "cat", "email": "cat@example.com", "password": "password", "displayName": "Cat"}
        for path, headers, body in [
            (f"projects/{PROJECT}/accounts", OWNER, cat),
            (f"accounts:sendOobCode?key={API_KEY}", OWNER, {"requestType": "PASSWORD_RESET", "email": cat["email"]}),
        ]:
            answer = requests.post(f"{toolkit}/{path}", json=body, headers=headers, timeout=20)
            assert answer.status_code == 200, answer.text
        yield emulator


def use(emulator):
    """The app shows its feed; one of its requests is refused, another one has no index."""
    feeds.show_feed(emulator)
    documents = f"http://{emulator.firestore}/v1/{feeds.DOCUMENTS}"
    eve = bearing(unsigned_token(sub="eve", user_id="eve", aud=PROJECT, iat=0, exp=4102444800), "Bearer")
    requests.patch(f"{documents}/posts/p1", json={"fields": {}}, headers=eve, timeout=20)
    requests.post(f"{documents}:runQuery", json=UNINDEXED, headers=OWNER, timeout=20)


def test_axe_finds_nothing_and_all_fits(page, emulator):
    page.open("live")
    page.until("Live", "h1")
    use(emulator)
    newest = requests.get(f"http://{emulator.console}/console/requests", timeout=20).json()["requests"][-1]["number"]
    page.evaluate(f"{AXE}; 0")
    faults = []
    for size, (width, height, themes) in SIZES.items():
        page.resize(width, height)
        for view, parameters, drawn, buttons in STATES:
            page.open(view, **{name: newest if value == "NEWEST" else value for name, value in parameters.items()})
            if drawn.startswith("main "):
                page.wait(f"document.querySelector({json.dumps(drawn)})?.checkVisibility()")
            else:
                page.until(drawn)
            for button in buttons:
                page.press(button)
            for theme in themes:
                page.window.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
                state = f"{view} {parameters} {size} {theme}"
                faults += [f"{state}: {fault}" for fault in page.evaluate(FAULTS % RULES_OF_AXE[theme])]
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                faults.append(f"{view} {parameters} {size}: it is wider than the window")
            if not page.evaluate(IS_NAMED):
                faults.append(f"{view} {parameters} {size}: its name in the navigation is out of sight")
            if buttons:
                page.window.press("Escape", 27)
    assert faults == []

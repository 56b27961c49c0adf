# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The console's views of rules, of missing indexes, and of control."""

import json

import pytest
import requests

from console_page import HOSTILE
from security_rules import OWNER, PROJECT
from tokens import bearing, unsigned_token

RULES = f"""rules_version = '2';
service cloud.firestore {{
  match /databases/{{database}}/documents {{
    // {HOSTILE[0]}
    /* {HOSTILE[1]}
       over two lines */
    match /posts/{{id}} {{
      allow get: if resource.data.public == true;
      allow write: if request.auth.uid == resource.data.owner || get(/databases/$(database)/documents/users/$(request.auth.uid)).data.admin;
    }}
  }}
}}
"""
ALICE = bearing(unsigned_token(sub="alice", user_id="alice", aud=PROJECT, iat=0, exp=4102444800), "Bearer")


@pytest.fixture(scope="module")
def emulator(serve_for_file, tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    (folder / "firestore.rules").write_text(RULES)
    emulator = serve_for_file("--ephemeral", "--rules", folder / "firestore.rules", "--export-below", folder, "--project", PROJECT)
    emulator.folder = folder
    return emulator


def write(emulator, path, fields, headers=OWNER):
    return requests.patch(emulator.documents(path), json={"fields": fields}, headers=headers, timeout=20).status_code


def read(emulator, path, headers=None):
    return requests.get(emulator.documents(path), headers=headers, timeout=20).status_code


def number(emulator, path):
    document = requests.get(emulator.documents(path), headers=OWNER, timeout=20).json()
    return document["fields"]["n"]["integerValue"]


# Rules


def test_shows_rules_with_their_figures(page, emulator):
    write(emulator, "posts/p1", {"public": {"booleanValue": True}})
    assert [read(emulator, path) for path in ["posts/p1", "posts/p2"]] == [200, 403]
    page.open("rules")
    page.until("allow get", ".source")
    lines = page.texts(".source .code")
    assert [line.split("✓")[0].split("held ")[0].removesuffix("not evaluated") for line in lines] == RULES.split("\n")
    report = requests.get(f"http://{emulator.console}/usage/rules", timeout=20).json()["rules"]
    for rule in report:
        cells = page.texts(f".source tr[data-line='{rule['line']}'] .figure")
        assert cells[:2] == [str(rule["evaluations"]), str(rule["held"])]
    page.window.click("button[aria-label='Line 8: its values']")
    page.until("resource.data.public == true", ".source .more")
    assert "line=8" in page.evaluate("location.hash")


def test_traces_a_request(page, emulator):
    name = requests.utils.quote(HOSTILE[0], safe="")
    write(emulator, f"posts/{name}", {"public": {"booleanValue": False}})
    page.open("rules")
    # Requests are kept while they are looked at.
    page.until("No request to Firestore was judged")
    assert read(emulator, f"posts/{name}", ALICE) == 403
    page.refresh()
    page.until(HOSTILE[0], ".judged")
    page.window.click(".judged button")
    page.until("alice", ".trace")
    page.until("does not hold", ".source tr[data-line='8']")
    assert page.texts(".trace h2") == [f"refused get /posts/{HOSTILE[0]}"]
    page.window.click(".trace details summary")
    assert '"uid": "alice"' in page.texts(".trace pre")[0]


def test_tries_a_request(page):
    page.open("rules", tab="try")
    page.enter("Path", "posts/p1")
    page.press("Try")
    page.until("allowed", ".trial")
    page.until("holds", ".source tr[data-line='8']")
    page.enter("Method", "create")
    page.enter("User id", "alice")
    page.enter("Data", '{"owner": "alice"}')
    page.press("Try")
    page.until("refused", ".trial")
    assert {"method=create", "as=alice"} <= set(page.evaluate("location.hash").split("?")[1].split("&"))
    page.enter("Data", "no JSON")
    page.press("Try")
    page.until("Data must be a JSON object", ".trial")


def test_edited_rules_are_in_force_at_once(page, emulator):
    page.expected = ["status of 400"]
    page.open("rules", edit="yes")
    page.until("Edits are temporary")
    page.enter("The rules, edited", "service cloud.firestore { nope }")
    page.press("Put in force")
    page.until("Error compiling rules", ".rules-editor")
    open_rules = "service cloud.firestore { match /databases/{d}/documents { match /{all=**} { allow read; } } }"
    page.enter("The rules, edited", open_rules)
    page.press("Put in force")
    page.until("These rules are in force.", ".rules-editor")
    assert read(emulator, "anything/at-all") == 404
    assert (emulator.folder / "firestore.rules").read_text() == RULES


# Indexes


def test_shows_missing_indexes_as_a_file(page, emulator):
    order = [{"field": {"fieldPath": "`<b>`"}}, {"field": {"fieldPath": "created"}, "direction": "DESCENDING"}]
    query = {"structuredQuery": {"from": [{"collectionId": HOSTILE[0]}], "orderBy": order}}
    assert requests.post(emulator.documents(":runQuery"), json=query, headers=OWNER, timeout=20).status_code == 200
    page.open("indexes")
    page.until(HOSTILE[0], "tbody")
    missing = requests.get(f"http://{emulator.console}/usage", timeout=20).json()["missingIndexes"]
    page.press("Save it")
    assert json.loads(page.saved_file().read_text()) == {"indexes": [index["entry"] for index in missing], "fieldOverrides": []}
    page.open("indexes", q="nothing")
    page.until("0 indexes of")


# Control


def test_shows_the_quota_and_advances_a_day(page, emulator):
    page.open("control")
    page.until("document reads", ".quota")
    day = requests.get(f"http://{emulator.console}/quota", timeout=20).json()["day"]
    page.until(day)
    page.press("Advance")
    later = page.wait(f"!document.querySelector('main').textContent.includes({json.dumps(day)})")
    assert later and requests.get(f"http://{emulator.console}/quota", timeout=20).json()["day"] > day


def test_says_how_apps_are_set_up(page, emulator):
    for kit, line in [("swift", "Auth.auth().useEmulator"), ("admin", f"export FIRESTORE_EMULATOR_HOST={emulator.firestore}")]:
        page.open("control", sdk=kit)
        page.until(line, "pre")


def test_saves_and_restores_a_snapshot(page, emulator):
    write(emulator, "kept/d", {"n": {"integerValue": "1"}})
    page.open("control")
    page.enter("Name of the snapshot", "before-after")
    page.press("Save")
    page.until("before-after", "tbody .name")
    write(emulator, "kept/d", {"n": {"integerValue": "2"}})
    page.press("Restore before-after")
    page.press("Restore", "dialog")
    page.until("Restored:")
    assert number(emulator, "kept/d") == "1"
    page.press("Delete before-after")
    page.press("Delete", "dialog")
    page.until("There are none yet")


def test_exports_and_imports(page, emulator):
    write(emulator, "kept/d", {"n": {"integerValue": "3"}})
    page.open("control")
    page.enter("Directory of the export", str(emulator.folder / "export"))
    page.press("Export")
    page.until("Exported:")
    assert (emulator.folder / "export/firebase-export-metadata.json").exists()
    write(emulator, "kept/d", {"n": {"integerValue": "4"}})
    page.press("Import")
    page.until("Imported:")
    assert number(emulator, "kept/d") == "3"
    # The server's own refusal is shown: it writes nothing elsewhere.
    page.expected.append("/console/export")
    page.enter("Directory of the export", "/elsewhere")
    page.press("Export")
    page.until("/elsewhere", ".card .notice.bad")

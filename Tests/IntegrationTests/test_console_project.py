# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The console's views of rules, of indexes, of functions, and of control."""

import json

import pytest
import requests

from console_page import HOSTILE
from functions_stand_in import FunctionsStandIn
from harness import wait_until
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
INDEXES = {
    "indexes": [
        {"collectionGroup": HOSTILE[0], "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "owner", "order": "ASCENDING"}, {"fieldPath": "likes", "order": "DESCENDING"},
        ]},
        {"collectionGroup": "posts", "queryScope": "COLLECTION_GROUP", "fields": [
            {"fieldPath": "tags", "arrayConfig": "CONTAINS"}, {"fieldPath": "likes", "order": "DESCENDING"},
        ]},
    ],
    "fieldOverrides": [{"collectionGroup": "logs", "fieldPath": "text", "indexes": []}],
}
ALICE = bearing(unsigned_token(sub="alice", user_id="alice", aud=PROJECT, iat=0, exp=4102444800), "Bearer")


@pytest.fixture(scope="module")
def functions():
    with FunctionsStandIn() as stand_in:
        yield stand_in


@pytest.fixture(scope="module")
def emulator(serve_for_file, tmp_path_factory, functions):
    folder = tmp_path_factory.mktemp("project")
    (folder / "firestore.rules").write_text(RULES)
    (folder / "firestore.indexes.json").write_text(json.dumps(INDEXES))
    files = ["--rules", folder / "firestore.rules", "--indexes", folder / "firestore.indexes.json"]
    options = ["--export-below", folder, "--functions", functions.address]
    emulator = serve_for_file("--ephemeral", *files, *options, "--project", PROJECT)
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


def test_shows_the_indexes_that_are_defined(page, emulator):
    page.open("indexes")
    page.until("3 indexes of 3")
    page.until("No query needed an index that is not defined.")
    rows = [[cell.strip() for cell in row] for row in page.evaluate(
        "[...document.querySelectorAll('tbody tr')].map((row) => [...row.cells].slice(0, 3).map((cell) => cell.textContent))"
    )]
    assert rows == [
        [HOSTILE[0], "owner ascendinglikes descending", "any"],
        ["posts collection group", "tags containslikes descending", "any"],
        ["logs", "text not indexed", "any"],
    ]
    page.open("indexes", q="tag")
    page.until("1 index of 3")
    # The list that an index is in, and that it is defined, are not what is looked for.
    page.open("indexes", q="defined")
    page.until("0 indexes of 3")


def test_shows_missing_indexes_as_a_file(page, emulator):
    order = [{"field": {"fieldPath": "`<b>`"}}, {"field": {"fieldPath": "created"}, "direction": "DESCENDING"}]
    query = {"structuredQuery": {"from": [{"collectionId": HOSTILE[0]}], "orderBy": order}}
    assert requests.post(emulator.documents(":runQuery"), json=query, headers=OWNER, timeout=20).status_code == 200
    page.open("indexes")
    # Those that are missing are above those that are defined.
    page.wait("document.querySelector('tbody')?.textContent.includes('`<b>`')")
    missing = requests.get(f"http://{emulator.console}/usage", timeout=20).json()["missingIndexes"]
    page.press("Save them")
    assert json.loads(page.saved_file().read_text()) == {"indexes": [index["entry"] for index in missing], "fieldOverrides": []}
    page.open("indexes", q="nothing")
    page.until("0 indexes of 1")


# Functions


def test_functions_are_in_the_navigation_once_there_are_any(page, emulator, functions):
    link = "document.querySelector('#views [data-view=functions]')"
    page.open("indexes")
    page.wait(f"{link}?.hidden")
    page.open("functions")
    page.until("--functions HOST:PORT")
    trigger = {
        **{"eventType": "google.cloud.firestore.document.v1.written", "database": "(default)", "namespace": "(default)"},
        "document": {"value": "counted/{id}", "matchType": "PATH_PATTERN"},
    }
    url = f"http://{emulator.firestore}/emulator/v1/projects/{PROJECT}/eventarcTrigger"
    for name in [HOSTILE[0], "__proto__"]:
        answer = requests.post(url, params={"eventarcTriggerId": f"{name}-0"}, json=trigger, timeout=20)
        assert answer.status_code == 200, answer.text
    page.refresh()
    page.until("2 triggers on documents are registered")
    functions.answer(500)
    write(emulator, "counted/d", {"n": {"integerValue": "1"}})

    def report():
        return requests.get(f"http://{emulator.console}/usage/functions", timeout=20).json()["functions"]

    wait_until(lambda: sum(each["succeeded"] + each["failed"] for each in report()) == 2, "an answer to both events")
    page.refresh()
    page.until("2 of 2 functions with events")
    rows = page.evaluate("[...document.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))")
    assert sorted(each["name"] for each in report()) == sorted([HOSTILE[0], "__proto__"])
    assert sum(each["failed"] for each in report()) == 1
    figures = ["succeeded", "failed", "repeated", "dropped"]
    assert rows == [[each["name"], "documents", *[str(each[figure]) for figure in figures]] for each in report()]
    page.open("functions", q="img")
    page.until("1 of 2 functions")
    page.open("indexes")
    page.wait(f"{link}.hidden === false")


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


# Faults and the network


@pytest.fixture
def console(emulator):
    """The console's calls as a program makes them; the network and the services are well again at the end."""
    yield (console := Console(f"http://{emulator.console}/console"))
    console.put("faults", faults=[])
    console.put("network")


class Console:
    def __init__(self, address):
        self.address = address
        self.headers = {"X-Firemeter-Token": self.get("state")["token"]}

    def get(self, path):
        return requests.get(f"{self.address}/{path}", timeout=20).json()

    def put(self, path, **body):
        answer = requests.put(f"{self.address}/{path}", json=body, headers=self.headers, timeout=20)
        assert answer.status_code == 200, answer.text
        return answer.json()


FAULTS = ".faults li"
FIGURES = ["latencyMilliseconds", "downKilobitsPerSecond", "upKilobitsPerSecond"]


def test_plans_faults_and_counts_what_fails(page, emulator, console):
    page.open("control")
    page.until("None are planned.")
    page.enter("Service", "firestore")
    page.enter("Status", "429")
    page.enter("Times", "2")
    page.press("Plan")
    page.until("the next 2", FAULTS)
    page.until("1 fault planned", ".bar .conditions")
    assert read(emulator, "kept/none", OWNER) == 429
    page.refresh()
    page.until("the next 1", FAULTS)
    page.until("1 request failed", FAULTS)
    # The figures of the one stay as they are when the other is added.
    page.enter("Service", "storage")
    page.enter("Operation", "storage.objects.get")
    page.enter("Times", "")
    page.enter("Share in %", "29")
    page.press("Plan")
    page.wait(f"document.querySelectorAll('{FAULTS}').length === 2")
    planned = [{name: fault[name] for name in fault if name != "met"} for fault in console.get("faults")["faults"]]
    assert planned[1] == {"service": "storage", "operation": "storage.objects.get", "status": 429, "share": 0.29}
    assert console.get("faults")["faults"][0] == {"service": "firestore", "status": 429, "count": 1, "met": 1}
    assert page.texts(FAULTS)[1].startswith("429storage.objects.getalways29 % of them")
    # One that has been met as often as was asked for leaves the list.
    assert [read(emulator, "kept/none", OWNER) for _ in range(2)] == [429, 404]
    page.refresh()
    page.wait(f"document.querySelectorAll('{FAULTS}').length === 1")
    page.press("Remove the fault 429 of storage.objects.get")
    page.until("None are planned.")
    assert console.get("faults")["faults"] == []
    page.wait("document.querySelector('.bar .conditions').textContent === ''")


def test_shows_why_a_fault_cannot_be_planned(page, console):
    page.expected = ["status of 400"]
    page.open("control")
    page.until("None are planned.")
    page.enter("Operation", HOSTILE[0])
    page.press("Plan")
    page.until("A fault cannot be planned so: ", ".card .notice.bad")
    # It stays though the list can be read.
    page.refresh()
    page.enter("Operation", f"storage.{HOSTILE[0]}")
    assert page.texts(".card .notice.bad") and console.get("faults")["faults"] == []
    page.press("Plan")
    page.until(f"503storage.{HOSTILE[0]}alwaysnot met yet", FAULTS)
    page.wait("!document.querySelector('.card .notice.bad')")


def test_slows_the_network_and_says_so_on_every_view(page, console):
    console.put("faults", faults=[{"service": "auth", "status": 503}, {"service": "storage", "status": 500, "share": 0.5}])
    console.put("network", latencyMilliseconds=1)
    page.open("indexes")
    page.until("2 faults planned, slow network", ".bar .conditions")
    page.evaluate("document.querySelector('.bar .conditions a').click()")
    page.until("On: 1 ms later.")
    page.press("Remove all")
    [profile] = [each for each in console.get("network")["profiles"] if each["name"] == "3g-slow"]
    page.enter("Profile", "3g-slow")
    page.press("Apply")
    page.until(f"On: {profile['title']}")
    network = console.get("network")
    assert {name: network[name] for name in FIGURES} == {name: profile[name] for name in FIGURES} and network["profile"] == "3g-slow"
    # Changed figures belong to no profile, and each may be left out.
    page.enter("Delay in ms", "3")
    page.enter("Down in kbit/s", "")
    page.enter("Up in kbit/s", "900000")
    assert page.evaluate("document.querySelector('select[data-profile]').value") == ""
    page.press("Apply")
    page.until("On: 3 ms later, 900,000 kbit/s up.")
    network = console.get("network")
    assert {name: network.get(name) for name in FIGURES} == dict(zip(FIGURES, [3, None, 900_000])) and "profile" not in network
    page.press("Off")
    page.until("Off: as fast as this machine is.")
    page.wait("document.querySelector('.bar .conditions').textContent === ''")
    assert console.get("network")["latencyMilliseconds"] == 0

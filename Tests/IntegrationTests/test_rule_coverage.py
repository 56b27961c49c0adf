# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Coverage of Security Rules: the report of what their expressions came to, and its page."""

import pytest
import requests

from harness import DOCUMENTS
from security_rules import OWNER, PROJECT, TWO_CONDITIONS, put_rules
from suite import PROJECT as SUITE_PROJECT
from tokens import bearing, unsigned_token

ALICE = bearing(unsigned_token(sub="alice", user_id="alice"), "Bearer")


@pytest.fixture
def ruled(emulator):
    put_rules(emulator, TWO_CONDITIONS)
    url = f"http://{emulator.firestore}/v1/{DOCUMENTS}/c/d"
    fields = {"n": {"integerValue": "1"}}
    assert requests.patch(url, json={"fields": fields}, headers=OWNER, timeout=20).status_code == 200
    return emulator


def fetch(emulator, verb, project=PROJECT):
    answer = requests.get(f"http://{emulator.firestore}/emulator/v1/projects/{project}:{verb}", timeout=20)
    assert answer.status_code == 200
    return answer


def read(emulator, headers):
    return requests.get(f"http://{emulator.firestore}/v1/{DOCUMENTS}/c/d", headers=headers, timeout=20).status_code


def values(node):
    return [(entry["value"], entry["count"]) for entry in node.get("values", [])]


def error(line, column, offset, end):
    place = {"line": line, "column": column, "currentOffset": offset, "endOffset": end}
    return {"undefined": {"sourcePosition": place, "causeMessage": "Null value error."}}


def test_the_report_has_the_values_of_each_expression_in_both_phases(ruled):
    assert read(ruled, ALICE) == 403
    answer = fetch(ruled, "ruleCoverage")
    assert answer.headers["content-type"] == "application/json"
    body = answer.json()
    assert body["rules"] == {"files": [{"content": TWO_CONDITIONS, "name": "security.rules"}]}
    function, first, second = body["report"]
    assert function["sourcePosition"] == {"line": 4, "column": 23, "currentOffset": 111, "endOffset": 149}
    assert values(function) == []
    assert values(first) == [({"undefined": {}}, 2), ({"boolValue": False}, 2)]
    assert values(first["children"][0]) == [({"undefined": {}}, 2), ({"intValue": "1"}, 2)]
    assert values(second) == [(error(7, 36, 250, 251), 2)]
    membership, variable = second["children"]
    assert values(membership) == [({"boolValue": False}, 2)]
    assert [node["sourcePosition"]["currentOffset"] for node in membership["children"]] == [241, 235]
    assert values(variable) == [(error(7, 36, 250, 251), 2)]


def test_requests_of_the_owner_do_not_count_and_new_rules_begin_without_values(ruled):
    assert read(ruled, OWNER) == 200
    assert all(values(root) == [] for root in fetch(ruled, "ruleCoverage").json()["report"])
    assert read(ruled, ALICE) == 403
    assert values(fetch(ruled, "ruleCoverage").json()["report"][1])
    put_rules(ruled, TWO_CONDITIONS)
    assert all(values(root) == [] for root in fetch(ruled, "ruleCoverage").json()["report"])


def test_a_project_without_rules_has_open_ones_and_no_report(emulator):
    body = fetch(emulator, "ruleCoverage", project="demo-others").json()
    assert list(body) == ["rules"]
    assert body["rules"]["files"][0]["name"] == "OPEN_RULES"
    page = fetch(emulator, "ruleCoverage.html", project="demo-others").text
    assert "<title>Rule coverage of demo-others</title>" in page


def test_the_page_shows_the_values_and_loads_nothing(ruled):
    assert read(ruled, ALICE) == 403
    answer = fetch(ruled, "ruleCoverage.html")
    assert answer.headers["content-type"].startswith("text/html")
    page = answer.text
    assert "Expression never evaluated" in page
    assert "Value {&quot;boolValue&quot;: false} returned 2 times" in page
    assert "Error &#39;Null value error.&#39; occurred 2 times" in page
    assert "<script" not in page and "http" not in page


# Databases with rules of their own


@pytest.fixture
def several(project):
    databases = []
    for name, condition in [("(default)", "true"), ("audit", "request.auth != null")]:
        rules = "service cloud.firestore { match /databases/{d}/documents { match /c/{id} { allow read: if " + condition
        project.write(f"{len(databases)}.rules", rules + "; } } }")
        databases.append({"database": name, "rules": f"{len(databases)}.rules"})
    project.configure(firestore=databases, emulators={"firestore": {}})
    return project.start()


def test_each_database_with_rules_has_a_report(several):
    url = f"http://{several.firestore}/v1/projects/{SUITE_PROJECT}/databases/audit/documents/c/d"
    assert requests.get(url, timeout=20).status_code == 403
    for path, text, counts in [
        ("", "true", []),
        ("/databases/(default)", "true", []),
        ("/databases/%28default%29", "true", []),
        ("/databases/audit", "request.auth != null", [({"boolValue": False}, 1)]),
    ]:
        body = fetch(several, "ruleCoverage", SUITE_PROJECT + path).json()
        assert text in body["rules"]["files"][0]["content"]
        assert [value for root in body.get("report", []) for value in values(root)] == counts
    page = fetch(several, "ruleCoverage.html", f"{SUITE_PROJECT}/databases/audit").text
    assert f"<title>Rule coverage of {SUITE_PROJECT}/audit</title>" in page
    source = fetch(several, "securityRules", f"{SUITE_PROJECT}/databases/audit").json()
    assert "request.auth != null" in source["rules"]["files"][0]["content"]


def test_a_database_that_is_not_listed_is_open(several):
    body = fetch(several, "ruleCoverage", f"{SUITE_PROJECT}/databases/others").json()
    assert body["rules"]["files"][0]["name"] == "OPEN_RULES"


@pytest.mark.parametrize("path", ["/databases", "/databases/", "/databases/a/b", "/other/a", "//a", "/databases/%ff"])
def test_paths_of_no_database_are_not_found(several, path):
    url = f"http://{several.firestore}/emulator/v1/projects/{SUITE_PROJECT}{path}:ruleCoverage"
    assert requests.get(url, timeout=20).status_code in [400, 404]


def test_rules_are_put_for_all_databases_of_a_project(several):
    url = f"http://{several.firestore}/emulator/v1/projects/{SUITE_PROJECT}/databases/audit:securityRules"
    assert requests.put(url, json={"rules": {"files": [{"content": ""}]}}, timeout=20).status_code in [400, 404]

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Security Rules of Firestore: put in force, read from a file, and what they let users see."""

import pytest
import requests

from channels import Channel, query_of
from harness import DATABASE, DOCUMENTS, run_emulator, wait_until
from tokens import bearing, unsigned_token

OWNER = {"Authorization": "Bearer owner"}
ALICE = bearing(unsigned_token(sub="alice", user_id="alice"), "Bearer")
PROJECT = DOCUMENTS.split("/")[1]
RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    function isMember() { return exists(/databases/$(database)/documents/members/$(request.auth.uid)); }
    match /posts/{post} {
      allow get: if resource == null || resource.data.public == true;
      allow list: if resource.data.public == true;
      allow create, update: if isMember() && request.resource.data.owner == request.auth.uid;
      allow delete: if getAfter(/databases/$(database)/documents/members/alice).data.left == true;
    }
    match /members/{user} { allow write: if request.auth.uid == user; }
  }
}
"""


class Caller:
    """Calls Firestore's REST with a token."""

    def __init__(self, emulator, headers):
        self.base = f"http://{emulator.firestore}"
        self.headers = headers

    def call(self, method, path, body=None):
        return requests.request(method, f"{self.base}{path}", json=body, headers=self.headers, timeout=20)

    def document(self, method, path, **fields):
        body = {"fields": {name: value(content) for name, content in fields.items()}} if method == "PATCH" else None
        return self.call(method, f"/v1/{DOCUMENTS}/{path}", body)

    def query(self, collection, **filters):
        conditions = [
            {"fieldFilter": {"field": {"fieldPath": name}, "op": "EQUAL", "value": value(content)}} for name, content in filters.items()
        ]
        where = {"where": {"compositeFilter": {"op": "AND", "filters": conditions}}} if conditions else {}
        return self.call("POST", f"/v1/{DOCUMENTS}:runQuery", {"structuredQuery": {"from": [{"collectionId": collection}], **where}})

    def commit(self, *writes):
        return self.call("POST", f"/v1/{DOCUMENTS}:commit", {"writes": list(writes)})

    def put_rules(self, source, project=PROJECT, **options):
        body = {"rules": {"files": [{"name": "firestore.rules", "content": source}]}, **options}
        return self.call("PUT", f"/emulator/v1/projects/{project}:securityRules", body)


def value(content):
    return {"booleanValue": content} if isinstance(content, bool) else {"stringValue": content}


def name(path):
    return f"{DOCUMENTS}/{path}"


def refusal(answer):
    body = answer.json()
    error = (body[0] if isinstance(body, list) else body)["error"]
    assert (answer.status_code, error["status"]) == (403, "PERMISSION_DENIED")
    return error["message"]


@pytest.fixture
def ruled(emulator):
    owner = Caller(emulator, OWNER)
    assert owner.put_rules(RULES).json() == {}
    for path, fields in [("posts/open", {"public": True}), ("posts/closed", {"public": False}), ("members/bob", {})]:
        assert owner.document("PATCH", path, **fields).status_code == 200
    return emulator


def test_a_user_sees_what_rules_allow_and_is_refused_with_the_reasons(ruled):
    alice = Caller(ruled, ALICE)
    assert alice.document("GET", "posts/open").status_code == 200
    assert alice.document("GET", "posts/none").status_code == 404
    closed = refusal(alice.document("GET", "posts/closed"))
    assert closed == "\nevaluation error at L6:21 for 'get' @ L6, false for 'get' @ L6"
    assert refusal(alice.document("GET", "secrets/s")) == "No matching allow statements"
    assert Caller(ruled, OWNER).document("GET", "posts/closed").status_code == 200


def test_documents_are_judged_in_the_order_of_the_request_and_each_once(ruled):
    alice = Caller(ruled, ALICE)
    names = [name(path) for path in ["posts/open", "posts/closed", "members/bob", "posts/open"]]
    answer = alice.call("POST", f"/v1/{DOCUMENTS}:batchGet", {"documents": names})
    unknown = "evaluation error at L6:21 for 'get' @ L6"
    assert refusal(answer) == f"\n{unknown}, {unknown}"  # none for members/bob, and nothing behind it


def test_a_query_is_judged_by_its_filters_and_not_by_what_it_finds(ruled):
    alice = Caller(ruled, ALICE)
    assert len(alice.query("posts", public=True).json()) == 1
    assert refusal(alice.query("posts")) == "\nProperty public is undefined on object. for 'list' @ L7"
    assert refusal(alice.query("posts", public=False)) == "\nfalse for 'list' @ L7"


def test_a_list_is_judged_by_its_page_size_and_its_orders(ruled):
    alice = Caller(ruled, ALICE)
    Caller(ruled, OWNER).put_rules(RULES.replace("allow list: if resource.data.public == true", "allow list: if request.query.limit <= 30"))
    assert alice.document("GET", "posts").status_code == 200
    assert alice.document("GET", "posts?pageSize=30").status_code == 200
    assert refusal(alice.document("GET", "posts?pageSize=31")) == "\nfalse for 'list' @ L7"
    Caller(ruled, OWNER).put_rules(RULES.replace("resource.data.public == true;\n      allow create", "request.query.orderBy.n == 'ASC';\n      allow create"))
    assert alice.document("GET", "posts?orderBy=n").status_code == 200


NAMES = "resource.__name__ == /databases/(default)/documents/posts/open"
PATH = "request.path is path"
OPEN = {"referenceValue": name("posts/open")}


@pytest.mark.parametrize(
    ("condition", "filters", "reaches_anywhere", "is_allowed"),
    [
        (NAMES, [("__name__", "EQUAL", OPEN)], False, True),
        (NAMES, [("__name__", "GREATER_THAN", OPEN)], False, False),
        (NAMES, [("__name__", "GREATER_THAN_OR_EQUAL", OPEN), ("__name__", "EQUAL", OPEN)], False, True),
        (PATH, [], False, True),
        (PATH, [], True, False),
        ("resource.data.n == true", [("n", "EQUAL", {"nullValue": None})], False, True),
        ("resource.data.n != null", [("n", "LESS_THAN", {"booleanValue": True})], False, False),
    ],
)
def test_what_filters_say_is_that_of_the_official_emulator(ruled, condition, filters, reaches_anywhere, is_allowed):
    start = "rules_version = '2'; service cloud.firestore { match /databases/{database}/documents {"
    Caller(ruled, OWNER).put_rules(f"{start} match /{{parent=**}}/posts/{{post}} {{ allow list: if {condition}; }} }} }}")
    conditions = [
        {"fieldFilter": {"field": {"fieldPath": field}, "op": operator, "value": operand}} for field, operator, operand in filters
    ]
    query = {"from": [{"collectionId": "posts", "allDescendants": reaches_anywhere}]}
    if conditions:
        query["where"] = {"compositeFilter": {"op": "AND", "filters": conditions}}
    answer = Caller(ruled, ALICE).call("POST", f"/v1/{DOCUMENTS}:runQuery", {"structuredQuery": query})
    assert answer.status_code == (200 if is_allowed else 403)


def test_writes_are_judged_as_the_commit_would_leave_the_database(ruled):
    alice = Caller(ruled, ALICE)
    post = {"update": {"name": name("posts/new"), "fields": {"owner": value("alice"), "public": value(True)}}}
    joining = {"update": {"name": name("members/alice"), "fields": {}}}
    leaving = {"update": {"name": name("members/alice"), "fields": {"left": value(True)}}}
    assert "for 'create' @ L8" in refusal(alice.commit(joining, post))  # exists() looks at the state before the commit
    assert alice.commit(joining).status_code == 200
    assert alice.commit(post).status_code == 200
    foreign = {"update": {"name": name("posts/new"), "fields": {"owner": value("bob")}}}
    assert "for 'update' @ L8" in refusal(alice.commit(foreign))
    removal = {"delete": name("posts/new")}
    assert "for 'delete' @ L9" in refusal(alice.commit(removal))
    assert alice.commit(leaving, removal).status_code == 200


@pytest.mark.parametrize(
    ("condition", "answer"),
    [
        ("request.autoId && resource == null && request.resource.data.public", None),
        ("request.resource.id.size() == 20 && request.resource.__name__[4] == request.resource.id", None),
        ("request.path[3] == 'posts' && request.path != request.resource.__name__", None),
        ("post == 'a'", "Null value error. for 'create' @ L1, Null value error. for 'create' @ L1"),
        (
            "request.resource.id == 'a'",
            "Property id is undefined on object. for 'create' @ L1, false for 'create' @ L1",
        ),
        ("exists(/databases/$(database)/documents/posts/$(post))", "Null value error. for 'create' @ L1, Null value error. for 'create' @ L1"),
    ],
)
def test_a_document_without_an_id_is_judged_before_it_has_one(ruled, condition, answer):
    start = "rules_version = '2'; service cloud.firestore { match /databases/{database}/documents {"
    Caller(ruled, OWNER).put_rules(f"{start} match /posts/{{post}} {{ allow create: if {condition}; }} }} }}")
    created = Caller(ruled, ALICE).call("POST", f"/v1/{DOCUMENTS}/posts", {"fields": {"public": value(True)}})
    if answer:
        assert refusal(created).strip() == answer
    else:
        assert created.status_code == 200


def listening(emulator, target):
    """A page of alice's that has all there is."""
    channel = Channel(emulator, messages=[{"database": DATABASE, "addTarget": target | {"targetId": 2}}], headers=ALICE)
    channel.until(is_snapshot)
    return channel


def is_snapshot(answer):
    return set(answer.get("targetChange", {})) == {"resumeToken", "readTime"}


def changes(answers):
    return [answer for answer in answers if "documentChange" in answer]


def refused(answer):
    return "cause" in answer.get("targetChange", {})


def test_a_listener_ends_with_the_change_that_takes_its_document_out_of_the_rules(ruled):
    owner = Caller(ruled, OWNER)
    document = listening(ruled, {"documents": {"documents": [name("posts/open")]}})
    owner.document("PATCH", "posts/other", public=False)  # none of its documents
    owner.document("PATCH", "posts/open", public=True, text="new")
    assert changes(document.until(is_snapshot))
    owner.document("PATCH", "posts/open", public=False)
    [*before, end] = document.until(refused)
    assert end["targetChange"]["cause"]["code"] == 7
    assert not changes(before)  # the client does not see it


def test_a_listener_ends_with_the_first_change_after_a_document_that_its_rule_looks_at(ruled):
    owner = Caller(ruled, OWNER)
    rule = "match /rooms/{room}/talk/{id} { allow list: if exists(/databases/(default)/documents/members/$(request.auth.uid)); }"
    assert owner.put_rules(RULES.replace("match /members", f"{rule}\n    match /members")).json() == {}
    assert owner.document("PATCH", "members/alice").status_code == 200
    query = query_of("talk")
    query["query"]["parent"] = name("rooms/1")
    talk = listening(ruled, query)
    owner.document("PATCH", "rooms/1/talk/a", text="hello")
    assert changes(talk.until(is_snapshot))
    assert owner.document("DELETE", "members/alice").status_code == 200
    owner.document("PATCH", "rooms/1/talk/b", text="secret")
    assert not changes(talk.until(refused))


def test_rules_are_reported_with_what_they_did(ruled):
    alice = Caller(ruled, ALICE)
    alice.document("GET", "posts/open")
    joining = {"update": {"name": name("members/alice"), "fields": {}}}
    post = {"update": {"name": name("posts/new"), "fields": {"owner": value("alice")}}}
    alice.commit(joining)
    assert alice.commit(post).status_code == 200
    rules = requests.get(f"http://{ruled.console}/usage/rules", timeout=20).json()["rules"]
    get, create = (next(rule for rule in rules if rule["line"] == line) for line in [6, 8])
    assert (get["service"], get["project"], get["allow"]) == ("cloud.firestore", PROJECT, ["get"])
    assert get["match"] == "/databases/{database}/documents/posts/{post}"
    # resource == null || resource.data.public == true: three and six expressions, and two for the operator
    assert (get["evaluations"], get["held"], get["expressions"], get["reads"]) == (1, 1, 10, 0)
    assert (create["reads"], create["unproven"]) == (1, 0)
    assert "usdBeyondFree" not in create  # spark-2023 has no prices


def test_what_a_rule_reads_has_its_price(serve):
    emulator = serve("--ephemeral", "--profile", "firestore-nam5")
    assert Caller(emulator, OWNER).put_rules(RULES).json() == {}
    Caller(emulator, ALICE).document("PATCH", "posts/new", owner="alice")
    rules = requests.get(f"http://{emulator.console}/usage/rules", timeout=20).json()["rules"]
    # $0.06 for 100,000 reads (the profile's source).
    assert [rule["usdBeyondFree"] for rule in rules if rule["reads"]] == [0.0000006]


def test_a_rule_that_opens_a_whole_collection_is_warned_of(serve):
    emulator = serve()
    rule = "match /notes/{id} { allow list: if !('secret' in resource.data); }"
    source = f"rules_version = '2'; service cloud.firestore {{ match /databases/{{d}}/documents {{\n{rule} }} }}"
    assert Caller(emulator, OWNER).put_rules(source).json() == {}
    Caller(emulator, OWNER).document("PATCH", "notes/a", secret="yes")
    for _ in range(2):
        assert "document" in Caller(emulator, ALICE).query("notes").json()[0]  # as on the official emulator
    assert emulator.errors().count("Line 2 of the rules let a query list documents of /databases/{d}/documents/notes/{id}") == 1


def test_debug_shows_a_value_whenever_it_is_evaluated(serve):
    emulator = serve()
    source = RULES.replace("resource == null || resource.data.public", "debug(request.auth.uid) == 'alice' && resource.data.public")
    assert Caller(emulator, OWNER).put_rules(source).json() == {}
    assert Caller(emulator, ALICE).document("GET", "posts/none").status_code == 403
    # Without the document, and with it.
    assert emulator.errors() == 'string_value: "alice"\n\n' * 2


def test_calls_for_administrators_are_theirs_once_there_are_rules(ruled):
    alice = Caller(ruled, ALICE)
    answer = alice.call("POST", f"/v1/{DOCUMENTS}:listCollectionIds", {})
    assert refusal(answer) == "Metadata operations require admin authentication."
    answer = alice.call("POST", f"/v1/{DOCUMENTS}:batchWrite", {"writes": [{"delete": name("posts/open")}]})
    assert refusal(answer) == "Batch writes require admin authentication."


def test_rules_that_do_not_compile_are_refused_and_leave_the_former_in_force(ruled):
    owner, alice = Caller(ruled, OWNER), Caller(ruled, ALICE)
    broken = owner.put_rules(RULES.replace("allow list: if", "allow list if"))
    assert (broken.status_code, broken.json()["error"]["status"]) == (400, "INVALID_ARGUMENT")
    assert broken.json()["error"]["message"] == "Error compiling rules:\nL7:18 Missing ':' before 'if' condition."
    issues = owner.put_rules("match", ignore_errors=True).json()["issues"]
    assert [issue["severity"] for issue in issues] == ["ERROR"]
    assert alice.document("GET", "posts/open").status_code == 200
    kept = owner.call("GET", f"/emulator/v1/projects/{PROJECT}:securityRules").json()
    assert kept["rules"]["files"][0]["content"] == RULES


def test_rules_are_those_of_a_project(ruled):
    alice, other = Caller(ruled, ALICE), "/v1/projects/demo-other/databases/(default)/documents"
    assert alice.call("GET", f"{other}/posts/closed").status_code == 404
    assert alice.call("POST", f"{other}:listCollectionIds", {}).status_code == 200


def test_a_file_of_rules_is_read_again_when_it_changes(tmp_path, serve):
    path = tmp_path / "firestore.rules"
    path.write_text(RULES)
    alice = Caller(serve("--rules", path), ALICE)
    assert alice.document("GET", "secrets/s").status_code == 403
    path.write_text(RULES.replace("/posts/{post}", "/secrets/{post}"))
    wait_until(lambda: alice.document("GET", "secrets/s").status_code == 404, "the new rules are in force")


def test_the_emulator_does_not_start_with_rules_that_do_not_compile(tmp_path):
    path = tmp_path / "broken.rules"
    path.write_text("service cloud.firestore {\n  match / { }\n}")
    ended = run_emulator("--rules", path)
    assert ended.returncode == 65
    assert f"{path}:2:9 - ERROR Forward slash '/' found where identifier or binding expected." in ended.stderr

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Security Rules of Storage: put in force, read from a file, and what they let users do with objects."""

import json
import urllib.parse

import pytest
import requests

from harness import run_emulator, wait_until
from tokens import bearing, unsigned_token

OWNER = {"Authorization": "Bearer owner"}
BUCKET = "demo-rules.appspot.com"
DOCUMENTS = "projects/demo-rules/databases/(default)/documents"
RULES = """rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o {
    match /images/{user}/{name} {
      allow get: if resource.metadata.public == 'yes' || request.auth.uid == user;
      allow create: if request.auth.uid == user && request.resource.size < 10 && resource == null
                    && !('generation' in request.resource) && request.resource.contentType.matches('image/.*');
      allow update: if request.auth.uid == user && request.resource.metadata.keys().hasOnly(['public']);
      allow delete: if resource.md5Hash != null && request.auth.uid == user;
    }
    match /images/{all=**} { allow list: if request.auth != null; }
    match /friends/{name} { allow get: if firestore.exists(/databases/(default)/documents/members/$(request.auth.uid)); }
    match /three/{name} {
      function has(id) { return firestore.exists(/databases/(default)/documents/members/$(id)); }
      allow get: if has('alice') && has('bob') && has('alice');
      allow list: if false;
      allow delete: if !has('a') && !has('b') && !has('c');
    }
  }
}
"""


class User:
    """Calls Storage's v0 API with a token, or with none."""

    def __init__(self, emulator, name=None):
        self.base = f"http://{emulator.storage}"
        self.headers = OWNER if name == "owner" else bearing(unsigned_token(sub="other", user_id=name)) if name else {}

    def call(self, method, name="", **options):
        path = f"/o/{urllib.parse.quote(name, safe='')}" if name else "/o"
        headers = self.headers | options.pop("headers", {})
        return requests.request(method, f"{self.base}/v0/b/{BUCKET}{path}", headers=headers, timeout=20, **options)

    def get(self, name, **query):
        return self.call("GET", name, params=query).status_code

    def upload(self, name, content=b"picture", type="image/png"):
        return self.call("POST", params={"name": name}, data=content, headers={"Content-Type": type}).status_code

    def patch(self, name, **metadata):
        return self.call("PATCH", name, json={"metadata": metadata}).status_code

    def delete(self, name):
        return self.call("DELETE", name).status_code

    def list(self, prefix):
        return self.call("GET", params={"prefix": prefix}).status_code


def set_rules(emulator, *files):
    listed = [{"name": "storage.rules", "content": content, **({"resource": bucket} if bucket else {})} for content, bucket in files]
    return requests.put(f"http://{emulator.storage}/internal/setRules", json={"rules": {"files": listed}}, timeout=20)


@pytest.fixture
def ruled(emulator):
    answer = set_rules(emulator, (RULES, None))
    assert (answer.status_code, answer.json()) == (200, {"message": "Rules updated successfully"})
    return emulator


def test_a_user_does_with_objects_what_rules_allow(ruled):
    alice, bob, stranger = User(ruled, "alice"), User(ruled, "bob"), User(ruled)
    mine = "images/alice/1"
    assert [bob.upload(mine), stranger.upload(mine), alice.upload(mine, b"a large one"), alice.upload(mine, type="text/plain")] == [403] * 4
    assert alice.upload(mine) == 200
    assert alice.upload(mine) == 403  # in place of another: a creation, whose resource is the former object
    assert [alice.get(mine), alice.get(mine, alt="media"), bob.get(mine), stranger.get(mine)] == [200, 200, 403, 403]
    assert [bob.patch(mine, public="yes"), alice.patch(mine, secret="yes"), alice.patch(mine, public="yes")] == [403, 403, 200]
    assert [bob.get(mine), stranger.get(mine)] == [200, 200]
    assert [alice.list("images/"), stranger.list("images/"), alice.list("")] == [200, 403, 403]
    assert [bob.delete(mine), alice.delete(mine)] == [403, 204]


def test_a_refusal_is_as_production_words_it(ruled):
    assert User(ruled).call("GET", "secret").json() == {"error": {"code": 403, "message": "Permission denied."}}


def test_a_download_token_opens_an_object_that_rules_close(ruled):
    owner, stranger = User(ruled, "owner"), User(ruled)
    assert owner.upload("secret") == 200
    token = owner.call("GET", "secret").json()["downloadTokens"]
    assert [stranger.get("secret", alt="media"), stranger.get("secret", alt="media", token=token)] == [403, 200]


def test_googles_apis_are_not_judged(ruled):
    assert User(ruled, "owner").upload("secret") == 200
    assert requests.get(f"http://{ruled.storage}/storage/v1/b/{BUCKET}/o/secret", timeout=20).status_code == 200


def test_rules_look_at_two_documents_of_the_buckets_project(ruled):
    owner, alice = User(ruled, "owner"), User(ruled, "alice")
    for name in ["friends/1", "three/1"]:
        assert owner.upload(name) == 200
    assert alice.get("friends/1") == 403
    for name in ["alice", "bob"]:
        requests.patch(f"http://{ruled.firestore}/v1/{DOCUMENTS}/members/{name}", json={"fields": {}}, headers=OWNER, timeout=20)
    assert [alice.get("friends/1"), User(ruled, "carol").get("friends/1")] == [200, 403]
    assert alice.get("three/1") == 200  # one of them twice
    assert alice.delete("three/1") == 403  # the third fails


def test_a_resumable_upload_is_judged_with_what_arrived(ruled):
    alice = User(ruled, "alice")
    for content, status in [(b"a large one", 403), (b"small", 200)]:
        start = {"X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start", "Content-Type": "application/json"}
        description = json.dumps({"contentType": "image/png"})
        begun = alice.call("POST", params={"name": "images/alice/2"}, data=description, headers=start)
        finish = {"X-Goog-Upload-Command": "upload, finalize"}
        ended = requests.post(begun.headers["X-Goog-Upload-URL"], data=content, headers=alice.headers | finish, timeout=20)
        assert ended.status_code == status


def test_buckets_may_have_rules_of_their_own(emulator):
    open_rules = "rules_version = '2'; service firebase.storage { match /b/{b}/o/{n=**} { allow read, write; } }"
    assert set_rules(emulator, (open_rules, BUCKET), (RULES, "other")).status_code == 200
    assert User(emulator).upload("secret") == 200
    assert set_rules(emulator, (open_rules, "some"), (RULES, "other")).status_code == 200
    assert User(emulator).get("secret") == 403  # no rules, no access


def test_files_that_do_not_compile_are_refused_and_leave_the_former_in_force(ruled):
    answer = set_rules(ruled, (RULES.replace("allow get: if", "allow get if", 1), None))
    assert answer.status_code == 400
    assert answer.json() == {
        "message": "There was an error updating rules, see logs for more details",
        "issues": ["storage.rules:L5:17 Missing ':' before 'if' condition."],
    }
    nothing = requests.put(f"http://{ruled.storage}/internal/setRules", json={"rules": {}}, timeout=20)
    assert (nothing.status_code, nothing.json()["message"]) == (400, "Request body must include 'rules.files' array")
    assert User(ruled).get("secret") == 403


def test_lists_need_version_2(emulator):
    rules = "service firebase.storage { match /b/{b}/o/{n=**} { allow read, write; } }"
    assert set_rules(emulator, (rules, None)).status_code == 200
    assert [User(emulator).upload("a/b"), User(emulator).list("a/")] == [200, 403]


def test_a_file_of_rules_is_read_again_when_it_changes(tmp_path, serve):
    path = tmp_path / "storage.rules"
    path.write_text(RULES)
    emulator = serve("--storage-rules", path)
    assert User(emulator).get("secret") == 403
    path.write_text(RULES.replace("/friends/{name} { allow get: if firestore", "/secret { allow get: if true || firestore"))
    wait_until(lambda: User(emulator).get("secret") == 404, "the new rules are in force")


def test_the_emulator_does_not_start_with_rules_that_do_not_compile(tmp_path):
    path = tmp_path / "broken.rules"
    path.write_text("service firebase.storage {\n  match / { }\n}")
    ended = run_emulator("--storage-rules", path)
    assert ended.returncode == 65
    assert f"{path}:2:9 - ERROR Forward slash '/' found where identifier or binding expected." in ended.stderr

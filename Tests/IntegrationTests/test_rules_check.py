# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""`firemeter rules check`: a file of rules compiled, and one request judged, without a server."""

import json
import subprocess

import pytest

from harness import FIREMETER

RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    function isMember() { return exists(/databases/$(database)/documents/members/$(request.auth.uid)); }
    match /posts/{post} {
      allow get: if resource.data.public == true;
      allow list: if resource.data.public == true || !('secret' in resource.data);
      allow create, update: if isMember() && request.resource.data.owner == request.auth.uid;
      allow delete: if request.auth.token.admin;
    }
  }
}
"""
DOCUMENTS = {"posts/open": {"public": True}, "posts/closed": {"public": False}, "members/alice": {}}
MINE = ["--data", '{"owner": "alice"}', "--user", "alice"]


@pytest.fixture
def check(tmp_path):
    rules, documents = tmp_path / "firestore.rules", tmp_path / "documents.json"
    rules.write_text(RULES)
    documents.write_text(json.dumps(DOCUMENTS))

    def check(*arguments, file=rules):
        command = [FIREMETER, "rules", "check", file, *arguments]
        if arguments:
            command += ["--documents", documents]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    return check


@pytest.mark.parametrize(
    ("arguments", "code", "verdict", "line", "figures"),
    [
        (["--get", "posts/open"], 0, "allowed", 6, "holds; 5 expressions"),
        (["--get", "posts/closed"], 77, "refused: evaluation error at L6:21 for 'get' @ L6, false for 'get' @ L6", 6, "is false"),
        (["--list", "posts", "--where", "public == true"], 0, "allowed", 7, "holds; 7 expressions"),
        (["--list", "posts"], 0, "allowed", 7, "holds, though the filters do not say so: it opens the whole collection"),
        (["--create", "posts/new", *MINE], 0, "allowed", 8, "1 read"),
        (["--update", "posts/open", *MINE], 0, "allowed", 8, "1 read"),
        (["--update", "posts/open", "--data", '{"owner": "bob"}', "--user", "alice"], 77, "refused: ", 8, "is false"),
        (["--delete", "posts/open", "--user", "eve", "--claims", '{"admin": true}'], 0, "allowed", 9, "holds; 4 expressions"),
        (["--delete", "posts/open"], 77, "refused: Null value error. for 'delete' @ L9", 9, "has no value"),
    ],
)
def test_a_request_is_judged_and_the_line_is_shown_that_decides(check, arguments, code, verdict, line, figures):
    checked = check(*arguments)
    assert (checked.returncode, checked.stderr) == (code, "")
    [_, found, decision] = checked.stdout.splitlines()
    assert found.startswith(verdict)
    assert f"firestore.rules:{line}  /databases/{{database}}/documents/posts/{{post}}  allow " in decision
    assert figures in decision


def test_a_file_is_compiled_whatever_service_it_is_for(check, tmp_path):
    assert check().stdout.endswith("firestore.rules: 4 rules, 0 warnings\n")
    storage = tmp_path / "storage.rules"
    storage.write_text("service firebase.storage { match /b/{b}/o/{n=**} { allow get; } }")
    checked = check(file=storage)
    assert checked.returncode == 0
    assert "storage.rules: 1 rule, 1 warning\n" in checked.stdout


def test_a_file_that_does_not_compile_is_refused_with_its_issues(check, tmp_path):
    broken = tmp_path / "broken.rules"
    broken.write_text("service cloud.firestore {\n  match / { }\n}")
    checked = check(file=broken)
    assert checked.returncode == 65
    assert f"{broken}:2:9 - ERROR Forward slash '/' found where identifier or binding expected." in checked.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--get", "a/b", "--list", "a"], "One request at a time"),
        (["--get", "a/b", "--where", "x == 1"], "--where is of a --list."),
        (["--get", "a/b", "--claims", "[]"], "--claims must be an object."),
        (["--list", "a", "--where", "x"], "'x' is not a condition such as: public == true"),
        (["--get", "a"], "a"),
    ],
)
def test_what_cannot_be_asked_is_refused(check, arguments, complaint):
    checked = check(*arguments)
    assert checked.returncode in (64, 65)
    assert complaint in checked.stderr


STORAGE_RULES = """rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o {
    match /users/{user}/{name} {
      allow get: if resource.metadata.public == 'true' || request.auth.uid == user;
      allow create: if request.resource.size < 1000 && request.resource.contentType.matches('image/.*')
                    && firestore.exists(/databases/(default)/documents/members/$(request.auth.uid));
      allow update: if request.resource.contentType == resource.contentType;
      allow delete: if resource.size == 0;
    }
    match /users/{user} { allow list: if request.auth.uid == user; }
  }
}
"""
OBJECTS = {
    "users/alice/open.png": {"size": 300, "contentType": "image/png", "metadata": {"public": "true"}},
    "users/alice/mine.png": {"contentType": "image/png"},
}
PICTURE = ["--data", '{"size": 300, "contentType": "image/png"}']


@pytest.fixture
def check_storage(check, tmp_path):
    rules, objects = tmp_path / "storage.rules", tmp_path / "objects.json"
    rules.write_text(STORAGE_RULES)
    objects.write_text(json.dumps(OBJECTS))
    return lambda *arguments: check(*arguments, "--objects", objects, file=rules)


@pytest.mark.parametrize(
    ("arguments", "code", "verdict", "line", "figures"),
    [
        (["--get", "users/alice/open.png"], 0, "allowed", 5, "holds"),
        (["--get", "users/alice/mine.png", "--user", "alice"], 0, "allowed", 5, "holds"),
        (["--get", "users/alice/mine.png", "--user", "bob"], 77, "refused: ", 5, "has no value"),
        (["--list", "users/alice", "--user", "alice"], 0, "allowed", 11, "holds"),
        (["--create", "users/alice/new.png", *PICTURE, "--user", "alice"], 0, "allowed", 6, "1 read"),
        (["--create", "users/alice/new.png", *PICTURE, "--user", "bob"], 77, "refused: ", 6, "1 read"),
        (["--update", "users/alice/mine.png", "--data", '{"metadata": {"public": "true"}}'], 0, "allowed", 8, "holds"),
        (["--update", "users/alice/mine.png", "--data", '{"contentType": "text/html"}'], 77, "refused: ", 8, "is false"),
        (["--delete", "users/alice/mine.png"], 0, "allowed", 9, "holds"),
        (["--delete", "users/alice/open.png"], 77, "refused: ", 9, "is false"),
    ],
)
def test_a_request_to_storage_is_judged(check_storage, arguments, code, verdict, line, figures):
    checked = check_storage(*arguments)
    assert (checked.returncode, checked.stderr) == (code, "")
    [found, decision] = checked.stdout.splitlines()[-2:]
    assert found.startswith(verdict)
    assert f"storage.rules:{line}  /b/{{bucket}}/o/users/{{user}}" in decision
    assert figures in decision


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--update", "users/alice/none.png"], "The object 'users/alice/none.png' is not among --objects."),
        (["--create", "users/alice/a.png", "--data", '{"bytes": 3}'], "cannot have 'bytes' as it is written; it has size, "),
        (["--list", "users", "--where", "a == 1"], "--where is for rules of Firestore."),
    ],
)
def test_what_cannot_be_asked_of_storage_is_refused_in_words(check_storage, arguments, problem):
    checked = check_storage(*arguments)
    assert checked.returncode in {64, 65} and problem in checked.stderr

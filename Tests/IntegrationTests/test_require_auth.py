# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""`--require-auth` refuses whoever is not signed in, as a new project's rules do."""

import time

import pytest
import requests

from harness import BUCKET, DOCUMENTS
from tokens import bearing, unsigned_token

SIGNED_IN = {"user_id": "ada", "sub": "ada"}
OWNER = {"Authorization": "Bearer owner"}
CALLERS = [
    ("nobody", None, False),
    ("a user", SIGNED_IN, True),
    ("a user whose token is good for an hour", {**SIGNED_IN, "exp": int(time.time()) + 3_600}, True),
    ("a user whose token has expired", {**SIGNED_IN, "exp": int(time.time()) - 1}, False),
    ("a token of no user", {"iss": "x"}, False),
    ("the owner", "owner", True),
]


@pytest.fixture(scope="module")
def private():
    from harness import Emulator

    emulator = Emulator("--require-auth")
    try:
        media = f"http://{emulator.storage}/v0/b/{BUCKET}/o"
        stored = requests.post(f"{media}?name=a/b/0", data=b"image", headers={**OWNER, "Content-Type": "image/jpeg"}, timeout=20)
        emulator.token = stored.json()["downloadTokens"]
        document = f"http://{emulator.firestore}/v1/{DOCUMENTS}/posts/p"
        assert requests.patch(document, json={"fields": {}}, headers=OWNER, timeout=20).status_code == 200
        yield emulator
    finally:
        emulator.close()


@pytest.mark.parametrize("name, claims, is_allowed", CALLERS, ids=[caller[0] for caller in CALLERS])
def test_only_who_is_signed_in_reads_and_writes(private, name, claims, is_allowed):
    token = None if claims is None else claims if claims == "owner" else unsigned_token(**claims)
    firebase, bearer = (bearing(token, scheme) if token else {} for scheme in ("Firebase", "Bearer"))
    storage, documents = f"http://{private.storage}/v0/b/{BUCKET}/o", f"http://{private.firestore}/v1/{DOCUMENTS}"
    answers = [
        requests.get(f"{storage}/a%2Fb%2F0?alt=media", headers=firebase, timeout=20),
        requests.get(f"{storage}/a%2Fb%2F0", headers=firebase, timeout=20),
        requests.get(storage, headers=firebase, timeout=20),
        requests.post(f"{storage}?name=a/b/1", data=b"x", headers=firebase, timeout=20),
        requests.get(f"{documents}/posts/p", headers=bearer, timeout=20),
        requests.post(f"{documents}:runQuery", json={"structuredQuery": {"from": [{"collectionId": "posts"}]}}, headers=bearer, timeout=20),
        requests.patch(f"{documents}/posts/q", json={"fields": {}}, headers=bearer, timeout=20),
    ]
    assert {answer.status_code for answer in answers} == {200 if is_allowed else 403}
    if not is_allowed:
        assert answers[0].json()["error"]["message"] == "Permission denied."
        assert answers[4].json()["error"]["message"] == "Missing or insufficient permissions."
        assert answers[4].json()["error"]["status"] == "PERMISSION_DENIED"


def test_a_download_token_opens_its_object(private):
    media = f"http://{private.storage}/v0/b/{BUCKET}/o/a%2Fb%2F0?alt=media"
    assert requests.get(f"{media}&token={private.token}", timeout=20).content == b"image"
    assert requests.get(f"{media}&token=other", timeout=20).status_code == 403

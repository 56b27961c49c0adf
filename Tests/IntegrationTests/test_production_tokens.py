# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""`--auth-profile production`: Firestore and Storage take the tokens that production takes, by the clock of accounts."""

import time

import pytest
import requests

from harness import BUCKET, DOCUMENTS
from tokens import bearing, unsigned_token

PROJECT = DOCUMENTS.split("/")[1]
ISSUER = "https://securetoken.google.com/"
NOW = int(time.time())


def claims(project=PROJECT, issued=NOW, expires=NOW + 3_600):
    return {"iss": ISSUER + project, "aud": project, "sub": "ada", "user_id": "ada", "iat": issued, "exp": expires}


CALLERS = [
    ("a user", claims(), True),
    ("a user of another project", claims("another"), False),
    ("a user whose token has expired", claims(issued=NOW - 7_200, expires=NOW - 3_600), False),
    ("a user that a test library has made", claims(issued=0, expires=3_600), True),
    ("a token of the test's own", {"sub": "ada"}, True),
]


@pytest.fixture(scope="module")
def emulator():
    from harness import Emulator

    emulator = Emulator("--auth-profile", "production", "--project", PROJECT)
    try:
        yield emulator
    finally:
        emulator.close()


def statuses(emulator, token):
    documents, objects = f"http://{emulator.firestore}/v1/{DOCUMENTS}", f"http://{emulator.storage}/v0/b/{BUCKET}/o"
    firebase, bearer = (bearing(token, scheme) for scheme in ("Firebase", "Bearer"))
    return [
        requests.get(f"{documents}/posts/p", headers=bearer, timeout=20).status_code,
        requests.post(f"{documents}:runQuery", json={"structuredQuery": {"from": [{"collectionId": "posts"}]}}, headers=bearer, timeout=20).status_code,
        requests.patch(f"{documents}/posts/q", json={"fields": {}}, headers=bearer, timeout=20).status_code,
        requests.get(objects, headers=firebase, timeout=20).status_code,
    ]


@pytest.mark.parametrize("name, claims, is_taken", CALLERS, ids=[caller[0] for caller in CALLERS])
def test_a_token_is_taken_as_in_production(emulator, name, claims, is_taken):
    assert statuses(emulator, unsigned_token(**claims)) == ([404, 200, 200, 200] if is_taken else [403] * 4)


def test_the_clock_of_accounts_ends_tokens(emulator):
    clock = f"http://{emulator.auth}/emulator/v1/clock"
    sign_up = f"http://{emulator.auth}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k"
    token = requests.post(sign_up, json={}, timeout=20).json()["idToken"]
    assert statuses(emulator, token)[0] == 404
    later = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(NOW + 7_200))
    assert requests.patch(clock, json={"time": later}, timeout=20).status_code == 200
    assert statuses(emulator, token) == [403] * 4
    assert requests.delete(clock, timeout=20).status_code == 200
    assert statuses(emulator, token)[0] == 404

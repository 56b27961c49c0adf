# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""firebase-tools' own tests of exports of Authentication, made with the calls of its tools.

Source: firebase-tools 15.28.1, `scripts/emulator-import-export-tests/tests.ts`. Its tests of documents and objects are in
`test_suite_exports.py`.
"""

import json

import pytest
import requests

from suite import OWNER, PROJECT

CONFIGURATION = {
    "signIn": {"allowDuplicateEmails": False},
    "emailPrivacyConfig": {"enableImprovedEmailPrivacy": False},
}
TENANT = "second-tenant"


def create(suite, uid, tenant=None, **members):
    """Creates a user as firebase-admin does."""
    place = f"projects/{PROJECT}" + (f"/tenants/{tenant}" if tenant else "")
    suite.ask_auth(f"{place}/accounts", {"localId": uid, **members})


def users(suite, tenant=None):
    """All users of the project or of a tenant, as firebase-admin lists them."""
    place = f"projects/{PROJECT}" + (f"/tenants/{tenant}" if tenant else "")
    url = f"http://{suite.auth}/identitytoolkit.googleapis.com/v1/{place}/accounts:batchGet"
    response = requests.get(url, params={"maxResults": 1000}, headers=OWNER, timeout=20)
    return {user["localId"]: user for user in response.json().get("users", [])}


def exported(project, name):
    return json.loads((project.directory / "data" / "auth_export" / name).read_text())


@pytest.fixture
def round_trip(project):
    """Fills an emulator, exports it by the hub, and starts another with the export."""

    def trip(fill):
        first = project.start("--only", "auth")
        fill(first)
        assert first.export(project.directory / "data").json()["message"] == "OK"
        assert first.stop() == 0
        assert exported(project, "config.json") == CONFIGURATION
        return project.start("--only", "auth", "--import", "data")

    return trip


def test_users(project, round_trip):
    def fill(suite):
        create(suite, "123", email="foo@example.com", password="testing")
        create(suite, "456", email="bar@example.com", emailVerified=True)

    second = round_trip(fill)
    accounts = exported(project, "accounts.json")["users"]
    assert [user["localId"] for user in accounts] == ["123", "456"]
    # As the user interface shows them: plain, and with a salt.
    assert accounts[0]["passwordHash"].startswith("fakeHash:salt=")
    assert accounts[0]["passwordHash"].endswith(":password=testing")
    assert accounts[1]["emailVerified"] is True
    assert set(users(second)) == {"123", "456"}
    assert second.sign_in("foo@example.com", "testing").status_code == 200


def test_users_of_a_tenant(project, round_trip):
    def fill(suite):
        create(suite, "123", email="foo@example.com", password="testing")
        create(suite, "123", TENANT, email="foo-second-tenant@example.com", password="testing")
        create(suite, "456", TENANT, email="bar-second-tenant@example.com", emailVerified=True)

    second = round_trip(fill)
    accounts = exported(project, f"accounts-{TENANT}.json")["users"]
    assert [(user["localId"], user["tenantId"]) for user in accounts] == [("123", TENANT), ("456", TENANT)]
    assert {uid: user["email"] for uid, user in users(second).items()} == {"123": "foo@example.com"}
    assert set(users(second, TENANT)) == {"123", "456"}


def test_many_users(project, round_trip):
    count = 2_100

    def fill(suite):
        batch = [{"localId": f"u{number:05d}", "email": f"u{number}@example.com"} for number in range(count)]
        for begin in range(0, count, 700):
            suite.ask_auth(f"projects/{PROJECT}/accounts:batchCreate", {"users": batch[begin : begin + 700]})

    second = round_trip(fill)
    accounts = exported(project, "accounts.json")["users"]
    assert len({user["localId"] for user in accounts}) == count
    assert len(users(second)) == 1_000
    assert second.ask_auth(f"projects/{PROJECT}/accounts:lookup", {"localId": ["u02099"]})["users"]


def test_no_users(project, round_trip):
    second = round_trip(lambda suite: None)
    assert exported(project, "accounts.json")["users"] == []
    assert users(second) == {}

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The console's views of users, and of the mails and codes that would have been sent to them."""

import json

import pytest
import requests

from console_page import HOSTILE
from harness import DOCUMENTS
from sign_in import API_KEY, PROJECT, Accounts
from tokens import bearing

OWNER = {"Authorization": "Bearer owner"}


class Project:
    """The users of a project, as an administrator has them."""

    def __init__(self, emulator):
        self.emulator, self.accounts = emulator, Accounts(emulator)
        self.toolkit = f"http://{emulator.auth}/identitytoolkit.googleapis.com"

    def call(self, verb, tenant=None, **body):
        place = f"{PROJECT}/tenants/{tenant}" if tenant else PROJECT
        answer = requests.post(f"{self.toolkit}/v1/projects/{place}/accounts{verb}", json=body, headers=OWNER, timeout=20)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def user(self, uid):
        return self.call(":lookup", localId=[uid]).get("users", [None])[0]

    def tenants(self):
        answer = requests.get(f"{self.toolkit}/v2/projects/{PROJECT}/tenants", headers=OWNER, timeout=20)
        return [tenant["tenantId"] for tenant in answer.json().get("tenants", [])]


@pytest.fixture(scope="module")
def emulator(serve_for_file):
    return serve_for_file("--ephemeral", "--project", PROJECT)


@pytest.fixture
def project(emulator):
    project = Project(emulator)
    project.accounts.clear()
    return project


# Users


def test_has_views_for_no_other_names(page):
    for name in ("constructor", "__proto__"):
        page.open(name)
        page.until("Live", "main h1")
        page.open("users")
        page.until("Users", "main h1")


def test_lists_and_finds_users_of_any_name(page, project):
    for number, name in enumerate(HOSTILE):
        project.call("", localId=f"u{number}", displayName=name, photoUrl="http://photos.example/x.png")
    project.call("", localId="h", email="<svg/onload=window.harmed=4>@example.com", phoneNumber="+15550100")
    page.open("users")
    page.until("7 users")
    page.wait("document.querySelectorAll('.row .who .cut').length === 7")
    assert page.texts(".row .who .cut") == ["<svg/onload=window.harmed=4>@example.com", *HOSTILE]
    for number, name in enumerate(HOSTILE):
        page.open("users", user=f"u{number}")
        page.until(name, ".user h2")
    for text, found in [("+15550", 1), ("ONERROR", 1), ("u3", 1), ("window", 4), ("nothing of this", 0)]:
        page.enter("Search users", text)
        page.until(f"{found} of 7 users")
    assert "q=nothing" in page.evaluate("location.hash")


def test_changes_a_user(page, project):
    project.call("", localId="u1", email="eve@example.com", displayName="Eve")
    page.open("users", user="u1")
    page.enter("Display name", HOSTILE[0])
    page.press("Save")
    page.until(HOSTILE[0], ".user h2")
    page.until(HOSTILE[0], ".row:not(.head) .who")
    page.press("Disable")
    page.until("disabled", ".user .uid")
    assert project.user("u1")["displayName"] == HOSTILE[0] and project.user("u1")["disabled"]
    page.press("Enable")
    page.press("Set a password…")
    page.enter("New password", "secret-1")
    page.press("Set", "dialog")
    page.until("Passwordset", ".user dl")
    assert project.accounts.call("signInWithPassword", email="eve@example.com", password="secret-1")["localId"] == "u1"


def test_checks_custom_claims(page, project):
    project.call("", localId="u1", displayName=" Eve ")
    page.open("users", user="u1")
    page.until("Eve", ".user h2")
    assert page.evaluate("document.querySelector('.edit button').disabled")
    large = json.dumps({"a": "ä" * 500}, ensure_ascii=False)
    for text, problem in [("{", "This is not JSON"), ("[1]", "Claims are an object"), (large, "1008 bytes, and 1000")]:
        page.enter("Custom claims", text)
        page.until(problem, "#claims-state")
        assert page.evaluate("document.querySelector('.edit button').disabled")
    page.enter("Custom claims", '{"admin": true, "level": 3}')
    page.until("24 of 1000 bytes", "#claims-state")
    page.press("Save")
    page.until("customAttributes", ".user details")
    assert json.loads(project.user("u1")["customAttributes"]) == {"admin": True, "level": 3}
    # Integers stay as they are, however large.
    for level in (3, 4):
        claims = f'{{"account":12345678901234567890,"level":{level}}}'
        page.enter("Custom claims", claims)
        page.press("Save")
        page.until(json.dumps(claims), ".user details")
        assert project.user("u1")["customAttributes"] == claims
    # The other fields stay, even where a blank is at an end.
    assert project.user("u1")["displayName"] == " Eve "
    # The server's own refusal is shown.
    page.expected = ["status of 400"]
    page.enter("Custom claims", '{"sub": "x"}')
    page.press("Save")
    page.until("FORBIDDEN_CLAIM", ".user .notice")


def test_creates_and_deletes_users(page, project):
    page.open("users")
    page.until("There are no users yet")
    page.press("Create a user…")
    page.enter("E-mail", "new@example.com")
    page.enter("Password", "short")
    page.expected = ["status of 400"]
    page.press("Create", "dialog")
    page.until("WEAK_PASSWORD", "dialog.ask")
    page.enter("Password", "secret-1")
    page.press("Create", "dialog")
    page.until("new@example.com", ".user h2")
    page.press("Delete…")
    page.press("Delete", "dialog")
    page.until("The user is deleted.", ".user")
    for number in range(3):
        project.call("", localId=f"u{number}", displayName=f"Name {number}")
    # Those who appear elsewhere are listed, too.
    page.refresh()
    page.until("3 users")
    page.open("users", q="name")
    page.press("Delete these…")
    page.enter("To confirm, enter 3", "2")
    page.press("Delete", "dialog")
    page.until("Enter 3", "dialog.ask")
    page.enter("To confirm, enter 3", "3")
    page.press("Delete", "dialog")
    page.until("There are no users yet")
    assert project.user("u0") is None


def test_deletes_only_those_who_were_counted(page, project):
    # More than one page of the list; the last user is on the second, which comes while the number is confirmed.
    for numbers in (range(500), range(500, 1_001)):
        project.call(":batchCreate", users=[{"localId": f"u{number:04}"} for number in numbers])
    page.open("inbox")
    page.until("There are no messages yet")
    page.evaluate(SECOND_PAGE_WAITS)
    page.open("users")
    page.until("1,000 users, and more are being read…")
    page.press("Delete these…")
    page.until("Delete 1,000 users?", "dialog.ask")
    page.evaluate("letPageCome()")
    page.until("1,001 users")
    page.enter("To confirm, enter 1000", "1000")
    page.press("Delete", "dialog")
    page.wait("document.querySelector('dialog.ask') === null")
    assert project.user("u0999") is None and project.user("u1000") is not None


SECOND_PAGE_WAITS = """(() => {
  const come = new Promise((resolve) => { window.letPageCome = resolve; });
  const ask = window.fetch;
  window.fetch = async (address, ...rest) => {
    if (String(address).includes("nextPageToken")) await come;
    return ask(address, ...rest);
  };
})()"""


def test_shows_the_users_of_tenants_and_makes_none(page, project):
    created = requests.post(f"{project.toolkit}/v2/projects/{PROJECT}/tenants", json={"displayName": "Acme"}, headers=OWNER, timeout=20)
    tenant = created.json()["tenantId"]
    project.call("", tenant=tenant, localId="t1", displayName="Of the tenant")
    page.open("users", tenant=tenant)
    page.until("Of the tenant", ".row:not(.head) .who")
    page.open("users", tenant="invented")
    page.until("There is no tenant “invented”.")
    assert project.tenants() == [tenant]
    page.open("users")
    page.until("There are no users yet")


def test_shows_what_a_user_has_used(page, project):
    user = project.accounts.call("signUp", email="eve@example.com", password="secret-1", returnSecureToken=True)
    uid = user["localId"]
    document = f"http://{project.emulator.firestore}/v1/{DOCUMENTS}/posts/p1"
    requests.patch(document, json={"fields": {}}, headers=OWNER, timeout=20)
    for _ in range(2):
        assert requests.get(document, headers=bearing(user["idToken"], "Bearer"), timeout=20).status_code == 200
    page.open("users", user=uid)
    page.until("2 reads", ".used")
    assert page.evaluate("document.querySelector('.used a').hash") == f"#/live?filter=user%3A{uid}"


# The inbox


def test_shows_mails_and_codes_as_they_are_sent(page, project):
    hostile = "<svg/onload=window.harmed=5>@example.com"
    project.call("", localId="u1", email=hostile)
    page.open("inbox")
    page.until("There are no messages yet")
    link = project.accounts.link(requestType="PASSWORD_RESET", email=hostile)
    page.refresh()
    page.until(hostile, ".message .to")
    assert page.evaluate("document.querySelector('.message a').href") == link
    assert page.evaluate("(a => [a.target, a.rel])(document.querySelector('.message a'))") == ["_blank", "noopener noreferrer"]
    project.accounts.call("sendVerificationCode", phoneNumber="+15550100")
    page.refresh()
    codes = requests.get(f"http://{project.emulator.auth}/emulator/v1/projects/{PROJECT}/verificationCodes", timeout=20).json()
    page.until(codes["verificationCodes"][0]["code"], ".message .code")
    # The newest is first.
    page.until("2 messages")
    assert page.texts(".message .to") == ["+15550100", hostile]
    page.open("inbox", q="svg")
    page.until("1 message")
    assert page.texts(".message .to") == [hostile]
    page.open("inbox", kind="sms")
    page.until("SMS", ".message .badge")
    assert API_KEY not in page.texts(".message")[0]


def test_shows_when_messages_were_sent(page, project):
    people = ["first@example.com", "+15550101", "last@example.com"]
    for email in people[::2]:
        project.call("", localId=email[:2], email=email)
    project.accounts.link(requestType="PASSWORD_RESET", email=people[0])
    project.accounts.call("sendVerificationCode", phoneNumber=people[1])
    project.accounts.link(requestType="PASSWORD_RESET", email=people[2])
    base = f"http://{project.emulator.auth}/emulator/v1/projects/{PROJECT}"
    codes = requests.get(f"{base}/oobCodes", timeout=20).json()["oobCodes"]
    codes += requests.get(f"{base}/verificationCodes", timeout=20).json()["verificationCodes"]
    page.open("inbox")
    page.until(f"{len(codes)} messages")
    # Mails and SMS are in one order, the newest first, those from before the page was opened included.
    shown = page.evaluate(
        """[...document.querySelectorAll(".message")].map((each) => {
          const time = each.querySelector("time");
          return [each.querySelector(".to").textContent, Date.parse(time.textContent) / 1000, time.title];
        })"""
    )
    assert [to for to, *_ in shown if to in people] == people[::-1]
    seconds = page.evaluate(f"{json.dumps([code['createdAt'] for code in codes])}.map((each) => Math.floor(Date.parse(each) / 1000))")
    assert sorted(shown) == sorted([code.get("email") or code["phoneNumber"], at, ""] for code, at in zip(codes, seconds))

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The Firebase Web SDK's Authentication, unchanged, in Chromium: one page runs all cases, each of which is a test here."""

import re
from urllib.parse import urlencode

import pytest

from harness import Emulator
from web_pages import HERE, SEVERAL_WINDOWS, WEB_SDK, run_page

pytestmark = [
    pytest.mark.skipif(not WEB_SDK.exists(), reason="needs the Web SDK's browser builds"),
    pytest.mark.timeout(300),
]

PROJECT = "demo-web-auth"
SUITES = ["accounts", "links", "tokens", "providers", "phones", "factors", "projects", "pages", "house"]
CASE = re.compile(r'^test\("(.+)", (?:async )?\(t\) => \{$', re.MULTILINE)

# Cases in which the server differs from production: the request, its answer, and the right one.
WRONG = {
    "null removes a name and a picture": "accounts:update with displayName: null keeps the name; production removes it",
    "where addresses are hidden, a new one is verified first": (
        "accounts:update of an e-mail by an ID token is taken; with enumeration protection it is refused with "
        "OPERATION_NOT_ALLOWED : Please verify the new email before changing email."
    ),
    "a link to sign in goes to an address": "sendOobCode EMAIL_SIGNIN takes any text; INVALID_EMAIL is right",
    "a password is reset for addresses only": "sendOobCode PASSWORD_RESET to a text without @ is EMAIL_NOT_FOUND, not INVALID_EMAIL",
    "a new address is an address": "sendOobCode VERIFY_AND_CHANGE_EMAIL takes any text; INVALID_NEW_EMAIL is right",
    "an address that was changed by a link ends the user's sessions": (
        "accounts:update with a code of VERIFY_AND_CHANGE_EMAIL leaves validSince as it was; later lookups must be TOKEN_EXPIRED"
    ),
    "where addresses are hidden, a change to another's is not refused": (
        "sendOobCode VERIFY_AND_CHANGE_EMAIL is EMAIL_EXISTS; with enumeration protection it answers 200 and sends nothing"
    ),
    "a code to have an address back says which one it replaces": (
        "resetPassword with a code of RECOVER_EMAIL has no newEmail; it must be the user's present address"
    ),
    "a user whose tokens are revoked is signed out by a refresh": (
        "token takes a refresh token from before validSince; TOKEN_EXPIRED is right"
    ),
    "a user who was deleted is signed out by a refresh": (
        "token is INVALID_REFRESH_TOKEN for a deleted user, whom the SDK then keeps; USER_NOT_FOUND is right"
    ),
    "a user of Google adds a password for the same address": (
        "signUp with an ID token is EMAIL_EXISTS where the address is the user's own; only another user's is taken"
    ),
    "an unknown identity does not reauthenticate, and makes no user": (
        "signInWithIdp with autoCreate: false makes a user; USER_NOT_FOUND is right"
    ),
    "an unknown number does not reauthenticate, and makes no user": (
        "signInWithPhoneNumber with operation: REAUTH makes a user; USER_NOT_FOUND is right"
    ),
    "a project with reCAPTCHA has a key for it, and signs users in": (
        "recaptchaConfig has no recaptchaKey, and enforcement OFF, whatever the project's recaptchaConfig says"
    ),
    "a tenant has a policy of its own": "GET passwordPolicy reads no tenantId in the query: the project's policy is answered",
}


def declared(suite):
    """The names of a suite's cases."""
    return CASE.findall((HERE / f"web/auth/{suite}.js").read_text())


def parameter(suite, name):
    marks = [pytest.mark.xfail(reason=WRONG[name], raises=AssertionError, strict=True)] if name in WRONG else []
    return pytest.param(name, id=f"{suite}: {name}", marks=marks)


@pytest.fixture(scope="module")
def results():
    """The error of each case, `None` where it passed, by the case's name."""
    emulator = Emulator("--ephemeral", "--auth-port", "0", "--project", PROJECT)
    try:
        query = {"auth": emulator.auth, "firestore": emulator.firestore, "storage": emulator.storage, "project": PROJECT}
        imports = "".join(f'import "/web/auth/{suite}.js";' for suite in SUITES)
        script = f'{imports} import {{ runAll }} from "/web/auth/suite.js"; runAll();'
        found = run_page(script, f"?{urlencode(query)}", seconds=240, arguments=SEVERAL_WINDOWS)
        emulator.expect_honest_meter()
    finally:
        emulator.close()
    return {result["name"]: result["error"] for result in found}


@pytest.mark.parametrize("name", [parameter(suite, name) for suite in SUITES for name in declared(suite)])
def test_case(results, name):
    assert results[name] is None, results[name]


def test_every_case_is_run(results):
    assert list(results) == [name for suite in SUITES for name in declared(suite)]
    assert {path.stem for path in (HERE / "web/auth").glob("*.js")} == {"suite", *SUITES}
    assert set(WRONG) <= set(results)

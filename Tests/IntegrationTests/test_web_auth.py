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
    "where addresses are hidden, a new one is verified first": (
        "as on the official emulator; in production OPERATION_NOT_ALLOWED"
    ),
    "an address that was changed by a link ends the user's sessions": (
        "as on the official emulator; in production TOKEN_EXPIRED"
    ),
    "where addresses are hidden, a change to another's is not refused": (
        "as on the official emulator; in production 200, and nothing is sent"
    ),
    "a user whose tokens are revoked is signed out by a refresh": (
        "as on the official emulator; in production TOKEN_EXPIRED"
    ),
    "a user who was deleted is signed out by a refresh": (
        "as on the official emulator; in production USER_NOT_FOUND"
    ),
}


def declared(suite):
    """The names of a suite's cases."""
    return CASE.findall((HERE / f"web/auth/{suite}.js").read_text())


def parameter(suite, name):
    marks = [pytest.mark.xfail(reason=WRONG[name], raises=AssertionError, strict=True)] if name in WRONG else []
    return pytest.param(name, id=f"{suite}: {name}", marks=marks)


def run_cases(*options, only=()):
    """The error of each case, `None` where it passed, by the case's name."""
    emulator = Emulator("--ephemeral", "--auth-port", "0", "--project", PROJECT, *options)
    try:
        query = {"auth": emulator.auth, "firestore": emulator.firestore, "storage": emulator.storage, "project": PROJECT}
        imports = "".join(f'import "/web/auth/{suite}.js";' for suite in SUITES)
        script = f'{imports} import {{ runAll }} from "/web/auth/suite.js"; runAll();'
        address = f"?{urlencode(query | {'only': only}, doseq=True)}"
        found = run_page(script, address, seconds=240, arguments=SEVERAL_WINDOWS)
        emulator.expect_honest_meter()
    finally:
        emulator.close()
    return {result["name"]: result["error"] for result in found}


@pytest.fixture(scope="module")
def results():
    return run_cases()


@pytest.mark.parametrize("name", [parameter(suite, name) for suite in SUITES for name in declared(suite)])
def test_case(results, name):
    assert results[name] is None, results[name]


def test_every_case_is_run(results):
    assert list(results) == [name for suite in SUITES for name in declared(suite)]
    assert {path.stem for path in (HERE / "web/auth").glob("*.js")} == {"suite", *SUITES}
    assert set(WRONG) <= set(results)


def test_the_production_profile_is_right_where_the_official_emulator_is_wrong():
    assert run_cases("--auth-profile", "production", only=WRONG) == dict.fromkeys(WRONG)

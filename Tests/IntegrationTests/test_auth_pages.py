# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The Authentication emulator's pages in Chromium, with the unmodified Web SDK: pop-ups, redirects, links to phones and in e-mails.

A test fails where the browser calls another computer or reports an error that the test does not expect.
"""

import json
from urllib.parse import parse_qs, parse_qsl, unquote, urlsplit

import pytest
import requests

from harness import ROOT
from sign_in import API_KEY, IS_APP, IS_HANDLER, PROJECT, Accounts, Journey, add_account
from web_pages import WEB_SDK, serving

pytestmark = pytest.mark.skipif(not WEB_SDK.exists(), reason="needs the Web SDK's browser builds")

# A provider, the app's host, the emulator's host.
PLACES = [("google.com", "127.0.0.1", "127.0.0.1"), ("saml.x", "localhost", "127.0.0.1"), ("oidc.y", "127.0.0.1", "localhost")]

HOSTILE = [
    '<img src=x onerror="window.harmed = 1">',
    "</script><script>window.harmed = 2</script>",
    '"><svg onload=window.harmed=3>',
    "'); window.harmed = 4; ('",
    "${window.harmed = 5}{{constructor.constructor('window.harmed = 6')()}}",
    "\u202egnp.exe & <b>bold</b> \u0000 \\ % ' \" `",
    "W" * 500,
]
IS_UNHARMED = "window.harmed === undefined && document.querySelectorAll('script').length === 1"


@pytest.fixture(scope="module")
def started_accounts(serve_for_file):
    return Accounts(serve_for_file("--ephemeral", "--project", PROJECT))


@pytest.fixture
def accounts(started_accounts):
    started_accounts.clear()
    return started_accounts


@pytest.fixture
def browser(started_browser):
    """A browser whose `expected` messages, and requests to `others`, do not fail the test."""
    started_browser.forget()
    started_browser.expected, started_browser.others = [], set()
    yield started_browser
    started_browser.close_pages()
    hosts = {urlsplit(address).hostname for address in started_browser.requests if address.startswith(("http", "ws"))}
    assert hosts - started_browser.others <= {"127.0.0.1", "localhost"}
    assert [text for text in started_browser.messages if not any(part in text for part in started_browser.expected)] == []


@pytest.fixture(scope="module")
def app_port():
    with serving() as server:
        yield server.server_port


@pytest.fixture
def journey(browser, app_port, accounts):
    return Journey(browser, app_port, accounts)


def opened(browser, accounts, **query):
    """Opens the page of accounts in its own window."""
    page = browser.open(accounts.handler(**query))
    page.wait_until(IS_HANDLER)
    return page


# Pop-ups


@pytest.mark.parametrize("provider, app, auth", PLACES)
def test_signs_in_with_a_popup(journey, provider, app, auth):
    journey.open_app(app, auth)
    outcome = journey.sign_in(provider=provider, email="eve@example.com")
    assert (outcome["email"], outcome["providerId"], outcome["operationType"]) == ("eve@example.com", provider, "signIn")


def test_the_form_and_the_list_give_one_user(journey, accounts):
    journey.open_app()
    popup = journey.start("signInWithPopup", scopes=["a", "b"], parameters={"login_hint": "hinted@example.com"})
    popup.click("#add-account-button button")
    assert popup.evaluate("document.getElementById('email-input').value") == "hinted@example.com"
    assert "a, b" in popup.text("#request")
    popup.click("#autogen-button")
    popup.click("#profile-photo-input")
    popup.insert(f"{accounts.address}/photo.png")
    values = popup.evaluate("[...document.querySelectorAll('input')].map((input) => input.value)")
    popup.click("#sign-in")
    first = journey.outcome()
    assert [first["email"], first["displayName"], first["photoURL"]] == [values[0], values[1], values[3]]
    # The photograph is not there: the initial stays.
    journey.browser.expected = ["status of 404"]
    popup = journey.start("signInWithPopup")
    assert popup.evaluate("document.querySelectorAll('.js-reuse-account').length") == 1
    popup.click(".js-reuse-account")
    assert journey.outcome() == first


def test_links_and_reauthenticates(journey):
    journey.open_app("localhost", "127.0.0.1")
    first = journey.sign_in()
    linked = journey.sign_in("linkWithPopup", "oidc.y")
    assert (linked["uid"], linked["operationType"], linked["linked"]) == (first["uid"], "link", ["google.com", "oidc.y"])
    journey.start("reauthenticateWithPopup").click(".js-reuse-account")
    again = journey.outcome()
    assert (again["uid"], again["operationType"]) == (first["uid"], "reauthenticate")
    assert journey.sign_in("reauthenticateWithPopup", email="another@example.com")["code"] == "auth/user-mismatch"


def test_reports_that_the_user_closed_the_popup(journey):
    page = journey.open_app()
    # The SDK looks every 2 s whether a pop-up is closed, and then waits 8 s for an event of it.
    page.evaluate(
        "setTimeout = ((real) => (run, wait, ...rest) => "
        "real(run, [2000, 8000].includes(wait) ? wait / 20 : wait, ...rest))(setTimeout), 0"
    )
    journey.start("signInWithPopup").send("Page.close")
    assert journey.outcome()["code"] == "auth/popup-closed-by-user"


def test_reaches_a_page_that_loses_its_popups(journey):
    page = journey.open_app(isolated="yes")
    assert page.evaluate("crossOriginIsolated")
    popup = journey.start("signInWithPopup")
    assert popup.evaluate("opener") is None
    add_account(popup, "isolated@example.com")
    assert journey.outcome()["email"] == "isolated@example.com"
    journey.browser.wait_for(lambda: popup.is_closed, "the end of the pop-up")


# Redirects


@pytest.mark.parametrize("provider, app, auth", PLACES)
def test_signs_in_with_a_redirect(journey, provider, app, auth):
    page = journey.open_app(app, auth)
    address = page.evaluate("location.href")
    outcome = journey.sign_in("signInWithRedirect", provider, email="eve@example.com")
    assert (outcome["email"], outcome["providerId"], outcome["operationType"]) == ("eve@example.com", provider, "signIn")
    assert page.evaluate("location.href") == address
    page.send("Page.reload")
    page.wait_until("window.outcome === undefined && window.isReady")
    assert journey.redirect_outcome() == {"result": None}


def test_refuses_to_return_to_other_schemes(browser, accounts):
    page = browser.open()
    browser.expected = ["not an HTTP URL"]
    for address in ["javascript:window.harmed=1", "data:text/html,x", "blob:http://127.0.0.1/x", "file:///etc/passwd"]:
        page.go(accounts.handler(authType="signInViaRedirect", redirectUrl=address))
        page.wait_until(f"{IS_HANDLER} && new URLSearchParams(location.search).get('redirectUrl') === {json.dumps(address)}")
        add_account(page, "eve@example.com")
        page.wait_until("document.getElementById('failure').checkVisibility()")
        assert "redirectUrl" in page.text("#failure-reason")
        assert page.evaluate(IS_UNHARMED)


def test_explains_that_an_app_on_another_site_gets_no_result(browser, accounts):
    page = opened(browser, accounts, authType="signInViaRedirect", redirectUrl="https://127.0.0.1/app")
    browser.expected = ["Browsers do not share storage"]
    add_account(page, "eve@example.com")
    assert "signInWithPopup" in page.wait_until("document.getElementById('failure-reason').textContent")


# Hostile input


def test_shows_hostile_accounts_as_text(journey, accounts):
    for name in HOSTILE:
        accounts.add(sub=name, email=f"{name}@example.com", name=name, screen_name=name, picture="javascript:window.harmed=7")
    page = journey.open_app()
    parameters = {"login_hint": HOSTILE[0], **{name: name for name in HOSTILE}}
    popup = journey.start("signInWithPopup", scopes=HOSTILE, parameters=parameters)
    assert popup.evaluate("[...document.querySelectorAll('.js-reuse-account .name')].map((e) => e.textContent)") == HOSTILE
    assert popup.evaluate("document.querySelectorAll('main img, main svg, main b').length") == 0
    assert popup.evaluate(IS_UNHARMED)
    popup.click(".js-reuse-account")
    assert journey.outcome()["displayName"] == HOSTILE[0]
    assert page.evaluate(IS_UNHARMED)


def test_shows_hostile_parameters_as_text(browser, accounts):
    page = browser.open()
    names = ["providerId", "tid", "authType", "redirectUrl", "appName", "eventId", "apiKey", "scopes", "customParameters"]
    for name in HOSTILE:
        page.go(accounts.handler(**{each: name for each in names}))
        text = json.dumps(f"Sign in with {name[0].upper()}{name[1:]}")
        page.wait_until(f"{IS_HANDLER} && document.getElementById('sign-in').textContent === {text}")
        assert page.evaluate(IS_UNHARMED)
    browser.expected = [f"console.error: Error: {HOSTILE[0]}"]
    page.go(accounts.handler(error=HOSTILE[0]))
    page.wait_until(IS_HANDLER)
    assert page.text("#failure-reason") == HOSTILE[0]
    assert page.evaluate(IS_UNHARMED)


FORGE = """(() => {
  const frame = document.querySelector("iframe[id^=firemeter_]"), origin = new URL(frame.src).origin;
  const token = new URLSearchParams(new URL(frame.src).hash.slice(1)).get("rpctoken");
  const authEvent = { type: "signInViaPopup", error: { code: "auth/forged" }, eventId: "%s" };
  const message = (t) => "!_" + JSON.stringify({ s: `/${frame.id}::authEvent`, t, c: 1, a: [{ type: "authEvent", authEvent }] });
  const receive = (data, origin, source) => dispatchEvent(new MessageEvent("message", { data, origin, source }));
  %s
})()"""
FORGERIES = """
  receive(message(token), origin, window);
  receive(message("wrong"), origin, frame.contentWindow);
  receive(message(token), "http://evil.example", frame.contentWindow);
  const storageKey = "fake-api-key:[DEFAULT]";
  frame.contentWindow.postMessage({ eventType: "sendAuthEvent", data: { authEvent, storageKey } }, "*");
  for (const junk of [null, 1, {}, { eventType: "sendAuthEvent" }, "", "!_", "!_{", "!_null", "!_[]", '!_{"t":1}']) {
    receive(junk, origin, frame.contentWindow);
    frame.contentWindow.postMessage(junk, "*");
  }
"""


def forge(journey, forgery):
    """Opens a pop-up, sends forged events to the app and the frame, and returns the pop-up."""
    page = journey.open_app()
    popup = journey.start("signInWithPopup")
    page.evaluate(FORGE % (popup.evaluate("new URLSearchParams(location.search).get('eventId')"), forgery))
    return popup


def test_ignores_forged_messages(journey):
    add_account(forge(journey, FORGERIES), "true@example.com")
    assert journey.outcome().get("email") == "true@example.com"


def test_would_accept_a_genuine_message(journey):
    """The forgeries differ from it only where each says so."""
    forge(journey, "receive(message(token), origin, frame.contentWindow);")
    assert journey.outcome()["code"] == "auth/forged"


# The keyboard


def test_works_with_the_keyboard_alone(journey):
    enter = ("Enter", 13)
    journey.open_app()
    popup = journey.start("signInWithPopup")
    popup.press("Tab", 9)
    popup.press(*enter, text="\r")
    assert popup.evaluate("document.activeElement.id") == "email-input"
    popup.press(*enter, text="\r")
    assert popup.text("#email-error") == "Email required"
    popup.insert("keys")
    popup.press(*enter, text="\r")
    assert popup.text("#email-error") == 'Missing "@"'
    assert popup.evaluate("document.activeElement.getAttribute('aria-invalid')") == "true"
    popup.insert("@example.com")
    popup.press(*enter, text="\r")
    assert journey.outcome()["email"] == "keys@example.com"


# Phones

PHONE = {"appName": None, "authType": "signInWithRedirect", "providerId": "saml.x", "eventId": "E1"}


def expect_answer(address, accounts):
    """Expects the URL that SDKs send to `accounts:signInWithIdp`, and that the emulator takes it."""
    parts = urlsplit(address)
    assert (f"{parts.scheme}://{parts.netloc}", parts.path) == (accounts.address, "/emulator/auth/handler")
    values = dict(parse_qsl(parts.query))
    assert list(values) == ["providerId", "id_token", "SAMLResponse"]
    assert json.loads(values["SAMLResponse"]) == {"assertion": {"subject": {"nameId": "eve@example.com"}}}
    signed_in = accounts.call("signInWithIdp", requestUri=address, returnSecureToken=True)
    assert (signed_in["email"], signed_in["providerId"]) == ("eve@example.com", "saml.x")


def way_back(browser, accounts, start, **query):
    """Signs in; returns the page's address, and the one by which it opens the app."""
    page = opened(browser, accounts, **PHONE, **query)
    here = page.evaluate("location.href")
    add_account(page, "eve@example.com")
    return here, browser.wait_for(lambda: next((link for link in browser.navigations if link.startswith(start)), None), start)


@pytest.mark.parametrize(
    "start, query",
    [
        ("com.example.app://google/link", {}),
        ("com.googleusercontent.apps.12-ab://firebaseauth/link", {"clientId": "12-ab.apps.googleusercontent.com"}),
        ("app-1-23-ios-4f://firebaseauth/link", {"appId": "1:23:ios:4f"}),
    ],
)
def test_returns_to_an_app_of_ios(browser, accounts, start, query):
    _, address = way_back(browser, accounts, f"{start}?deep_link_id=", ibi="com.example.app", **query)
    callback = urlsplit(parse_qs(urlsplit(address).query)["deep_link_id"][0])
    assert (f"{callback.scheme}://{callback.netloc}", callback.path) == (accounts.address, "/__/auth/callback")
    values = dict(parse_qsl(callback.query))
    assert (values["authType"], values["eventId"]) == ("signInWithRedirect", "E1")
    expect_answer(values["link"], accounts)


def test_returns_to_an_app_of_android(browser, accounts):
    here, address = way_back(browser, accounts, "intent:", apn="com.example.app")
    start, extras = address.split("#Intent;")
    assert start == "intent://firebase.auth/" and extras.endswith(";end;")
    values = dict(extra.split("=", 1) for extra in extras.removesuffix(";end;").split(";"))
    assert (values["scheme"], values["package"]) == ("genericidp", "com.example.app")
    assert (values["S.authType"], values["S.eventId"], values["B.encryptionEnabled"]) == ("signInWithRedirect", "E1", "false")
    assert unquote(values["S.browser_fallback_url"]) == f"{here}&error=App+not+found+for+intent"
    expect_answer(unquote(values["S.link"]), accounts)


# Without the Internet


def test_a_page_without_the_script_fails_until_it_has_it(journey, browser):
    browser.expected, browser.others = ["apis.google.com", "ERR_NAME_NOT_RESOLVED"], {"apis.google.com"}
    page = journey.open_app(gapi="none")
    journey.press_button("signInWithPopup")
    assert journey.outcome()["code"] == "auth/internal-error"
    page.evaluate(f"import('{journey.accounts.address}/emulator/auth/gapi.js').then(() => 0)")
    assert journey.sign_in()["email"] == "new@example.com"


def test_the_script_may_come_by_a_tag(journey):
    journey.open_app(gapi="tag")
    assert journey.sign_in()["email"] == "new@example.com"


def test_the_script_may_come_from_googles_address(journey, browser):
    """As a test runner's route, a proxy or an extension has it."""
    browser.others = {"apis.google.com"}
    browser.replacements["https://apis.google.com/js/api.js"] = requests.get(
        f"{journey.accounts.address}/emulator/auth/gapi.js", timeout=20
    ).text
    journey.open_app(gapi="none")
    assert journey.sign_in()["email"] == "new@example.com"


def test_header_fields_are_those_of_the_document(accounts):
    document = (ROOT / "docs/auth-pages.md").read_text()
    for path in ["handler?apiKey=k&providerId=google.com", "iframe", "relay", "gapi.js", "pages.css"]:
        response = requests.get(f"{accounts.address}/emulator/auth/{path}", headers={"Origin": "null"}, timeout=20)
        fields = {name.lower(): value for name, value in response.headers.items()}
        assert fields.pop("access-control-allow-origin") == "null"
        is_page = not path.endswith((".js", ".css"))
        assert ("content-security-policy" in fields) == is_page
        assert ("cross-origin-embedder-policy" in fields) == (path == "iframe")
        for name in ["content-security-policy", "cross-origin-embedder-policy"]:
            assert fields.pop(name, "") in document
        for name in ["content-type", "content-length", "date"]:
            del fields[name]
        assert fields == {
            "cache-control": "no-cache",
            "cross-origin-resource-policy": "cross-origin",
            "referrer-policy": "no-referrer",
            "vary": "Origin",
            "x-content-type-options": "nosniff",
        }


# Links in e-mails


def clicked(address):
    """The answer to a link, not followed; it must be JSON or lead elsewhere."""
    response = requests.get(address, allow_redirects=False, timeout=20)
    if response.status_code == 303:
        assert not response.content
    else:
        assert response.headers["Content-Type"] == "application/json; charset=UTF-8"
        assert "harmed" not in str(response.headers)
    return response


def test_verifies_an_address(accounts):
    user = accounts.call("signUp", email="eve@example.com", password="secret-1", returnSecureToken=True)
    request = {"requestType": "VERIFY_EMAIL", "idToken": user["idToken"]}
    link = accounts.link(**request)
    answer = {"success": "The email has been successfully verified.", "email": "eve@example.com"}
    assert clicked(link).json() == {"authEmulator": answer}
    assert accounts.call("lookup", idToken=user["idToken"])["users"][0]["emailVerified"]
    again = clicked(link)
    assert again.status_code == 400 and "already been used" in again.json()["authEmulator"]["error"]
    app = "http://localhost:5000/welcome?a=1#b"
    assert clicked(accounts.link(**request, continueUrl=app)).headers["Location"] == app


def test_resets_a_password(accounts):
    accounts.call("signUp", email="eve@example.com", password="secret-1", returnSecureToken=True)
    link = accounts.link(requestType="PASSWORD_RESET", email="eve@example.com")
    asked = clicked(link)
    assert asked.status_code == 400
    template = asked.json()["authEmulator"]["urlTemplate"]
    assert template == f"{link}&newPassword=NEW_PASSWORD_HERE"
    assert clicked(template).status_code == 400
    assert clicked(f"{link}&newPassword=secret-2").json()["authEmulator"]["email"] == "eve@example.com"
    accounts.call("signInWithPassword", email="eve@example.com", password="secret-2")
    assert clicked(f"{link}&newPassword=secret-3").status_code == 400


def test_signs_in_with_a_link(journey, accounts):
    page = journey.open_app()
    page.evaluate("window.sendSignInLink('eve@example.com').then(() => 0)")
    page.go(accounts.latest_link())
    page.wait_until(IS_APP)
    assert "mode=signIn" in page.evaluate("location.search")
    page.evaluate("window.signInWithLink('eve@example.com'), 0")
    assert journey.outcome()["email"] == "eve@example.com"


def test_links_give_nothing_hostile_back(browser, accounts):
    names = ["mode", "oobCode", "apiKey", "lang", "tenantId", "continueUrl", "newPassword"]
    genuine = {"mode": "verifyEmail", "oobCode": "none", "apiKey": API_KEY}
    for text in [*HOSTILE, "javascript:window.harmed=1", "x\r\nSet-Cookie: harmed=1"]:
        for mode in ["verifyEmail", "resetPassword", "recoverEmail", "verifyAndChangeEmail", "signIn"]:
            query = genuine | {name: text for name in names[1:]} | {"mode": mode}
            assert clicked(accounts.action(**query)).status_code == 400
        for name in names:
            assert clicked(accounts.action(**genuine | {name: text})).status_code == 400
    # A hostile address of someone who exists is in the answer, which a browser shows as text.
    hostile = "<svg/onload=window.harmed=1>@example.com"
    accounts.add(sub="1", email=hostile)
    browser.expected = ["status of 400", "/favicon.ico"]
    page = browser.open(accounts.link(requestType="PASSWORD_RESET", email=hostile))
    page.wait_until("document.readyState === 'complete' && document.body.textContent.includes('To reset the password for')")
    assert hostile in page.evaluate("document.body.textContent")
    assert page.evaluate("window.harmed === undefined && document.querySelector('svg') === null")

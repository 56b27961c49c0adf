# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The steps of a user who signs in to an app, in a browser, on the emulator's pages; and the emulator's side of them."""

import json
from urllib.parse import urlencode

import requests

PROJECT = "demo-pages"
API_KEY = "fake-api-key"
IS_HANDLER = "location.pathname === '/emulator/auth/handler' && document.readyState === 'complete'"
IS_APP = "location.pathname === '/web/sign-in/app.html' && window.isReady"


class Accounts:
    """The accounts of the project of an emulator, over its REST interface."""

    def __init__(self, emulator):
        self.address = f"http://{emulator.auth}"
        self.port = emulator.auth.rsplit(":", 1)[1]

    def call(self, method, **body):
        address = f"{self.address}/identitytoolkit.googleapis.com/v1/accounts:{method}?key={API_KEY}"
        response = requests.post(address, json=body, timeout=20)
        assert response.status_code == 200, response.text
        return response.json()

    def add(self, provider="google.com", **claims):
        """Has someone sign in with a provider's claims; returns the id of the user."""
        post_body = urlencode({"providerId": provider, "id_token": json.dumps(claims)})
        body = {"postBody": post_body, "requestUri": "http://localhost", "returnSecureToken": True}
        return self.call("signInWithIdp", **body)["localId"]

    def link(self, **request):
        """Has an e-mail sent; returns the link in it."""
        self.call("sendOobCode", **request)
        return self.latest_link()

    def latest_link(self):
        response = requests.get(f"{self.address}/emulator/v1/projects/{PROJECT}/oobCodes", timeout=20)
        return response.json()["oobCodes"][-1]["oobLink"]

    def clear(self):
        response = requests.delete(f"{self.address}/emulator/v1/projects/{PROJECT}/accounts", timeout=20)
        assert response.status_code == 200, response.text

    def handler(self, **query):
        """The address of the page of accounts; parameters that are `None` are left out."""
        query = {"apiKey": API_KEY, "appName": "[DEFAULT]", "providerId": "google.com", "authType": "signInViaPopup", **query}
        given = {name: value for name, value in query.items() if value is not None}
        return f"{self.address}/emulator/auth/handler?{urlencode(given)}"

    def action(self, **query):
        return f"{self.address}/emulator/action?{urlencode(query)}"


class Journey:
    """A user in the app of `web/sign-in`."""

    def __init__(self, browser, app_port, accounts):
        self.browser, self.app_port, self.accounts = browser, app_port, accounts

    def open_app(self, app="127.0.0.1", auth="127.0.0.1", **query):
        """Opens the app under one host name, with the emulator under another."""
        query = {"auth": f"http://{auth}:{self.accounts.port}", **query}
        self.page = self.browser.open(f"http://{app}:{self.app_port}/web/sign-in/app.html?{urlencode(query)}")
        self.page.wait_until(IS_APP)
        return self.page

    def press_button(self, operation, provider="google.com", **settings):
        self.page.wait_until(IS_APP)
        plan = {"operation": operation, "provider": provider, **settings}
        self.page.evaluate(f"window.outcome = null, window.plan = {json.dumps(plan)}, 0")
        self.page.click("#run")

    def start(self, operation, provider="google.com", **settings):
        """Presses the app's button; returns the page of accounts, which is a pop-up or in place of the app."""
        self.press_button(operation, provider, **settings)
        window = self.browser.popup_of(self.page) if "Popup" in operation else self.page
        window.wait_until(IS_HANDLER)
        return window

    def sign_in(self, operation="signInWithPopup", provider="google.com", email="new@example.com"):
        """Signs in with a new account; returns the result in the app."""
        add_account(self.start(operation, provider), email)
        return self.outcome() if "Popup" in operation else self.redirect_outcome()

    def outcome(self):
        """The result of the operation in the app."""
        return self.page.wait_until("window.outcome")

    def redirect_outcome(self):
        """The result of `getRedirectResult` in the app."""
        self.page.wait_until(IS_APP)
        self.page.evaluate("window.outcome = null, window.redirected(), 0")
        return self.outcome()


def add_account(window, email, **fields):
    """Adds an account in the page of accounts, and signs in with it."""
    window.click("#add-account-button button")
    for name, text in {"email-input": email, **fields}.items():
        window.click(f"#{name}")
        window.insert(text)
    window.click("#sign-in")

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Chromium without a window, used as by a user: clicks, keys, pop-ups, redirects. It reports requests and error messages.

`web_pages.run_page` suffices for a page that needs no user. This browser is controlled through its debugging pipe, and reaches this
machine alone.
"""

import base64
import fcntl
import itertools
import json
import os
import subprocess
import tempfile
import threading
from contextlib import contextmanager, suppress

from harness import wait_until
from web_pages import CHROMIUM, THIS_MACHINE_ALONE

COMMAND = [
    *[*CHROMIUM, THIS_MACHINE_ALONE, "--remote-debugging-pipe", "--no-first-run", "--disable-sync"],
    *["--disable-background-networking", "--disable-component-update"],
    # Started ahead for the next page, which costs the other tests more than it saves here.
    "--disable-features=SpareRendererForSitePerProcess",
]
SECONDS_MAX = 20
ATTACH = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}


class ProtocolError(Exception):
    """The browser refuses a command."""


class Window:
    """A page, a pop-up or a frame with a process of its own."""

    def __init__(self, browser, session, info):
        self.browser, self.session, self.info = browser, session, info
        self.is_closed = False

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def evaluate(self, expression):
        """The value of an expression, or the one that its promise resolves to."""
        answer = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]["exception"].get("description")
        return answer["result"].get("value")

    def wait_until(self, expression, seconds=SECONDS_MAX):
        """Waits until an expression is true, also over a navigation; returns its value."""

        def value():
            try:
                return self.evaluate(expression)
            except (AssertionError, ProtocolError):
                if self.is_closed:
                    raise
                return None

        return wait_until(value, expression, seconds)

    def go(self, address):
        answer = self.send("Page.navigate", url=address)
        assert "errorText" not in answer, answer

    def text(self, selector):
        return self.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")

    def click(self, selector):
        """Clicks on the middle of an element with the mouse."""
        element = f"document.querySelector({json.dumps(selector)})"
        self.wait_until(f"!!{element}")
        box = self.evaluate(f"({element}.scrollIntoView(), {element}.getBoundingClientRect().toJSON())")
        place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        for kind in ["mousePressed", "mouseReleased"]:
            self.send("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)

    def press(self, key, code, **text):
        for kind, extra in [("keyDown", text), ("keyUp", {})]:
            self.send("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **extra)

    def insert(self, text):
        self.send("Input.insertText", text=text)


class Browser:
    """The connection to the browser, with the requests, messages, navigations and ended downloads that it reported.

    `replacements` are scripts that pages get in place of what starts with an address.
    """

    def __init__(self, to_browser, from_browser):
        self._out, self._in = to_browser, from_browser
        self._numbers = itertools.count(1)
        self._answers, self._contexts = {}, []
        self._changed = threading.Condition()
        self.windows, self.requests, self.messages, self.navigations, self.downloads = {}, [], [], [], []
        self.replacements = {}
        threading.Thread(target=self._listen, daemon=True).start()
        self.send("Target.setAutoAttach", **ATTACH)

    def post(self, method, session=None, **parameters):
        """Sends a command without waiting; returns its number."""
        message = {"id": next(self._numbers), "method": method, "params": parameters}
        with self._changed:
            self._out.write(json.dumps(message | ({"sessionId": session} if session else {})).encode() + b"\0")
            self._out.flush()
        return message["id"]

    def send(self, method, session=None, **parameters):
        number = self.post(method, session, **parameters)
        self.wait_for(lambda: number in self._answers, f"an answer to {method}")
        answer = self._answers.pop(number)
        if "error" in answer:
            raise ProtocolError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def wait_for(self, condition, what):
        """Waits until reports of the browser make a condition true; returns its value."""
        with self._changed:
            assert self._changed.wait_for(condition, SECONDS_MAX), f"waited in vain: {what}"
            return condition()

    def wait_for_window(self, is_it):
        def window():
            return next((window for window in self.windows.values() if is_it(window) and not window.is_closed), None)

        return self.wait_for(window, "a window")

    def open(self, address="about:blank"):
        """Opens a page in a profile of its own."""
        context = self.send("Target.createBrowserContext")["browserContextId"]
        self._contexts.append(context)
        identifier = self.send("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        page = self.wait_for_window(lambda window: window.info["targetId"] == identifier)
        page.go(address)
        return page

    def popup_of(self, page):
        """The other page in a profile, whether or not the two know each other."""
        profile = page.info["browserContextId"]
        return self.wait_for_window(
            lambda window: window is not page and window.info["type"] == "page" and window.info["browserContextId"] == profile
        )

    def close_pages(self):
        for context in self._contexts:
            self.send("Target.disposeBrowserContext", browserContextId=context)
        self._contexts.clear()

    def forget(self):
        """Forgets what was reported, and replaces nothing any more."""
        for reported in [self.windows, self.requests, self.messages, self.navigations, self.downloads, self.replacements]:
            reported.clear()

    def _listen(self):
        unread = b""
        with suppress(ValueError, OSError):  # The pipe is closed at the end.
            while chunk := os.read(self._in.fileno(), 1 << 16):
                *messages, unread = (unread + chunk).split(b"\0")
                for message in messages:
                    self._take(json.loads(message))

    def _take(self, message):
        with self._changed:
            if "id" in message:
                self._answers[message["id"]] = message
            elif taker := getattr(self, "_on_" + message["method"].replace(".", "_"), None):
                taker(message["params"], message.get("sessionId"))
            self._changed.notify_all()

    # Reports, by the names of the protocol

    def _on_Target_attachedToTarget(self, parameters, _):
        session, info = parameters["sessionId"], parameters["targetInfo"]
        if not info["url"].startswith("chrome://"):  # a part of the browser's user interface
            self.windows[session] = Window(self, session, info)
            for method in ["Network.enable", "Runtime.enable", "Log.enable", "Page.enable"]:
                self.post(method, session)
            if self.replacements:
                self.post("Fetch.enable", session, patterns=[{"urlPattern": f"{start}*"} for start in self.replacements])
            self.post("Target.setAutoAttach", session, **ATTACH)
        self.post("Runtime.runIfWaitingForDebugger", session)

    def _on_Target_detachedFromTarget(self, parameters, _):
        if window := self.windows.get(parameters["sessionId"]):
            window.is_closed = True

    def _on_Network_requestWillBeSent(self, parameters, _):
        self.requests.append(parameters["request"]["url"])

    def _on_Page_frameRequestedNavigation(self, parameters, _):
        self.navigations.append(parameters["url"])

    def _on_Browser_downloadProgress(self, parameters, _):
        if parameters["state"] == "completed":
            self.downloads.append(parameters["guid"])

    def _on_Runtime_exceptionThrown(self, parameters, _):
        details = parameters["exceptionDetails"]
        self.messages.append(details.get("exception", {}).get("description") or details["text"])

    def _on_Log_entryAdded(self, parameters, _):
        self.messages.append(f"{parameters['entry']['text']} {parameters['entry'].get('url', '')}")

    def _on_Runtime_consoleAPICalled(self, parameters, _):
        words = " ".join(str(word.get("value", word.get("description"))) for word in parameters["args"])
        self.messages.append(f"console.{parameters['type']}: {words}")

    def _on_Fetch_requestPaused(self, parameters, session):
        body = next(text for start, text in self.replacements.items() if parameters["request"]["url"].startswith(start))
        answer = {
            "responseCode": 200,
            "responseHeaders": [{"name": "Content-Type", "value": "text/javascript"}],
            "body": base64.b64encode(body.encode()).decode(),
        }
        self.post("Fetch.fulfillRequest", session, requestId=parameters["requestId"], **answer)


@contextmanager
def chromium():
    """Starts the browser; yields the connection to it."""
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    # Chromium's ends are its descriptors 3 and 4: these copies are neither.
    copies = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10) for descriptor in [theirs_in, theirs_out]]
    with tempfile.TemporaryDirectory(prefix="firemeter-browser-", ignore_cleanup_errors=True) as profile:
        command = [word.format(profile=profile) for word in COMMAND]
        process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{copies[0]} 4>&{copies[1]}', "bash", *command],
            pass_fds=copies,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for descriptor in [theirs_in, theirs_out, *copies]:
            os.close(descriptor)
        try:
            with os.fdopen(ours_out, "wb") as to_browser, os.fdopen(ours_in, "rb") as from_browser:
                browser = Browser(to_browser, from_browser)
                yield browser
                browser.post("Browser.close")
                process.wait(timeout=SECONDS_MAX)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait(timeout=SECONDS_MAX)

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The console's page in Chromium, as a user has it."""

import json

# Texts that would run, where a page took them for markup, or mislead, where it let them change what is around them.
HOSTILE = [
    '<img src=x onerror="window.harmed = 1">',
    "</script><script>window.harmed = 2</script>",
    "javascript:window.harmed=3",
    "\u202egnp.exe & <b>bold</b> \\ % ' \" `",
    "__proto__",
    "W" * 300,
]


class ConsolePage:
    """A view of the console in a page of a browser; `errors` are messages of the browser that a test does not expect."""

    def __init__(self, browser, emulator):
        self.browser, self.address = browser, f"http://{emulator.console}/"
        self.window = browser.open("about:blank")
        self.window.send("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)

    def open(self, view):
        """Shows a view by its address behind `#/`."""
        if self.window.evaluate("location.href").startswith(self.address):
            self.window.evaluate(f"location.hash = {json.dumps('#/' + view)}, 0")
        else:
            self.window.go(f"{self.address}#/{view}")

    def until(self, text, selector="main"):
        """Waits until an element has a text; returns all of its text."""
        element = f"document.querySelector({json.dumps(selector)})"
        return self.window.wait_until(f"{element}?.textContent.includes({json.dumps(text)}) && {element}.textContent")

    def texts(self, selector):
        return self.window.evaluate(f"[...document.querySelectorAll({json.dumps(selector)})].map((each) => each.textContent)")

    def press(self, label, inside="main"):
        """Presses the button with a label, which may still be coming, and does not scroll away."""
        found = f"[...document.querySelectorAll({json.dumps(inside)} + ' button')].find((each) => each.textContent === {json.dumps(label)} && !each.disabled)"
        self.window.wait_until(f"{found}?.checkVisibility()")
        self.window.evaluate(f"{found}.click(), 0")

    def enter(self, label, text):
        """Writes into the control with a label, in place of what it has."""
        control = f"""[...document.querySelectorAll("main, dialog")].flatMap((each) => [...each.querySelectorAll("input, textarea, select")]).findLast((each) =>
            each.getAttribute("aria-label") === {json.dumps(label)} || each.labels?.[0]?.firstChild?.textContent === {json.dumps(label)})"""
        self.window.wait_until(f"!!{control}")
        if self.window.evaluate(f"{control}.tagName === 'SELECT'"):
            self.window.evaluate(f"((each) => {{ each.value = {json.dumps(text)}; each.dispatchEvent(new Event('change')); }})({control})")
        else:
            self.window.evaluate(f"(each => {{ each.focus(); each.select(); }})({control})")
            self.window.insert(text) if text else self.window.press("Delete", 46)

    def expect_harmless(self):
        """Nothing that is shown ran, and no other computer was asked for anything."""
        assert self.window.evaluate("window.harmed === undefined && document.querySelectorAll('script, main b > b, main svg').length === 1")
        hosts = {address.split("/")[2] for address in self.browser.requests if address.startswith(("http", "ws"))}
        assert hosts == {self.address.split("/")[2]}

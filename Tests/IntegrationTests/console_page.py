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
    """A view of the console in a page of a browser; messages of the browser that have an `expected` text do not fail the test."""

    def __init__(self, browser, emulator):
        browser.forget()
        self.expected = []
        self.browser, self.address = browser, f"http://{emulator.console}/"
        self.window = browser.open("about:blank")
        self.window.send("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)

    def open(self, view):
        """Shows a view by its address behind `#/`."""
        if self.window.evaluate("location.href").startswith(self.address):
            self.window.evaluate(f"location.hash = {json.dumps('#/' + view)}, 0")
        else:
            self.window.go(f"{self.address}#/{view}")

    def refresh(self):
        """Has the view ask again at once, as when the page comes into sight."""
        self.window.evaluate("document.dispatchEvent(new Event('visibilitychange')), 0")

    def until(self, text, selector="main"):
        """Waits until an element has a text; returns all of its text."""
        element = f"document.querySelector({json.dumps(selector)})"
        return self.window.wait_until(f"{element}?.textContent.includes({json.dumps(text)}) && {element}.textContent")

    def texts(self, selector):
        return self.window.evaluate(f"[...document.querySelectorAll({json.dumps(selector)})].map((each) => each.textContent)")

    def press(self, label, inside="main"):
        """Presses the button with a label once it is there."""
        buttons = f"[...document.querySelectorAll({json.dumps(inside)} + ' button')]"
        found = f"{buttons}.find((each) => each.textContent === {json.dumps(label)} && !each.disabled && each.checkVisibility())"
        self.window.wait_until(f"!!{found}")
        self.window.evaluate(f"{found}.click(), 0")

    def enter(self, label, text):
        """Writes into the control with a label, in place of what it has."""
        controls = "[...document.querySelectorAll(':is(main, dialog) :is(input, textarea, select)')]"
        labels = "[each.getAttribute('aria-label'), each.labels?.[0]?.firstChild?.textContent]"
        control = f"{controls}.findLast((each) => {labels}.includes({json.dumps(label)}))"
        self.window.wait_until(f"{control}?.checkVisibility()")
        if self.window.evaluate(f"{control}.tagName === 'SELECT'"):
            change = f"each.value = {json.dumps(text)}; each.dispatchEvent(new Event('change'));"
            self.window.evaluate(f"((each) => {{ {change} }})({control})")
        else:
            self.window.evaluate(f"((each) => {{ each.focus(); each.select(); }})({control})")
            self.window.insert(text) if text else self.window.press("Delete", 46)

    def expect_harmless(self):
        """Ends: nothing that was shown ran, no other computer was asked for anything, and the browser had nothing to report."""
        assert self.window.evaluate("window.harmed === undefined && document.querySelectorAll('script, main b > b, main svg').length === 1")
        hosts = {address.split("/")[2] for address in self.browser.requests if address.startswith(("http", "ws"))}
        assert hosts == {self.address.split("/")[2]}
        self.browser.close_pages()
        assert [text for text in self.browser.messages if not any(part in text for part in self.expected)] == []

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The console's page in Chromium, used as by a user: by the names of buttons and controls."""

import json
from urllib.parse import urlencode


class ConsolePage:
    """A window with the console's page; it is at a view's address."""

    def __init__(self, browser, console):
        self.address = f"http://{console}/"
        self.window = browser.open(self.address)
        self.wait("document.querySelector('#views a') !== null")
        self.evaluate(HELPERS)

    def evaluate(self, expression):
        return self.window.evaluate(expression)

    def wait(self, expression):
        return self.window.wait_until(expression)

    def go(self, view, **parameters):
        """Opens a view by its address, without a new page; names of parameters that Python reserves end with `_`."""
        query = urlencode({name.rstrip("_"): value for name, value in parameters.items()})
        address = f"#/{view}{'?' if query else ''}{query}"
        self.evaluate(f"location.hash = {json.dumps(address)}, 0")

    def press(self, text, within="body"):
        """Presses the button of this text or label."""
        self.wait(f"pressed({json.dumps(text)}, {json.dumps(within)})")

    def enter(self, label, value, within="body"):
        """Enters a value into the control of this label."""
        self.wait(f"entered({json.dumps(label)}, {json.dumps(value)}, {json.dumps(within)})")

    def wait_for_text(self, text, within="main"):
        self.wait(f"document.querySelector({json.dumps(within)}).textContent.includes({json.dumps(text)})")

    def texts(self, selector):
        return self.evaluate(f"[...document.querySelectorAll({json.dumps(selector)})].map((element) => element.textContent)")

    def choose_files(self, selector, **files):
        """Chooses files, by name their text, in an input; names are those of parameters with `.` for `__`."""
        self.wait(f"document.querySelector({json.dumps(selector)}) !== null")
        made = [{"name": name.replace("__", "."), "text": text} for name, text in files.items()]
        self.evaluate(f"chosen({json.dumps(selector)}, {json.dumps(made)})")


HELPERS = """(() => {
  window.savedFiles = [];
  const made = URL.createObjectURL;
  URL.createObjectURL = (blob) => { savedFiles.push(blob); return made.call(URL, blob); };
  const isSeen = (element) => element.checkVisibility() && !element.disabled;
  const nameOf = (element) => element.getAttribute("aria-label") ?? element.textContent;
  window.pressed = (text, within) => {
    const button = [...document.querySelectorAll(`${within} button`)].filter(isSeen).find((each) => nameOf(each).trim() === text);
    button?.click();
    return button !== undefined;
  };
  window.entered = (label, value, within) => {
    const control = [...document.querySelectorAll(["input", "textarea", "select"].map((tag) => `${within} ${tag}`).join())]
      .filter(isSeen).find((each) => (each.getAttribute("aria-label") ?? each.labels?.[0]?.firstChild.textContent.trim()) === label);
    if (!control) return false;
    control.value = value;
    for (const kind of ["input", "change"]) control.dispatchEvent(new Event(kind, { bubbles: true }));
    return control.value === value;
  };
  window.chosen = (selector, files) => {
    const transfer = new DataTransfer();
    for (const { name, text } of files) transfer.items.add(new File([text], name));
    const input = document.querySelector(selector);
    input.files = transfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };
})()"""

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The console's page in Chromium, used as by a user: by the names of its buttons and controls."""

import json
from urllib.parse import urlencode

# Texts that would run, where a page took them for markup, or mislead, where it let them change what is around them.
HOSTILE = [
    '<img src=x onerror="window.harmed = 1">',
    "</script><script>window.harmed = 2</script>",
    "javascript:window.harmed=3",
    "\u202egnp.exe & <b>bold</b> \\ % ' \" `",
    "__proto__",
    "W" * 300,
]

# The first control that has a name, and that a user can see and reach: an open dialog covers what is around it.
REACHED = """((selector, name) => {
  const nameOf = (each) => each.getAttribute("aria-label") ?? (each.labels?.[0]?.firstChild ?? each).textContent;
  const ground = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
  const reached = [...ground.querySelectorAll(selector)].filter((each) => each.checkVisibility() && !each.disabled && !each.closest("[inert]"));
  return reached.find((each) => nameOf(each).trim() === name);
})"""
PRESS = "((button) => button && (button.click(), true))"
FOCUS = "((control) => control && (control.focus(), control.select?.(), control.tagName))"
CHOOSE = """((control, value) => {
  control.value = value;
  for (const kind of ["input", "change"]) control.dispatchEvent(new Event(kind, { bubbles: true }));
})"""

CHANGE_ANSWERS = """((part, change) => {
  const ask = window.fetch;
  window.fetch = async (address, ...rest) => {
    const response = await ask(address, ...rest);
    if (!String(address).includes(part) || !response.ok) return response;
    const answer = await response.json();
    change(answer);
    return new Response(JSON.stringify(answer), { status: 200 });
  };
})"""


def script(function, *arguments):
    """A call of a function in the page, with values as its arguments."""
    return f"{function}({', '.join(map(json.dumps, arguments))})"


class ConsolePage:
    """The page in a window and a profile of its own; it saves files into a folder.

    Messages of the browser that have an `expected` text do not fail the test.
    """

    def __init__(self, browser, emulator, folder):
        browser.forget()
        self.expected = []
        self.browser, self.address, self.folder = browser, f"http://{emulator.console}/", folder
        self.window = browser.open()
        self.resize(1280, 900)
        saving = {"behavior": "allow", "downloadPath": str(folder), "eventsEnabled": True}
        browser.send("Browser.setDownloadBehavior", browserContextId=self.window.info["browserContextId"], **saving)

    def resize(self, width, height):
        self.window.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def open(self, view, **parameters):
        """Shows a view by its address, without a new page where there is one."""
        place = f"#/{view}{'?' if parameters else ''}{urlencode(parameters)}"
        if self.evaluate("location.href").startswith(self.address):
            self.evaluate(f"location.hash = {json.dumps(place)}")
        else:
            self.window.go(self.address + place)

    def refresh(self):
        """Has the view ask again at once, as when the page comes into sight."""
        self.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    def change_answers(self, part, change):
        """Lets the page see answers whose addresses have a text as they are after a change of `answer`."""
        self.evaluate(f"{CHANGE_ANSWERS}({json.dumps(part)}, (answer) => {{ {change} }})")

    # Reading

    def evaluate(self, expression):
        return self.window.evaluate(expression)

    def wait(self, expression):
        """Waits until an expression is true; returns its value."""
        return self.window.wait_until(expression)

    def until(self, text, selector="main"):
        """Waits until an element has a text; returns all of its text."""
        element = script("document.querySelector", selector)
        return self.wait(f"{element}?.textContent.includes({json.dumps(text)}) && {element}.textContent")

    def texts(self, selector):
        return self.evaluate(f"[...{script('document.querySelectorAll', selector)}].map((each) => each.textContent)")

    # Acting

    def press(self, name, inside="body"):
        """Presses the button with a name once a user can."""
        self.wait(f"{PRESS}({script(REACHED, f':is({inside}) button', name)})")

    def enter(self, name, text, inside="body"):
        """Types into the control with a name, in place of what it has, or chooses there."""
        control = script(REACHED, f":is({inside}) :is(input, textarea, select)", name)
        if self.wait(f"{FOCUS}({control})") == "SELECT":
            self.evaluate(f"{CHOOSE}({control}, {json.dumps(text)})")
        elif text:
            self.window.insert(text)
        else:
            self.window.press("Delete", 46)
        self.wait(f"{control}?.value === {json.dumps(text)}")

    def choose_files(self, selector, *paths):
        """Chooses files of this machine in an input."""
        control = script("document.querySelector", selector)
        self.wait(f"!!{control}")
        identifier = self.window.send("Runtime.evaluate", expression=control)["result"]["objectId"]
        self.window.send("DOM.setFileInputFiles", objectId=identifier, files=[str(path) for path in paths])

    def saved_file(self):
        """Waits for the one file that the page saves; returns its path."""
        self.browser.wait_for(lambda: self.browser.downloads, "a saved file")
        [path] = self.folder.iterdir()
        return path

    def expect_harmless(self):
        """Ends: nothing that was shown ran, no other computer was asked for anything, and the browser had nothing to report."""
        assert self.evaluate("window.harmed === undefined && document.querySelectorAll('script, main b > b, main svg').length === 1")
        hosts = {address.split("/")[2] for address in self.browser.requests if address.startswith(("http", "ws"))}
        assert hosts == {self.address.split("/")[2]}
        self.browser.close_pages()
        assert [text for text in self.browser.messages if not any(part in text for part in self.expected)] == []

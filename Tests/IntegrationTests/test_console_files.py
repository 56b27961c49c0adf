# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The console's view of files, in Chromium."""

import json
import zipfile
from urllib.parse import quote

import pytest
import requests


BUCKET = "demo-firemeter.appspot.com"
DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60" onload="window.harmed = 1">'
    '<rect width="90" height="60" fill="teal"/><script>window.harmed = 2</script></svg>'
)
# Content that would run where a browser opened it.
HOSTILE_TYPES = {
    "drawing.svg": ("image/svg+xml", DRAWING),
    "page.html": ("text/html", "<script>window.harmed = 3</script><img src=x onerror='window.harmed = 4'>"),
    "script.js": ("text/javascript", "window.harmed = 5"),
    "broken.png": ("image/png", "<script>window.harmed = 6</script>"),
    "typed": ('text/html;x="><script>window.harmed = 7</script>', "<b>bold</b>"),
}
HOSTILE_NAMES = [
    '<img src=x onerror="window.harmed = 8">.txt',
    "javascript:window.harmed=9",
    "\u202egnp.exe & <b>bold \\ % ' \" `",
    "%2F?alt=media&object=x#files",
    "a/../../b",
    "__proto__",
    "é" * 500,
]
IS_UNHARMED = "window.harmed === undefined"
NAMES = "[...document.querySelectorAll('.rows .row:not(.head) .name')].map((cell) => cell.textContent)"

DROP = """(() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["dropped"], "dropped.txt", { type: "text/plain" }));
  document.querySelector(".view.files").dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true, bubbles: true }));
})()"""


class Bucket:
    """The emulator's files, by its own port."""

    def __init__(self, address, name=BUCKET):
        self.base = f"http://{address}/v0/b/{name}/o"
        self.listed = f"http://{address}/storage/v1/b/{name}/o"
        self.session = requests.Session()
        self.session.headers["Authorization"] = "Bearer owner"

    def store(self, name, text="text", kind="text/plain"):
        address = f"{self.base}?name={quote(name, safe='')}"
        answer = self.session.post(address, data=text.encode(), headers={"Content-Type": kind}, timeout=20)
        assert answer.status_code == 200, answer.text

    def names(self):
        return [item["name"] for item in self.session.get(self.listed, timeout=20).json().get("items", [])]

    def metadata(self, name):
        return self.session.get(f"{self.listed}/{quote(name, safe='')}", timeout=20).json()

    def text(self, name):
        return self.session.get(f"{self.base}/{quote(name, safe='')}?alt=media", timeout=20).text

    def clear(self):
        for name in self.names():
            self.session.delete(f"{self.base}/{quote(name, safe='')}", timeout=20)


@pytest.fixture(scope="module")
def emulator(serve_for_file):
    return serve_for_file("--ephemeral", "--project", "demo-firemeter")


@pytest.fixture
def store(emulator):
    store = Bucket(emulator.storage)
    store.clear()
    return store


def wait_for_names(page, *names):
    page.wait(f"JSON.stringify({NAMES}) === JSON.stringify({json.dumps(names)})")


def fact(page, name):
    terms = f"[...document.querySelectorAll('.file dt')].find((term) => term.textContent === {json.dumps(name)})"
    return page.evaluate(f"{terms}?.nextSibling.textContent")


# Lists


def test_walks_through_folders(page, store):
    for name in ["a/b/one.txt", "a/two.txt", "three.txt"]:
        store.store(name)
    page.open("files", bucket=BUCKET)
    wait_for_names(page, "a/", "three.txt")
    page.evaluate("document.querySelector('.rows .row:not(.head)').click()")
    wait_for_names(page, "b/", "two.txt")
    assert page.texts(".crumbs a") == ["all files", "a"]
    page.evaluate("document.querySelectorAll('.rows .row:not(.head)')[1].click()")
    page.wait("document.querySelector('.file h2')?.textContent === 'two.txt'")
    page.wait("document.querySelector('.preview pre')?.textContent === 'text'")
    page.evaluate("history.back()")
    page.wait("!document.querySelector('.file')")


def test_scrolls_through_many_files(page, emulator):
    names = [f"f{index:03}.txt" for index in range(230)]
    store = Bucket(emulator.storage, "many-files")
    for name in names:
        store.store(name, "")
    page.open("files", bucket="many-files")
    page.until("more than 200 entries")
    page.wait(f"document.querySelector('.rows').scrollTop = 1e9, {NAMES}.at(-1) === {json.dumps(names[-1])}")
    page.until("230 entries")
    assert page.evaluate(NAMES) == names[-len(page.evaluate(NAMES)) :]


# One file


def test_changes_metadata_and_tokens(page, store):
    store.store("posts/a.txt")
    page.open("files", bucket=BUCKET, object="posts/a.txt")
    page.press("Metadata…")
    page.enter("Content type", "text/markdown", "dialog[open]")
    page.enter("Cache-Control", "public, max-age=60", "dialog[open]")
    page.press("+ Add", "dialog[open]")
    page.enter("Name", "author", "dialog[open]")
    page.enter("Value", "Ada", "dialog[open]")
    page.press("Save", "dialog[open]")
    page.wait("[...document.querySelectorAll('.file dd')].some((fact) => fact.textContent === 'public, max-age=60')")
    changed = store.metadata("posts/a.txt")
    assert (changed["contentType"], changed["cacheControl"]) == ("text/markdown", "public, max-age=60")
    assert changed["metadata"]["author"] == "Ada" and fact(page, "author") == "Ada"
    page.press("+ New token")
    page.wait("document.querySelectorAll('.tokens code').length === 2")
    tokens = page.texts(".tokens code")
    assert store.metadata("posts/a.txt")["metadata"]["firebaseStorageDownloadTokens"].split(",") == tokens
    page.press("Revoke")
    page.wait("document.querySelectorAll('.tokens code').length === 1")
    assert page.texts(".tokens code") == tokens[1:]
    # The token opens the file to anyone, and the meter says what was served.
    answer = requests.get(f"{store.base}/{quote('posts/a.txt', safe='')}?alt=media&token={tokens[1]}", timeout=20)
    assert answer.text == "text"
    page.wait("[...document.querySelectorAll('.file dd')].some((fact) => fact.textContent.includes('since the meter began'))")


def test_a_file_that_is_gone_is_said_to_be_and_shown_when_it_is_there_again(page, store):
    """The browser has nothing to report of it, which the page's end looks for."""
    page.open("files", bucket=BUCKET, object="gone.txt")
    page.until("There is no file of this name.", ".file")
    store.store("gone.txt", "back")
    page.until("back", ".file")
    store.clear()
    page.until("There is no file of this name.", ".file")


def test_uploads_renames_copies_and_deletes(page, store, tmp_path):
    store.store("new/other.txt")
    page.open("files", bucket=BUCKET, prefix="new/")
    files = [tmp_path / "one.txt", tmp_path / "two.md"]
    for file, text in zip(files, ["first", "second"], strict=True):
        file.write_text(text)
    page.choose_files("main input[type=file]", *files)
    page.wait("document.querySelectorAll('.uploads .good').length === 2")
    wait_for_names(page, "one.txt", "other.txt", "two.md")
    assert store.text("new/one.txt") == "first"
    page.evaluate(DROP)
    page.wait("document.querySelectorAll('.uploads .good').length === 3")
    assert store.text("new/dropped.txt") == "dropped"
    page.open("files", bucket=BUCKET, prefix="new/", object="new/one.txt")
    page.press("Copy…")
    page.enter("New name, with its folders", "new/copy.txt", "dialog[open]")
    page.press("Copy", "dialog[open]")
    page.wait("document.querySelector('.file h2')?.textContent === 'copy.txt'")
    page.press("Rename…")
    page.enter("New name, with its folders", "new/renamed.txt", "dialog[open]")
    page.press("Rename", "dialog[open]")
    page.wait("document.querySelector('.file h2')?.textContent === 'renamed.txt'")
    assert store.names() == ["new/dropped.txt", "new/one.txt", "new/other.txt", "new/renamed.txt", "new/two.md"]
    page.press("Delete…", ".file")
    page.until("1 file goes", "dialog[open]")
    page.press("Delete", "dialog[open]")
    wait_for_names(page, "dropped.txt", "one.txt", "other.txt", "two.md")
    assert "new/renamed.txt" not in store.names()


def test_neither_renames_nor_copies_onto_another_file(page, store):
    page.expected = ["/copyTo/", "/moveTo/"]
    for name in ["a.txt", "b.txt"]:
        store.store(name, name)
    page.open("files", bucket=BUCKET, object="a.txt")
    for action in ["Copy", "Rename"]:
        page.press(f"{action}…")
        page.enter("New name, with its folders", "b.txt", "dialog[open]")
        page.press(action, "dialog[open]")
        page.until('There is a file "b.txt" already.', "dialog[open]")
        page.press("Cancel", "dialog[open]")
    assert {name: store.text(name) for name in store.names()} == {"a.txt": "a.txt", "b.txt": "b.txt"}


def test_downloads_and_deletes_what_is_checked(page, store):
    for name in ["a/b/one.txt", "a/two.txt", "kept.txt", "three.txt"]:
        store.store(name, f"content of {name}")
    page.open("files", bucket=BUCKET)
    wait_for_names(page, "a/", "kept.txt", "three.txt")
    for index in [0, 2]:
        page.evaluate(f"document.querySelectorAll('.rows .row:not(.head) .check')[{index}].click()")
    page.until("2 checked")
    page.press("Download as zip")
    page.press("Download", "dialog[open]")
    page.wait("!document.querySelector('dialog[open]')")
    saved = page.saved_file()
    assert saved.name == f"{BUCKET}.zip"
    with zipfile.ZipFile(saved) as archive:
        assert archive.testzip() is None
        expected = ["a/b/one.txt", "a/two.txt", "three.txt"]
        contents = {name: archive.read(name).decode() for name in archive.namelist()}
        assert contents == {name: f"content of {name}" for name in expected}
    page.press("Delete…", ".selection")
    page.until("3 files go", "dialog[open]")
    page.press("Delete", "dialog[open]")
    wait_for_names(page, "kept.txt")
    assert store.names() == ["kept.txt"]


# Hostile input


def test_nothing_of_a_file_runs(page, store):
    for name, (kind, text) in HOSTILE_TYPES.items():
        store.store(name, text, kind)
    page.open("files", bucket=BUCKET, thumbnails="1")
    page.wait("document.querySelectorAll('.rows canvas').length === 2")
    for name, (kind, text) in HOSTILE_TYPES.items():
        page.open("files", bucket=BUCKET, object=name, thumbnails="1")
        page.wait(f"document.querySelector('.file h2')?.textContent === {json.dumps(name)}")
        page.wait("document.querySelector('.preview :is(img, pre, .notice)') !== null")
        shown = "pre" if kind.startswith("text") else "img"
        if name == "broken.png":
            page.until("cannot show this image/png")
        else:
            assert page.evaluate(f"document.querySelector('.preview {shown}') !== null")
        if shown == "pre":
            assert page.texts(".preview pre") == [text]
        assert page.evaluate(f"{IS_UNHARMED} && document.querySelectorAll('main script, main b, main iframe').length === 0")
    # The drawing is shown all the same, as a picture.
    page.open("files", bucket=BUCKET, object="drawing.svg")
    page.wait("document.querySelector('.preview img')?.naturalWidth === 90")


def test_shows_hostile_names_as_text(page, store):
    for name in HOSTILE_NAMES:
        store.store(name, name)
    for name in HOSTILE_NAMES:
        prefix = name[: name.rfind("/") + 1]
        page.open("files", bucket=BUCKET, prefix=prefix)
        page.wait(f"{NAMES}.includes({json.dumps(name[len(prefix):])})")
        page.evaluate(
            "[...document.querySelectorAll('.rows .row:not(.head)')].find((row) => row.querySelector('.name')?.textContent === "
            f"{json.dumps(name[len(prefix):])}).click()"
        )
        page.wait(f"document.querySelector('.preview pre')?.textContent === {json.dumps(name)}")
        assert fact(page, "Name") == name
        assert page.evaluate(f"{IS_UNHARMED} && document.querySelectorAll('main img, main b').length === 0")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The console's view of documents, in Chromium."""

import json
from urllib.parse import quote

import pytest
import requests


PROJECT = "demo-firemeter"
ROOT = f"projects/{PROJECT}/databases/(default)/documents"
EVERY_TYPE = {
    "text": {"stringValue": "two\nlines"},
    "large": {"integerValue": "9223372036854775807"},
    "whole": {"doubleValue": 3},
    "nan": {"doubleValue": "NaN"},
    "infinite": {"doubleValue": "-Infinity"},
    "negativeZero": {"doubleValue": -0.0},
    "yes": {"booleanValue": True},
    "nothing": {"nullValue": None},
    "time": {"timestampValue": "2026-01-31T08:00:00.123456Z"},
    "place": {"geoPointValue": {"latitude": 47.37, "longitude": -0.5}},
    "bytes": {"bytesValue": "AAEC/w=="},
    "other": {"referenceValue": f"{ROOT}/posts/p1"},
    "map": {"mapValue": {"fields": {"a b.c`d": {"mapValue": {"fields": {"$deep": {"integerValue": "1"}}}}}}},
    "list": {"arrayValue": {"values": [{"integerValue": "1"}, {"mapValue": {"fields": {"x": {"doubleValue": 0.5}}}}]}},
    "vector": {
        "mapValue": {
            "fields": {
                "__type__": {"stringValue": "__vector__"},
                "value": {"arrayValue": {"values": [{"doubleValue": 1}, {"doubleValue": -2.5}]}},
            }
        }
    },
}
HOSTILE = [
    '<img src=x onerror="window.harmed = 1">',
    "javascript:window.harmed=2",
    "\u202egnp.exe & <b>bold \\ % ' \" `",
    "%2F?where=[]&path=x#files",
    "...",
    "W" * 1_500,
]
IS_UNHARMED = "window.harmed === undefined && document.querySelectorAll('main img, main b, main script').length === 0"


class Firestore:
    """The emulator's documents, by its own port."""

    def __init__(self, address):
        self.base = f"http://{address}"
        self.headers = {"Authorization": "Bearer owner"}

    def call(self, method, path, **options):
        answer = requests.request(method, f"{self.base}{quote(path, safe='/:?=')}", headers=self.headers, timeout=20, **options)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def write(self, **documents):
        self.write_all(documents)

    def write_all(self, documents):
        writes = [{"update": {"name": f"{ROOT}/{path}", "fields": fields}} for path, fields in documents.items()]
        for start in range(0, len(writes), 500):
            body = json.dumps({"writes": writes[start : start + 500]}).replace("-0.0", '"-0"')
            self.call("POST", f"/v1/{ROOT}:commit", data=body)

    def fields(self, path):
        address = "/".join(quote(part, safe="") for part in f"{ROOT}/{path}".split("/"))
        answer = requests.get(f"{self.base}/v1/{address}", headers=self.headers, timeout=20)
        return answer.json().get("fields", {}) if answer.status_code == 200 else None

    def clear(self):
        self.call("DELETE", f"/emulator/v1/{ROOT}")


@pytest.fixture(scope="module")
def emulator(serve_for_file):
    return serve_for_file("--ephemeral", "--project", PROJECT, "--require-indexes")


@pytest.fixture
def store(emulator):
    store = Firestore(emulator.firestore)
    store.clear()
    return store


def field(page, name):
    lines = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.field-line')].map((line) => "
        "[line.querySelector('.field-name').textContent, line.querySelector('.field-value').textContent]))"
    )
    return lines.get(name)


def wait_for_field(page, name, value):
    page.wait(
        "[...document.querySelectorAll('.field-line')].some((line) => line.querySelector('.field-name').textContent === "
        f"{json.dumps(name)} && line.querySelector('.field-value').textContent === {json.dumps(value)})"
    )


# One document


def test_shows_every_type_and_changes_one_field_alone(page, store):
    store.write_all({"types/every": EVERY_TYPE})
    page.open("documents", path="types/every")
    wait_for_field(page, "large", "9223372036854775807")
    expected = {"nan": "NaN", "infinite": "-Infinity", "negativeZero": "-0", "bytes": "AAEC/w==", "place": "47.37, -0.5"}
    assert {name: field(page, name) for name in expected} == expected
    assert field(page, "time") == "2026-01-31T08:00:00.123456Z" and field(page, "vector") == "2 numbers: [1, -2.5]"
    page.press("Edit large")
    page.enter("Value", "-9007199254740993")
    page.press("Save")
    wait_for_field(page, "large", "-9007199254740993")
    page.press("▸[1]")
    page.press("Edit x")
    page.enter("Type", "boolean")
    page.enter("Value", "true")
    page.press("Save")
    wait_for_field(page, "x", "true")
    page.press("+ Add a field", "main .fields > .adder")
    page.enter("Name of the field", "new `one`.x")
    page.enter("Value", "added")
    page.press("Add")
    wait_for_field(page, "new `one`.x", "added")
    page.press("Edit text")
    page.enter("Name of the field", "renamed")
    page.press("Save")
    wait_for_field(page, "renamed", "two\nlines")
    expected = json.loads(json.dumps(EVERY_TYPE)) | {
        "large": {"integerValue": "-9007199254740993"},
        "renamed": EVERY_TYPE["text"],
        "new `one`.x": {"stringValue": "added"},
    }
    del expected["text"]
    expected["list"]["arrayValue"]["values"][1]["mapValue"]["fields"]["x"] = {"booleanValue": True}
    assert_same(store.fields("types/every"), expected)


def assert_same(fields, expected):
    """Compared as texts: to Python -0.0 equals 0, and 1 equals True."""
    assert json.dumps(with_doubles(fields), sort_keys=True) == json.dumps(with_doubles(expected), sort_keys=True)


def with_doubles(value):
    """REST may write a double without a point; its integers are texts."""
    if isinstance(value, dict):
        return {name: with_doubles(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [with_doubles(inner) for inner in value]
    return float(value) if type(value) is int else value


@pytest.mark.parametrize("form", ["plain", "typed"])
def test_json_keeps_every_type(page, store, form):
    store.write_all({"types/every": EVERY_TYPE})
    before = store.fields("types/every")
    page.open("documents", path="types/every")
    page.press("Edit as JSON")
    page.enter("Form of the JSON", form)
    text = page.evaluate("document.querySelector('textarea.json').value")
    page.enter("Fields as JSON", text.replace("two", "2"))
    page.press("Save", "dialog[open]")
    wait_for_field(page, "text", "2\nlines")
    assert_same(store.fields("types/every"), before | {"text": {"stringValue": "2\nlines"}})


def test_json_refuses_numbers_that_it_would_round(page, store):
    store.write_all({"posts/p1": {"n": {"integerValue": "1"}}})
    page.open("documents", path="posts/p1")
    page.press("Edit as JSON")
    for form, text, refusal in [
        ("plain", '{"n": {"$integer": 9007199254740993}}', "carries exactly"),
        ("plain", '{"n": 1e400}', "too large for a double"),
        ("typed", '{"n": {"integerValue": 9007199254740993}}', "carries exactly"),
        ("typed", '{"n": {"doubleValue": -1e400}}', "too large for a double"),
    ]:
        page.enter("Fields as JSON", "{}")
        page.enter("Form of the JSON", form)
        page.enter("Fields as JSON", text)
        page.press("Save", "dialog[open]")
        page.until(refusal, "dialog[open]")
    assert store.fields("posts/p1") == {"n": {"integerValue": "1"}}


def test_renames_a_field_as_it_is_and_never_onto_another(page, store):
    lines, other = {"stringValue": " one\r\ntwo\r"}, {"integerValue": "1"}
    store.write_all({"posts/p1": {"map": {"mapValue": {"fields": {"a": lines, "b": other}}}}})
    page.open("documents", path="posts/p1")
    page.press("Edit a")
    page.enter("Name of the field", "b")
    page.press("Save")
    page.until('There is a field "b" already.')
    page.enter("Name of the field", "c")
    page.press("Save")
    wait_for_field(page, "c", lines["stringValue"])
    assert store.fields("posts/p1") == {"map": {"mapValue": {"fields": {"b": other, "c": lines}}}}


def test_notices_a_change_made_meanwhile(page, store):
    page.expected = ["documents:commit"]
    store.write_all({"posts/p1": {"likes": {"integerValue": "1"}}})
    page.open("documents", path="posts/p1")
    page.press("Edit likes")
    store.write_all({"posts/p1": {"likes": {"integerValue": "7"}}})
    page.enter("Value", "2")
    page.press("Save")
    page.until("changed or deleted meanwhile, and nothing was saved")
    assert store.fields("posts/p1") == {"likes": {"integerValue": "7"}}
    page.open("documents", path="posts")
    page.wait("!document.querySelector('.document')")
    page.open("documents", path="posts/p1")
    wait_for_field(page, "likes", "7")


# Lists


def test_scrolls_through_a_long_collection_and_shows_missing_parents(page, store):
    page.expected = ["items/00500x"]
    count = 1_200
    store.write_all({f"items/{index:05}": {"n": {"integerValue": str(index)}} for index in range(count)})
    store.write_all({"items/00500x/parts/p": {"a": {"nullValue": None}}})
    page.open("documents", path="items")
    page.until("1,200 documents · 1 missing")
    page.wait("document.querySelector('.rows .row:not(.head) .id')?.textContent === '00000'")
    page.evaluate("document.querySelector('.rows').scrollTop = 1e9")
    page.wait("[...document.querySelectorAll('.rows .row .id')].at(-1).textContent === '01199'")
    page.evaluate("document.querySelector('.rows').scrollTop = 501 * 30 - 100")
    page.wait("document.querySelector('.row.missing .id')?.textContent === '00500x'")
    order = page.texts(".rows .row:not(.head) .id")
    assert order == sorted(order) and len(order) < 60
    page.evaluate("document.querySelector('.row.missing').click()")
    page.until("There is no document here")
    page.wait("document.querySelector('.below a')?.textContent === 'parts'")
    # An address of a document far down shows its row.
    page.open("documents", path="items/01000")
    page.wait("document.querySelector('.row[aria-selected=true] .id')?.textContent === '01000'")


def test_filters_and_orders_by_the_address(page, store):
    # The query that needs an index.
    page.expected = ["documents:runQuery"]
    tags = [{"stringValue": tag} for tag in ["red", "blue"]]
    documents = {
        f"posts/p{index}": {"likes": {"integerValue": str(index)}, "tags": {"arrayValue": {"values": tags[: index % 3]}}}
        for index in range(10)
    }
    documents["posts/p4"]["odd"] = {"nullValue": None}
    documents["posts/p5"]["odd"] = {"doubleValue": "NaN"}
    store.write_all(documents | {"users/u1/posts/deep": {"likes": {"integerValue": "99"}}})
    for where, order, expected in [
        ('[["likes",">",6]]', "likes desc", ["p9", "p8", "p7"]),
        ('[["tags","array-contains","blue"]]', "", ["p2", "p5", "p8"]),
        ('[["likes","in",[3,1]]]', "", ["p1", "p3"]),
        ('[["__name__",">=","p8"]]', "", ["p8", "p9"]),
        ('[["odd","==",null]]', "", ["p4"]),
        ('[["odd","==",{"$double":"NaN"}]]', "", ["p5"]),
    ]:
        page.open("documents", path="posts", where=where, order=order)
        page.wait(f"JSON.stringify({IDS}) === {json.dumps(json.dumps(expected, separators=(',', ':')))}")
    page.press("Filter")
    page.enter("Field", "likes")
    page.enter("Operator", ">")
    page.enter("Value", "8")
    page.press("Apply")
    page.wait(f"{IDS}.join() === 'p9'")
    page.press("All parents")
    page.until("requires an index")
    assert json.loads(page.texts(".notice pre")[0])["fieldPath"] == "likes"
    page.open("documents", path="posts", group="1")
    page.wait(f"{IDS}.at(-1) === 'users/u1/posts/deep' && {IDS}.length === 11")
    page.open("documents", path="posts", where="nonsense")
    page.until("filters that cannot be read")


IDS = "[...document.querySelectorAll('.rows .row:not(.head) .id')].map((cell) => cell.textContent)"


def test_follows_what_an_app_writes(page, store):
    store.write_all({"posts/p1": {"likes": {"integerValue": "1"}}, "posts/p3": {}})
    page.open("documents", path="posts/p1")
    wait_for_field(page, "likes", "1")
    page.wait(f"{IDS}.join() === 'p1,p3'")
    store.write_all({"posts/p1": {"likes": {"integerValue": "2"}}, "posts/p2": {}, "users/u1": {}})
    wait_for_field(page, "likes", "2")
    page.wait(f"{IDS}.join() === 'p1,p2,p3'")
    page.wait("[...document.querySelectorAll('.tree a')].map((link) => link.textContent).join() === 'posts,p1,users'")


def test_works_with_the_keyboard_alone(page, store):
    store.write_all({f"posts/p{index}": {"n": {"integerValue": "1"}} for index in range(3)})
    page.open("documents", path="posts")
    page.wait(f"{IDS}.length === 3")
    page.evaluate("document.querySelector('.rows').focus()")
    for _ in range(2):
        page.window.press("ArrowDown", 40)
    page.window.press("Enter", 13)
    page.wait("document.querySelector('.document h2')?.textContent === 'p1'")
    page.wait("document.querySelector('.field-line') !== null")
    page.evaluate("document.querySelector('.field-line > button').focus()")
    page.window.press("Enter", 13, text="\r")
    page.wait("document.activeElement.getAttribute('aria-label') === 'Name of the field'")
    page.window.press("Escape", 27)
    page.wait("document.activeElement.textContent === 'Edit' && document.querySelector('.field-form') === null")


def test_shows_one_pane_at_a_time_on_a_phone(page, store):
    store.write_all({f"posts/p{index:02}": {} for index in range(60)})
    page.resize(390, 700)
    page.open("documents", path="posts")
    page.wait(f"{IDS}.length > 10")
    panes = "[...document.querySelectorAll('.pane')].filter((pane) => pane.checkVisibility())"
    seen = f"{panes}.map((pane) => pane.classList[1]).join()"
    assert page.evaluate(seen) == "list"
    page.evaluate("document.querySelector('.rows').scrollTop = 900")
    page.wait(f"{IDS}.includes('p40')")
    row = "[...document.querySelectorAll('.rows .row')].find((row) => row.textContent.includes('p40'))"
    page.evaluate(f"{row}.click()")
    page.wait(f"{seen} === 'document'")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate("history.back()")
    page.wait(f"{seen} === 'list' && {IDS}.includes('p40')")


# Whole documents and collections


def test_exports_and_imports_without_loss(page, store, tmp_path):
    store.write_all({"types/every": EVERY_TYPE, "types/every/below/b": {}, "types/other": {"n": {"integerValue": "1"}}})
    before = store.fields("types/every")
    page.open("documents", path="types")
    page.press("Export…")
    page.enter("Export", "all", "dialog[open]")
    page.press("Export", "dialog[open]")
    page.wait("!document.querySelector('dialog[open]')")
    saved = page.saved_file()
    text = saved.read_text()
    assert saved.name == "types.jsonl"
    assert [json.loads(line)["path"] for line in text.splitlines()] == ["types/every", "types/every/below/b", "types/other"]
    store.clear()
    store.write_all({"types/x": {}})
    page.open("documents", path="types")
    page.press("Import…")
    plain = '{"id": "plain", "data": {"a": [1, 2.5, {"$timestamp": "2026-01-31T08:00:00Z"}]}}\n'
    broken = tmp_path / "documents.jsonl"
    broken.write_text(text + '{"path": "types"}\nnonsense\n' + plain)
    page.choose_files("dialog[open] input[type=file]", broken)
    page.press("Import", "dialog[open]")
    page.until("4 written, 2 refused.", "dialog[open]")
    assert [text.split(":")[0] for text in page.texts("dialog[open] .errors li")] == ["Line 4", "Line 5"]
    page.press("Close", "dialog[open]")
    assert_same(store.fields("types/every"), before)
    values = [{"integerValue": "1"}, {"doubleValue": 2.5}, {"timestampValue": "2026-01-31T08:00:00Z"}]
    assert store.fields("types/plain") == {"a": {"arrayValue": {"values": values}}}


def test_imports_the_lines_around_a_malformed_one(page, store, tmp_path):
    page.expected = ["documents:batchWrite"]
    lines = [{"path": f"types/t{index}", "fields": {"n": {"integerValue": str(index)}}} for index in range(5)]
    lines[3]["fields"]["n"]["integerValue"] = "none"
    file = tmp_path / "documents.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    store.write_all({"types/x": {}})
    page.open("documents", path="types")
    page.press("Import…")
    page.choose_files("dialog[open] input[type=file]", file)
    page.press("Import", "dialog[open]")
    page.until("4 written, 1 refused.", "dialog[open]")
    assert [text.split(":")[0] for text in page.texts("dialog[open] .errors li")] == ["Line 4"]
    page.press("Close", "dialog[open]")
    assert [index for index in range(5) if store.fields(f"types/t{index}")] == [0, 1, 2, 4]


def test_creates_and_deletes(page, store):
    # The document that is shown while it is deleted.
    page.expected = ["documents/posts/p1"]
    store.write_all({"posts/p1": {}, "posts/p1/comments/c1": {}, "posts/p2": {}, "others/o": {}})
    page.open("documents", path="posts")
    page.press("New")
    page.enter("Document's id", "made", "dialog[open]")
    page.enter("Fields as JSON", '{"title": "x"}', "dialog[open]")
    page.press("Create", "dialog[open]")
    wait_for_field(page, "title", "x")
    assert store.fields("posts/made") == {"title": {"stringValue": "x"}}
    page.open("documents", path="posts/p1")
    page.until("p1", ".document h2")
    page.press("Delete…", ".document")
    page.until("1 document is below it.", "dialog[open]")
    page.press("Delete", "dialog[open]")
    page.wait("location.hash.endsWith('path=posts')")
    assert store.fields("posts/p1") is None and store.fields("posts/p1/comments/c1") == {}
    page.press("Delete…", ".list")
    page.until("3 documents are in it", "dialog[open]")
    page.press("Delete all of it", "dialog[open]")
    page.wait("!document.querySelector('dialog[open]') && !location.hash.includes('path')")
    assert store.fields("posts/p1/comments/c1") is None and store.fields("others/o") == {}


DATABASES_WAIT = """(() => {
  const come = new Promise((resolve) => { window.letDatabasesCome = resolve; });
  const ask = window.fetch;
  window.fetch = async (address, ...rest) => {
    if (String(address).includes("/console/databases")) await come;
    return ask(address, ...rest);
  };
})()"""


def test_deletes_nothing_that_the_address_no_longer_names(page, store):
    store.write_all({"posts/p1": {}, "posts/p2": {}, "others/o": {}})
    page.open("documents", path="posts/p1")
    page.until("p1", ".document h2")
    page.evaluate(DATABASES_WAIT)
    page.open("documents", path="posts/p2")
    page.wait("document.querySelector('.pane.document').inert && !document.querySelector('.pane.list').inert")
    page.window.click(".document .danger")
    page.open("documents", path="others")
    page.wait("document.querySelector('.pane.list').inert")
    page.window.click(".list .danger")
    assert page.evaluate("document.querySelector('dialog[open]') === null && document.querySelector('.document h2').textContent") == "p1"
    # The document that was left may be the one that is come back to.
    page.open("documents", path="posts/p1")
    page.evaluate("letDatabasesCome()")
    page.press("Delete…", ".document")
    page.until("p1", "dialog[open]")
    page.press("Cancel", "dialog[open]")
    page.open("documents", path="posts/p2")
    page.until("p2", ".document h2")
    page.press("Delete…", ".document")
    page.until("p2", "dialog[open]")


# Hostile input


def test_shows_hostile_names_and_contents_as_text(page, store):
    fields = {name: {"stringValue": name} for name in HOSTILE}
    store.write_all({f"hostile/{name}": fields for name in HOSTILE} | {f"c{HOSTILE[0]}/a": {}})
    page.open("documents", path="hostile")
    page.wait(f"{IDS}.length === {len(HOSTILE)}")
    assert sorted(page.evaluate(IDS)) == sorted(HOSTILE)
    for index in range(len(HOSTILE)):
        name = page.evaluate(f"{IDS}[{index}]")
        page.evaluate(f"document.querySelectorAll('.rows .row:not(.head)')[{index}].click()")
        page.wait(f"document.querySelector('.document h2')?.textContent === {json.dumps(name)}")
        page.wait(f"document.querySelectorAll('.field-line').length === {len(HOSTILE)}")
        assert field(page, HOSTILE[0]) == HOSTILE[0] and field(page, HOSTILE[2]) == HOSTILE[2]
        assert page.evaluate(IS_UNHARMED)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

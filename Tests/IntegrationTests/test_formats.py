# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""docs/session-log.md, docs/feed-json.md and their JSON Schemas say what our programs write and read, no more, no less."""

import copy
import json
import re

import pytest
from jsonschema import Draft202012Validator

import feeds
from firestore_clients import client_of
from harness import BUCKET, FREE_PORTS, ROOT, run_audit, run_emulator, wait_until

DOCS = ROOT / "docs"
LOG_TEXT = (DOCS / "session-log.md").read_text()
FEED_TEXT = (DOCS / "feed-json.md").read_text()


def schema_of(name):
    """A schema that is one itself."""
    schema = json.loads((DOCS / "schemas" / f"{name}.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    return schema


LOG_SCHEMA, FEED_SCHEMA = schema_of("session-log"), schema_of("feed")
LINE, FEED = Draft202012Validator(LOG_SCHEMA), Draft202012Validator(FEED_SCHEMA)

# The documents


def sections(text):
    """The text below each heading that is a type of line, by the type."""
    parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)
    return {title.strip("`"): body for title, body in zip(parts[1::2], parts[2::2]) if title.startswith("`")}


def examples(text):
    """The blocks of JSON in a text; lines of a log are wrapped there."""
    return [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)]


def table_fields(text, head="field"):
    """The fields in all tables of fields in a text."""
    tables = re.findall(rf"^\| {head} \| type \|.*\n\|---.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    return [re.match(r"\| `(.*?)` \|", row)[1] for table in tables for row in table.splitlines()]


def schema_fields(node, root, prefix=""):
    """The paths of the fields that a schema names, those of lists' elements as `posts[].id`.

    Sums by service have a table of their own.
    """
    if node.get("$ref") not in (None, "#/$defs/services"):
        yield from schema_fields(root["$defs"][node["$ref"].rpartition("/")[2]], root, prefix)
    for name, field in node.get("properties", {}).items():
        yield f"{prefix}{name}"
        yield from schema_fields(field, root, f"{prefix}{name}.")
    if "items" in node:
        yield from schema_fields(node["items"], root, f"{prefix[:-1]}[].")
    for part in [*node.get("allOf", []), *([node["then"]] if "then" in node else [])]:
        yield from schema_fields(part, root, prefix)


SECTIONS = sections(LOG_TEXT)
TYPES = [branch["if"]["properties"]["type"]["const"] for branch in LOG_SCHEMA["allOf"]]
EXAMPLES = {kind: examples(text) for kind, text in SECTIONS.items()}
VIEWS = {line["view"]: line for line in EXAMPLES["view"]}
RECORDED_HEADER, FEED_HEADER, IMPORTED_HEADER = EXAMPLES["header"]
FIELDS = {kind: {"type", *schema_fields(LOG_SCHEMA["$defs"][kind], LOG_SCHEMA)} for kind in TYPES}
(FEED_EXAMPLE,) = examples(FEED_TEXT)


def test_document_and_schema_name_the_same_types_of_lines():
    assert sorted(SECTIONS) == sorted(TYPES)
    overview = re.findall(r"^\| `(\w+)` \|", LOG_TEXT[LOG_TEXT.index("| type | is |") :], re.MULTILINE)
    assert overview[: len(TYPES)] == list(SECTIONS)
    assert all(branch["then"]["$ref"] == f"#/$defs/{kind}" for kind, branch in zip(TYPES, LOG_SCHEMA["allOf"]))
    assert all(lines and lines[0]["type"] == kind for kind, lines in EXAMPLES.items())
    kinds = LOG_SCHEMA["$defs"]["view"]["properties"]["view"]["enum"]
    headings = re.findall(r"^### (`.*`)$", SECTIONS["view"], re.MULTILINE)
    assert sorted(VIEWS) == sorted(kinds) == sorted(re.findall(r"\w+", " ".join(headings)))


@pytest.mark.parametrize("kind", TYPES)
def test_document_and_schema_name_the_same_fields_of_a_line(kind):
    if kind in ("part", "retraction"):
        assert not table_fields(SECTIONS[kind]) and FIELDS[kind] == FIELDS["request"]
        assert "`request`" in SECTIONS[kind]
    else:
        assert sorted({"type", *table_fields(SECTIONS[kind])}) == sorted(FIELDS[kind])


def test_document_and_schema_name_the_same_fields_of_a_sum():
    definitions = LOG_SCHEMA["$defs"]
    assert sorted(table_fields(SECTIONS["header"], head="of a sum")) == sorted(definitions["sum"]["properties"])
    assert all(f"`{service}`" in SECTIONS["header"] for service in definitions["services"]["properties"])


def test_document_and_schema_name_the_same_fields_of_a_feed():
    fields = table_fields(FEED_TEXT)
    assert len(fields) == len(set(fields))
    assert sorted(fields) == sorted(schema_fields(FEED_SCHEMA, FEED_SCHEMA))


def test_examples_are_valid():
    for line in examples(LOG_TEXT):
        LINE.validate(line)
    FEED.validate(FEED_EXAMPLE)


# Logs


def write_log(path, *lines):
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    return path


def field_names(line):
    """The paths of a line's fields, but for those of mentions, which are a document's own, and of sums by service."""
    for name, value in line.items():
        yield name
        if isinstance(value, dict) and name not in ("mentions", "total", "other"):
            yield from (f"{name}.{inner}" for inner in field_names(value))


def valid_lines(path):
    """The lines of a log of ours, which has nothing that the document does not name."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for number, line in enumerate(lines, 1):
        assert LINE.is_valid(line), f"{path}:{number}: {[error.message for error in LINE.iter_errors(line)]}"
        unknown = set(field_names(line)) - FIELDS[line["type"]]
        assert not unknown, f"{path}:{number}: {unknown}"
    return lines


def sums(lines):
    """Requests, bytes sent, bytes of bodies sent, and billed reads, as the document says that they are formed."""
    signs = {"request": 1, "part": 1, "retraction": -1}
    counted = [(signs[line["type"]], line) for line in lines if line["type"] in signs]
    requests = sum(sign for sign, line in counted if line["type"] != "part")
    wire, body = (sum(sign * line["sent"][kind] for sign, line in counted) for kind in ["wire", "body"])
    reads = sum(sign * line.get("billed", {}).get("documentReads", 0) for sign, line in counted)
    return requests, wire, body, reads


def test_recorded_examples_are_a_log(tmp_path):
    """In the order of the document, which describes data before their requests."""
    kinds = ["recording", "document", "object", "request", "part", "retraction"]
    lines = [RECORDED_HEADER, *(line for kind in kinds for line in EXAMPLES[kind])]
    log, imported = write_log(tmp_path / "session.log", *lines), tmp_path / "imported.log"
    ended = run_audit("import", log, "--output", imported)
    assert ended.returncode == 0, ended.stderr
    # Found by the hashes.
    assert "images follow from documents as posts: {cover}" in ended.stderr
    header, *others = valid_lines(imported)
    header["imported"]["assumptions"] = IMPORTED_HEADER["imported"]["assumptions"]
    assert [header, *others] == [IMPORTED_HEADER, *EXAMPLES["downloads"], *EXAMPLES["image"], VIEWS["showPosts"]]
    recorded = replayed(log)["strategies"][0]
    requests, wire, body, reads = sums(lines)
    assert recorded["name"] == "recorded"
    assert (recorded["requests"], recorded["bytes"]["body"]) == (requests, body)
    assert recorded["billed"]["documentReads"] == reads
    assert f"{requests} requests, {reads} document read and 465 +" in LOG_TEXT and f" = {wire:,} bytes sent" in LOG_TEXT


def replayed(log):
    ended = run_audit("replay", log, "--mode", "simulate", "--strategy", "thumbnails", "--format", "json")
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def test_examples_of_views_are_a_log_of_the_example_of_a_feed(tmp_path):
    feeds.write_feed(tmp_path, FEED_EXAMPLE)
    views = [VIEWS[kind] for kind in ["openFeed", "scroll", "switchTab", "openPost", "relaunch"]]
    report = replayed(write_log(tmp_path / "session.log", FEED_HEADER, *views))
    assert (report["views"], report["clients"]) == (5, 1)
    assert report["strategies"][0]["requests"] > 5


def test_examples_of_inferred_views_are_a_log(tmp_path):
    lines = [IMPORTED_HEADER, *EXAMPLES["image"], *EXAMPLES["downloads"], VIEWS["showPosts"]]
    report = replayed(write_log(tmp_path / "imported.log", *lines))
    imported, shown = IMPORTED_HEADER["imported"], VIEWS["showPosts"]["list"]
    recorded, thumbnails = report["strategies"]
    assert report["inferred"]["explained"] == imported["explained"]
    assert recorded["bytes"]["body"] == sum(total["sent"]["body"] for total in imported["usage"]["total"].values())
    assert {cause: count for cause, count in recorded["waste"].items() if count} == {
        line["cause"]: line["bytes"] for line in EXAMPLES["downloads"]
    }
    assert thumbnails["bytes"]["body"] == EXAMPLES["image"][0]["bytes"] + shown["bytes"]


def test_document_and_program_name_the_same_causes():
    words = re.findall(r"^\| `(\w+)` \|", SECTIONS["downloads"].partition("| cause | |")[2], re.MULTILINE)
    source = (ROOT / "Sources/LogImport/Inference/RecordedDownloads.swift").read_text()
    assert words == re.findall(r"^    case (\w+)$", source, re.MULTILINE)


def test_lines_of_the_bundled_log_are_valid():
    assert len(valid_lines(ROOT / "fixtures/session.log")) > 2_000


def use(emulator):
    """A few requests over HTTP/1.1 and gRPC: uploads, downloads, queries, a count, a name without a document."""
    emulator.put("covers/x1.png", feeds.png(), content_type="image/png")
    assert emulator.get("covers/x1.png", headers={"X-Firemeter-Tag": "feed-screen"}).status_code == 200
    assert emulator.get("nowhere").status_code == 404
    assert emulator.list(prefix="covers/", delimiter="/").json()["items"]
    assert emulator.get("ann/p1/0", bucket=feeds.BUCKET).status_code == 200
    client = client_of(emulator.firestore, FEED_EXAMPLE["project"], own_connection=True)
    address = f"https://{emulator.storage}/v0/b/{BUCKET}/o/covers%2Fx1.png?alt=media&token=secret"
    client.document("albums/a1").set({"owner": "ann", "shots": [{"path": address}]})
    assert [shot.id for shot in client.collection("albums").order_by("owner").limit(5).stream()] == ["a1"]
    assert client.collection("albums").count().get()
    assert not client.document("albums/nothing").get().exists
    client._firestore_api.transport.close()
    wait_until(lambda: "firestore.connection" in emulator.usage(by="operation"), "the end of the connection")


def test_lines_of_a_new_recording_are_valid(serve, tmp_path):
    log = tmp_path / "session.log"
    emulator = serve("--record", log, "--seed", feeds.write_feed(tmp_path, FEED_EXAMPLE))
    use(emulator)
    usage = emulator.usage()
    assert emulator.stop() == 0
    lines = valid_lines(log)
    assert {line["type"] for line in lines} == {"header", "recording", "document", "object", "request", "part"}
    requests, wire, _, reads = sums(lines)
    assert (requests, wire, reads) == (usage["requests"], usage["bytes"]["sent"], usage["billed"]["documentReads"])
    (key,) = [line["hashKey"] for line in lines if line["type"] == "recording"]
    (album,) = [line for line in lines if line["type"] == "document"]
    assert album["mentions"] == {"owner": [hashed("ann", key)], "shots[].path": [hashed("covers/x1.png", key)]}
    shown = {line["object"]: line for line in lines if line["type"] == "object"}
    assert [line["listing"] for line in lines if "listing" in line] == [{"prefix": "covers/", "delimiter": True}]
    assert {line["peer"] for line in lines if "status" in line} == {1}
    assert (shown["covers/x1.png"]["pixelWidth"], shown["covers/x1.png"]["pixelHeight"]) == (64, 48)


# Hashes


def hashed(text, key):
    """A text as the document says that it is hashed: SipHash-2-4 (Aumasson and Bernstein, 2012) in base 36."""
    low, high = (int(half, 36) for half in key.split("-"))
    v = [low ^ 0x736F6D6570736575, high ^ 0x646F72616E646F6D, low ^ 0x6C7967656E657261, high ^ 0x7465646279746573]
    data = text.encode()
    data += bytes(7 - len(data) % 8) + bytes([len(data) % 256])
    for start in range(0, len(data), 8):
        word = int.from_bytes(data[start : start + 8], "little")
        v[3] ^= word
        mix(v, 2)
        v[0] ^= word
    v[2] ^= 0xFF
    mix(v, 4)
    return base_36(v[0] ^ v[1] ^ v[2] ^ v[3])


def mix(v, count):
    for _ in range(count):
        for a, b, c, d, left, right in [(0, 1, 2, 3, 13, 16), (2, 1, 0, 3, 17, 21)]:
            v[a], v[c] = (v[a] + v[b]) % 2**64, (v[c] + v[d]) % 2**64
            v[b], v[d] = rotated(v[b], left) ^ v[a], rotated(v[d], right) ^ v[c]
            v[a] = rotated(v[a], 32)


def rotated(word, bits):
    return (word << bits | word >> 64 - bits) % 2**64


def base_36(number):
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits or "0"


def test_hashes_in_the_document_are_as_it_says():
    key = EXAMPLES["recording"][0]["hashKey"]
    (document,) = EXAMPLES["document"]
    assert document["mentions"] == {"author": [hashed("ann", key)], "cover": [hashed("covers/x1.jpg", key)]}
    assert f"`{hashed('ann', key)}` is `ann`" in LOG_TEXT and f"`{hashed('covers/x1.jpg', key)}` is" in LOG_TEXT


# Lines that are refused, and lines that are not


def changed(base, path, value):
    """A copy with the field at a path, such as `sent.wire`, replaced, or removed by `...`."""
    whole = copy.deepcopy(base)
    place = whole
    *names, last = path.split(".")
    for name in names:
        place = place[int(name) if name.isdigit() else name]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return whole


FIRST = {kind: lines[0] for kind, lines in EXAMPLES.items()} | {"header": IMPORTED_HEADER} | VIEWS
DOWNLOAD = EXAMPLES["request"][1] | {"object": "ann/p1/0", "owner": "ann", "feed": "p1", "n": 0}

BROKEN = [
    ("header", "schema", "firemeter.session/2"),
    ("header", "schema", ...),
    ("header", "createdAt", "2026-11-31T09:00:00Z"),
    ("header", "pageSize", 301),
    ("header", "imported.assumptions", "none"),
    ("header", "imported.explained.readPercent", 100.5),
    ("header", "imported.usage.total.storage.sent", ...),
    ("header", "imported.usage.reads", {}),
    ("header", "imported.usage.reads.0.documents", -1),
    ("header", "imported.usage.reads.0.causes.first", None),
    ("openFeed", "at", -1),
    ("openFeed", "client", None),
    ("openFeed", "view", "closeFeed"),
    ("openFeed", "sort", "oldest"),
    ("scroll", "page", 100_001),
    ("switchTab", "filter.equals", 1.5),
    ("switchTab", "pageSize", 0),
    ("openPost", "owner", ...),
    ("showPosts", "posts", [1]),
    ("showPosts", "list.documentReads", ...),
    ("showPosts", "list.depth", -1),
    ("showPosts", "list.objects", "all"),
    ("image", "bytes", 2**43 + 1),
    ("image", "bucket", ...),
    ("image", "orientation", 9),
    ("downloads", "cause", ...),
    ("downloads", "place", "scroll"),
    ("downloads", "page", ...),
    ("downloads", "pixelWidth", 0),
    ("downloads", "responses", "1"),
    ("recording", "hashKey", 5),
    ("recording", "continued", "yes"),
    ("document", "number", 2**31),
    ("document", "mentions.cover", None),
    ("object", "generation", "1"),
    ("object", "pixelHeight", ...),
    ("request", "at", 2**63),
    ("request", "service", "functions"),
    ("request", "status", 1_000),
    ("request", "peer", 0),
    ("request", "peer", "127.0.0.1"),
    ("request", "connection", 2**31),
    ("request", "listing", "all"),
    ("request", "sent", ...),
    ("request", "sent.wire", 1.5),
    ("request", "billed.documentReads", "1"),
    ("request", "read.documents", [-1]),
    ("request", "read.continued", 1),
    ("part", "outcome", "fine"),
    ("retraction", "abortCause", "boredom"),
]


def log_with(line, path):
    return write_log(path, *([] if line.get("type") == "header" else [RECORDED_HEADER]), line)


@pytest.mark.parametrize(["kind", "path", "value"], BROKEN)
def test_broken_lines_are_refused_by_schema_and_reader(kind, path, value, tmp_path):
    line = changed(FIRST[kind], path, value)
    assert LINE.is_valid(FIRST[kind]) and not LINE.is_valid(line)
    ended = run_audit("replay", log_with(line, tmp_path / "session.log"), "--mode", "simulate")
    assert ended.returncode == 65
    # A file without a schema is not recognized as a session log.
    if (path, value) != ("schema", ...):
        assert f"line {1 if kind == 'header' else 2}: " in ended.stderr


@pytest.mark.parametrize(
    "line",
    [
        {**RECORDED_HEADER, "dataSet": None, "feed": {**FEED_HEADER["feed"], "region": "eu"}, "pageSize": None},
        changed(RECORDED_HEADER, "createdAt", "2026-11-20t10:00:60.123456789012+01:00"),
        {"type": "weather", "at": "noon"},
        changed(VIEWS["switchTab"], "filter", None),
        changed(VIEWS["switchTab"], "page", "any"),
        changed(VIEWS["showPosts"], "list.key", ...),
        {**FIRST["image"], "post": None, "bucket": 1, "n": -1},
        {**FIRST["object"], "pixelWidth": None, "pixelHeight": 0},
        changed(FIRST["downloads"], "cause", "teleported"),
        changed(FIRST["downloads"], "list", None) | {"page": "any"},
        changed(FIRST["downloads"], "place", "post") | {"page": "any"},
        changed(FIRST["document"], "mentions", None),
        changed(DOWNLOAD, "owner", ...) | {"n": "first"},
        changed(DOWNLOAD, "billed", None),
        changed(DOWNLOAD, "peer", ...),
        changed(DOWNLOAD, "connection", None),
        DOWNLOAD | {"operation": "storage.objects.list", "object": None, "owner": None, "listing": {}},
        changed(DOWNLOAD, "sent.frames", 3),
        changed(FIRST["request"], "read.documents", None),
        changed(FIRST["part"], "sent.wire", -72),
    ],
)
def test_unusual_lines_are_taken_by_schema_and_reader(line, tmp_path):
    assert LINE.is_valid(line)
    ended = run_audit("replay", log_with(line, tmp_path / "session.log"), "--mode", "simulate")
    # It was read, and does not name a data set, or has nothing to be replayed.
    accepted = ended.returncode in (0, 64) or "neither views nor downloads" in ended.stderr
    assert accepted and not re.search(r"line \d", ended.stderr), ended.stderr


def test_a_line_that_was_cut_off_is_passed_over(tmp_path):
    log = write_log(tmp_path / "session.log", RECORDED_HEADER, DOWNLOAD, DOWNLOAD)
    whole = log.read_bytes()
    log.write_bytes(whole[:-40])
    assert replayed(log)["strategies"][0]["requests"] == 1
    log.write_bytes(whole[:-40] + b"\n" + whole.splitlines(keepends=True)[1])
    assert replayed(log)["strategies"][0]["requests"] == 2
    ended = run_audit("totals", log)
    assert ended.returncode == 0 and "passed over 1 line cut off, as by a crash or a full disk" in ended.stderr


# Feeds


def test_bundled_feed_is_valid():
    FEED.validate(json.loads((ROOT / "fixtures/feed/feed.json").read_text()))


def test_example_of_a_feed_is_seeded_as_it_says(serve, tmp_path):
    emulator = serve("--ephemeral", "--seed", feeds.write_feed(tmp_path, FEED_EXAMPLE))
    documents = {post["title"]: post for post in posts_of(emulator)}
    assert sorted(documents) == sorted(post["title"] for post in FEED_EXAMPLE["posts"])
    for post in FEED_EXAMPLE["posts"]:
        stored = documents[post["title"]]
        assert (stored["userID"], stored["feedID"], int(stored["likes"])) == (post["owner"], post["id"], post["likes"])
        assert int(stored["imageCount"]) == len(stored["images"]["values"]) == post["images"]
        assert emulator.get(f"{post['owner']}/{post['id']}/0", bucket=FEED_EXAMPLE["bucket"]).status_code == 200
    table = re.search(r"^\| field \| Firestore type \|.*\n\|---.*\n((?:\|.*\n)+)", FEED_TEXT, re.MULTILINE)[1]
    named = re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in table.splitlines()))
    assert sorted(named) == sorted(documents["Harbor"])


def posts_of(emulator):
    """The fields of the most liked posts."""
    _, documents = feeds.run_posts_query(emulator, 10)
    return [
        {name: next(iter(value.values())) for name, value in document["fields"].items()} for document in documents
    ]


def test_directory_of_own_images_is_seeded_as_the_document_says(serve, tmp_path):
    paths = re.findall(r"^    (my-images/\S+)$", FEED_TEXT, re.MULTILINE)
    assert len(paths) == 3
    for path in paths:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(feeds.png())
    emulator = serve("--ephemeral", "--seed", tmp_path / "my-images")
    posts = {post["title"]: post for post in posts_of(emulator)}
    assert {title: post["imageCount"] for title, post in posts.items()} == {"sunset": "2", "harbor": "1"}
    assert posts["sunset"]["createdAt"] == "2026-11-20T12:00:00Z"
    assert posts["harbor"]["createdAt"] == "2026-11-20T11:00:00Z"
    assert all(10 <= int(post["likes"]) <= 5_000 for post in posts.values())


@pytest.mark.parametrize(
    ["path", "value"],
    [
        ("schema", "firemeter.feed/2"),
        ("bucket", "Demo"),
        ("database", "a/b"),
        ("collection", "__posts__"),
        ("images.directory", "pictures"),
        ("images.render.seed", -1),
        ("images.render.medianBytes", 59_999),
        ("images.render.medianBytes", None),
        ("images.render.sigma", 2.5),
        ("users", []),
        ("users.0.name", ...),
        ("posts.0.id", ".."),
        ("posts.0.title", "x" * 1_501),
        ("posts.0.likes", 5.5),
        ("posts.0.createdAt", "2026-11-20T08:30:60Z"),
        ("posts.0.createdAt", "2026-11-20 08:30:00Z"),
        ("posts.0.images", 51),
    ],
)
def test_broken_feeds_are_refused_by_schema_and_reader(path, value, tmp_path):
    broken = changed(FEED_EXAMPLE, path, value)
    assert not FEED.is_valid(broken)
    ended = run_emulator(*FREE_PORTS, "--ephemeral", "--seed", feeds.write_feed(tmp_path, broken))
    assert ended.returncode == 65
    assert "cannot seed" in ended.stderr


def test_an_unusual_feed_is_taken_by_schema_and_reader(serve, tmp_path):
    post = {"id": "__", "owner": "ä b", "title": "", "likes": 5.0, "createdAt": "2028-02-29T23:59:59.123456789z"}
    unusual = {
        **FEED_EXAMPLE,
        "note": None,
        "images": {"render": {"seed": 2**64 - 1, "medianBytes": 60_000, "sigma": 0}},
        "users": [{"id": "ä b", "name": "", "age": 7}],
        "posts": [{**post, "images": 1}],
    }
    FEED.validate(unusual)
    emulator = serve("--ephemeral", "--seed", feeds.write_feed(tmp_path, unusual))
    assert [post["feedID"] for post in posts_of(emulator)] == ["__"]

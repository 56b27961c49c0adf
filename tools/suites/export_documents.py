# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Documents of every type of value, and of every kind of name; mostly a collection for each."""

import random
from typing import NamedTuple

import export_values as values
from export_values import array, integer, mapping, null, string

DOCUMENT_BYTES_MAX = 1 << 20
ID_BYTES_MAX = 1_500
MANY = 4_000
NAMES = {
    "number": "__id7__",
    "negative-number": "__id-7__",
    "last-number": f"__id{2**63 - 1}__",
    "first-number": f"__id{-(2**63)}__",
    "digits": "7",
    "dots": "a.b..c",
    "three-dots": "...",
    "spaces": " a b ",
    "escaped-slash": "a%2Fb",
    "percent": "100%",
    "query": "a?b#c&d=e+f",
    "quotes": "'\"`\\",
    "controls": "a\n\t\r\x01\x7f",
    "nul": "a\0b",
    "unicode": "Ärger e\u0301 😀 𠀀",
    "underscores": "__a",
    "upper-case": "A",
    "lower-case": "a",
    "longest": "i" * ID_BYTES_MAX,
    "longest-unicode": "ä" * (ID_BYTES_MAX // 2),
}
FIELD_NAMES = ["a.b", "ä", "`", "\\", " ", "0", "a/b", "x" * 1_500, "__", "a\nb", "~", "Z"]


class Document(NamedTuple):
    """A document, and the type of value or name that it stands for."""

    kind: str
    path: str
    fields: dict


def documents():
    """All documents, in the order in which they are written."""
    yield from one_field("null", {"null": null(), "in-a-map": mapping(a=null())})
    yield from one_field("boolean", {"true": values.boolean(True), "false": values.boolean(False)})
    yield from one_field("integer", {str(value): integer(value) for value in values.INTEGERS})
    yield from one_field("double", {name: values.double(value) for name, value in values.DOUBLES.items()})
    yield from one_field("timestamp", {name: values.timestamp(text) for name, text in values.TIMESTAMPS.items()})
    yield from one_field("string", {name: string(text) for name, text in values.STRINGS.items()})
    yield from one_field("bytes", {name: values.data(content) for name, content in values.BYTES.items()})
    yield from one_field("reference", values.REFERENCES)
    yield from one_field("geo point", values.PLACES)
    yield from one_field("array", values.ARRAYS)
    yield from one_field("map", values.MAPS)
    yield from one_field("vector", values.VECTORS)
    yield Document("fields", "fields/none", {})
    yield Document("fields", "fields/each", dict(values.ONE_OF_EACH))
    yield Document("fields", "fields/names", {name: string(name) for name in FIELD_NAMES})
    yield Document("fields", "fields/empty-arrays-between", {name: array(*[integer(1)] * (name in "bd")) for name in "abcde"})
    for name, identifier in NAMES.items():
        yield Document("id", f"ids/{identifier}", {"name": string(name)})
    yield from below()
    yield from large()
    yield from many()


def one_field(kind, by_name):
    collection = kind.replace(" ", "-")
    return (Document(kind, f"{collection}/{name}", {"value": value}) for name, value in by_name.items())


def below():
    """Documents below ones that are missing, and collections whose names are odd."""
    paths = ["below/missing/c/a", "below/missing/c/missing-too/d/b", "below/present", "below/present/c/a"]
    paths += ["below/__id8__/c/__id9__", "ids/__id7__/ids/__id7__", "ä ö.ü/a", "100%/a", "below/deep" + "/c/d" * 49]
    return (Document("sub-collection", path, {"path": string(path)}) for path in paths)


def large():
    """Documents near the limit of 1 MiB, names and 32 bytes of their own included."""
    room = DOCUMENT_BYTES_MAX - 1_000
    yield Document("large", "large/string", {"value": string("x" * room)})
    yield Document("large", "large/bytes", {"value": values.data(bytes(room))})
    yield Document("large", "large/unicode", {"value": string("😀" * (room // 4))})
    yield Document("large", "large/strings", {"value": array(*[string("x" * 999)] * (room // 1_000))})
    yield Document("large", "large/integers", {"value": array(*map(integer, range(19_000)))})


def many():
    """Documents of all sizes, so that the ends of the log's blocks of 32 KiB fall at every place of a record."""
    source = random.Random(33)
    for number in range(MANY):
        text = string("z" * source.randrange(200 + number % 7 * 100))
        yield Document("many", f"many/{number:05}", {"number": integer(number), "text": text})

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Values of every type, as the REST API writes them, by names for the reader."""

import base64

PROJECT = "demo-firemeter"
DEPTH_MAX = 20


def null():
    return {"nullValue": None}


def boolean(value):
    return {"booleanValue": value}


def integer(value):
    return {"integerValue": str(value)}


def double(value):
    return {"doubleValue": value}


def timestamp(text):
    return {"timestampValue": text}


def string(text):
    return {"stringValue": text}


def data(content):
    return {"bytesValue": base64.b64encode(content).decode()}


def reference(path, project=PROJECT, database="(default)"):
    return {"referenceValue": f"projects/{project}/databases/{database}/documents/{path}"}


def place(latitude, longitude):
    return {"geoPointValue": {"latitude": latitude, "longitude": longitude}}


def array(*values):
    return {"arrayValue": {"values": list(values)}}


def mapping(**fields):
    return {"mapValue": {"fields": fields}}


def vector(*values):
    return mapping(__type__=string("__vector__"), value=array(*map(double, values)))


def nested(depth):
    """A value in maps, this deep."""
    value = integer(depth)
    for level in range(depth):
        value = mapping(**{f"level{level}": value})
    return value


def nested_in_both(depth):
    """A value in maps in arrays, alternating."""
    value = string("innermost")
    for level in range(depth):
        value = mapping(a=value) if level % 2 else array(value, integer(level))
    return value


INTEGERS = [0, 1, -1, 127, 128, -128, 2**31, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63)]
DOUBLES = {
    "zero": 0.0,
    "minus-zero": -0.0,
    "one": 1.0,
    "fraction": 0.1,
    "whole-2-53": 2.0**53,
    "large": 1.7976931348623157e308,
    "negative": -1.7976931348623157e308,
    "smallest-normal": 2.2250738585072014e-308,
    "subnormal": 5e-324,
    "minus-subnormal": -2.5e-320,
    "nan": "NaN",
    "infinity": "Infinity",
    "minus-infinity": "-Infinity",
}
TIMESTAMPS = {
    "epoch": "1970-01-01T00:00:00Z",
    "before-1970": "1969-12-31T23:59:59.999999Z",
    "long-before-1970": "1583-10-15T12:34:56.000001Z",
    "microseconds": "2026-11-28T11:30:00.123456Z",
    "milliseconds": "2026-11-28T11:30:00.120Z",
    "leap-day": "2024-02-29T23:59:59Z",
    "first": "0001-01-01T00:00:00Z",
    "first-microsecond": "0001-01-01T00:00:00.000001Z",
    "last": "9999-12-31T23:59:59.999999Z",
}
STRINGS = {
    "empty": "",
    "latin": "Ärger, ñandú",
    "composed": "é",
    "decomposed": "e\u0301",
    "nul": "a\0b\0",
    "controls": "".join(map(chr, range(0x20))) + "\x7f",
    "outside-the-first-plane": "😀 𝒳 𠀀 \U0010fffd",
    "last-of-the-first-plane": "\ufffd\uffff\ufeff",
    "right-to-left": "שלום \u202e abc",
    "lines": "a\r\nb\u2028c",
    "1500-bytes": "x" * 1_500,
    "1501-bytes": "x" * 1_501,
    "block": "y" * 32_768,
}
BYTES = {"empty": b"", "zero": b"\0", "all": bytes(range(256)), "not-utf-8": b"\xff\xfe\xc3\x28", "large": b"\x80" * 70_000}
REFERENCES = {
    "here": reference("c/a"),
    "deep": reference("c/a/d/b/e/f"),
    "number": reference("c/__id7__/d/__id-7__"),
    "unicode": reference("c/ä b.c"),
    "other-project": reference("c/a", project="demo-other"),
    "other-database": reference("c/a", database="second"),
    "other-project-and-database": reference("c/a", project="demo-other", database="second"),
    "project-with-a-domain": reference("c/a", project="example.com:demo-other"),
}
PLACES = {
    "zero": place(0, 0),
    "north-east": place(90, 180),
    "south-west": place(-90, -180),
    "fractions": place(48.137154, 11.576124),
    "subnormal": place(5e-324, -5e-324),
    "minus-zero": place(-0.0, -0.0),
}
ONE_OF_EACH = {
    "null": null(),
    "boolean": boolean(True),
    "integer": integer(-5),
    "double": double(0.5),
    "timestamp": timestamp("1969-07-20T20:17:40.5Z"),
    "string": string("s"),
    "bytes": data(b"\0\xff"),
    "reference": reference("c/a"),
    "geo": place(1.5, -2.5),
    "map": mapping(a=integer(1)),
}
ARRAYS = {
    "empty": array(),
    "one": array(integer(1)),
    "null": array(null()),
    "nulls": array(null(), null()),
    "mixed": array(*ONE_OF_EACH.values()),
    "repeated": array(*[string("again")] * 3),
    "long": array(*map(integer, range(5_000))),
    "empty-map": array(mapping()),
    "maps": array(mapping(a=integer(1), b=array(integer(2), mapping(c=array()))), mapping(), mapping(a=null())),
    "in-maps": mapping(a=array(), b=array(null()), c=mapping(d=array(boolean(False)))),
    "references": array(reference("c/a"), reference("c/a", project="demo-other")),
}
MAPS = {
    "empty": mapping(),
    "empty-in-empty": mapping(a=mapping(), b=mapping(c=mapping())),
    "mixed": mapping(**ONE_OF_EACH),
    "odd-names": mapping(**{"a.b": integer(1), "ä`\\": integer(2), " ": integer(3), "0": integer(4), "A": null()}),
    "many-fields": mapping(**{f"f{number}": integer(number) for number in range(1_000)}),
    "depth-19": nested(DEPTH_MAX - 1),
    "depth-20": nested(DEPTH_MAX),
    "arrays-between": nested_in_both(DEPTH_MAX - 1),
}
VECTORS = {
    "one": vector(1.0),
    "three": vector(0.5, -0.25, 1e-300),
    "whole": vector(1.0, 2.0, 3.0),
    "infinity": vector("Infinity", "-Infinity"),
    "minus-zero": vector(-0.0, 1.0),
    "nan": vector("NaN", 1.0),
    "2048": vector(*[number / 7 for number in range(2_048)]),
    "in-a-map": mapping(v=vector(0.5, 0.25), other=integer(1)),
    "in-a-deep-map": mapping(a=mapping(v=vector(0.5, 0.25))),
}

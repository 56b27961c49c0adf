# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Random values of every type, in the form REST has for them.

Drawn from small pools, so that values meet each other: an operand often equals a stored value, an integer a double.
`$DOCS` stands for the documents of the database under test.
"""

import base64

LONG = "long " * 400  # 2,000 bytes: more than an index entry holds

INTEGERS = [0, 1, 2, 3, -1, 7, 10, 2**53, 2**53 + 1, 2**63 - 1, -(2**63), 2**62, -(2**53) - 1]
DOUBLES = [
    0.0, -0.0, 1.0, 1.5, 2.0, -1.0, -0.5, 3.0, "NaN", "NaN", "Infinity", "-Infinity", 5e-324, 1e308, -1e308,
    9007199254740992.0, 9007199254740994.0, 9.223372036854775807e18, -9.223372036854775808e18, 0.1,
]  # fmt: skip
# U+FFEE sorts after the astral character by UTF-16, before it by UTF-8; é comes composed and decomposed.
STRINGS = [
    "", "a", "b", "B", "aa", "ab", "a\x00", "a\x00b", "a\x01", "é", "e\u0301", "\uffee", "\U0001f600",
    "\U0001f600x", "z", "Z", "0", "10", " ", "\x7f", "ß", "日本",
]  # fmt: skip
LONG_STRINGS = [LONG, LONG + "a", LONG + "b"]
TIMESTAMPS = [
    "1970-01-01T00:00:00Z", "1969-12-31T23:59:59.999999Z", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000001Z",
    "2026-01-01T00:00:00.123456Z", "2026-01-01T00:00:00.123456789Z", "2026-01-01T00:00:00.123456001Z",
    "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "2026-01-01T01:00:00+01:00", "2026-01-01T00:00:00.1Z",
]  # fmt: skip
BYTES = [b"", b"\x00", b"\x00\x01", b"\x01", b"\xff", b"a", b"\xff\xff", b"ab"]
LONG_BYTES = [b"a" * 1_600, b"a" * 1_600 + b"b"]
GEO_POINTS = [(0, 0), (0, -0.0), (1, 2), (1, -2), (-1, 5), (90, 180), (-90, -180), (37.5, -122.25)]
REFERENCES = [
    "$DOCS/c/a", "$DOCS/c/b", "$DOCS/c/a/e/x", "$DOCS/c/__id7__", "$DOCS/c/__id10__", "$DOCS/c/__id-3__", "$DOCS/d/a",
    "$DOCS/c/none", "$DOCS/a-b/x", "$DOCS/a/x", "$DOCS/c/é",
    "projects/other/databases/(default)/documents/c/a", "projects/diff-0000000/databases/second/documents/c/a",
]  # fmt: skip
VECTORS = [[1.0], [2.0], [0.0, 1.0], [1.0, 0.0], [1.0, 2.0], [1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [-1.0, 0.5]]

SCALAR_KINDS = [
    "null", "boolean", "integer", "integer", "double", "double", "timestamp", "string", "string", "bytes",
    "reference", "geoPoint",
]  # fmt: skip
KINDS = SCALAR_KINDS + ["array", "array", "vector", "map", "map"]

NULL = {"nullValue": None}


def integer(number):
    return {"integerValue": str(number)}


def string(text):
    return {"stringValue": text}


def reference(name):
    return {"referenceValue": name}


def array(values):
    return {"arrayValue": {"values": values}}


def mapping(fields):
    return {"mapValue": {"fields": fields}}


def vector(numbers):
    components = [{"doubleValue": number} for number in numbers]
    return mapping({"__type__": string("__vector__"), "value": array(components)})


class Values:
    """Makes values by kind."""

    def __init__(self, random, long_share=0.08):
        self.random = random
        self.long_share = long_share

    def any(self, depth=0):
        """A value of any kind; nested ones grow rarer with depth."""
        kinds = SCALAR_KINDS if depth > 2 else KINDS
        return self.of(self.random.choice(kinds), depth)

    def number(self):
        return self.of(self.random.choice(["integer", "double"]))

    def of(self, kind, depth=0):
        choice = self.random.choice
        match kind:
            case "null":
                return NULL
            case "boolean":
                return {"booleanValue": choice([False, True])}
            case "integer":
                return integer(choice(INTEGERS) if self.random.random() < 0.3 else choice(INTEGERS[:6]))
            case "double":
                return {"doubleValue": choice(DOUBLES) if self.random.random() < 0.5 else choice(DOUBLES[:10])}
            case "timestamp":
                return {"timestampValue": choice(TIMESTAMPS)}
            case "string":
                return string(choice(LONG_STRINGS if self.random.random() < self.long_share else STRINGS))
            case "bytes":
                content = choice(LONG_BYTES if self.random.random() < self.long_share else BYTES)
                return {"bytesValue": base64.b64encode(content).decode()}
            case "reference":
                return reference(choice(REFERENCES))
            case "geoPoint":
                latitude, longitude = choice(GEO_POINTS)
                return {"geoPointValue": {"latitude": latitude, "longitude": longitude}}
            case "vector":
                return vector(choice(VECTORS))
            case "array":
                return array(self.elements(depth))
            case "map":
                names = self.random.sample(["a", "b", "c", "a.b", "é"], self.random.choice([0, 1, 1, 2, 3]))
                return mapping({name: self.any(depth + 1) for name in names})

    def elements(self, depth=0, counts=(0, 1, 1, 2, 2, 3, 4)):
        """Elements of an array: no arrays and no vectors."""
        kinds = SCALAR_KINDS + (["map"] if depth < 2 else [])
        return [self.of(self.random.choice(kinds), depth + 1) for _ in range(self.random.choice(counts))]

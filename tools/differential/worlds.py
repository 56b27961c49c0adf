# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Random databases: a few collections on several levels whose documents share field names but hardly types."""

from values import Values, array

# What each field mostly holds; `None` is anything.
FIELD_KINDS = {
    "n": ["integer", "double"], "n2": ["integer", "double", "null"], "s": ["string"], "x": None, "y": None,
    "z": ["null", "double", "integer"], "t": ["timestamp"], "r": ["reference"], "g": ["geoPoint"],
    "b": ["bytes"], "f": ["boolean"], "l": ["array"], "v": ["vector"], "m": ["map"],
    "a.b": ["integer", "string"], "we ird": ["integer", "map"], "tick`": ["integer"], "back\\slash": ["integer"],
    "é": ["integer", "string"], "1st": ["integer"],
}  # fmt: skip

IDS = [
    "a", "b", "B", "aa", "ab", "é", "e\u0301", "\uffee", "\U0001f600", "1", "10", "2", "z z", "a.b", "a~b",
    "__id7__", "__id10__", "__id-3__", "_", "long" * 100,
]  # fmt: skip

# Collections by how many documents they get; parents need not exist.
COLLECTIONS = {
    "c": 18, "d": 6, "c/a/e": 3, "c/a/c": 4, "c/__id7__/c": 2, "d/a/c": 3, "d/a/c/b/c": 2, "ghost/none/c": 2,
    "c-c": 1, "c/none/deep/down/d": 1,
}  # fmt: skip

QUERY_PATHS = [
    "n", "n", "n", "n2", "n2", "s", "s", "x", "x", "y", "z", "t", "r", "g", "b", "f", "l", "l", "v", "m",
    "m.a", "m.b", "m.a.b", "m.`a.b`", "m.c", "`a.b`", "`we ird`", "`we ird`.a", "`tick\\``", "`back\\\\slash`",
    "`é`", "`1st`", "`n`", "missing", "missing.too", "n.a",
]  # fmt: skip


def make_documents(random):
    """A database as a list of (path, fields)."""
    values = Values(random)
    documents = []
    for collection, count in COLLECTIONS.items():
        for identifier in random.sample(IDS, count):
            documents.append((f"{collection}/{identifier}", make_fields(random, values)))
    return documents


def make_fields(random, values):
    """The fields of a document; about half of those there are."""
    if random.random() < 0.04:
        return {}
    return {name: make_field(random, values, kinds) for name, kinds in FIELD_KINDS.items() if random.random() < 0.6}


def make_field(random, values, kinds):
    if kinds is None or random.random() < 0.08:
        return values.any()
    kind = random.choice(kinds)
    return array(values.elements(0, (0, 1, 2, 2, 3, 4))) if kind == "array" else values.of(kind)


def value_at(fields, path):
    """The value at a field path of the generator's making; `None` for a missing one."""
    names = split_path(path)
    value = fields.get(names[0])
    for name in names[1:]:
        value = ((value or {}).get("mapValue") or {}).get("fields", {}).get(name)
    return value


def split_path(path):
    """Takes a field path apart, quotes off."""
    names, current, quoted, escaped = [], "", False, False
    for character in path:
        if escaped:
            current, escaped = current + character, False
        elif quoted and character == "\\":
            escaped = True
        elif character == "`":
            quoted = not quoted
        elif character == "." and not quoted:
            names, current = names + [current], ""
        else:
            current += character
    return names + [current]

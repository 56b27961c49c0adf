# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The shape of a call: operators and kinds of values, without the values and names themselves."""

import re

from worlds import split_path


def skeleton(call):
    """The shape of a call on one line."""
    path, _, parameters = call.target.partition("?")
    parent, colon, verb = path.rpartition(":")
    place = "/".join("x" for _ in parent.split("/") if _) if colon else "/".join("x" for _ in path.split("/") if _)
    names = re.sub(r"=[^&]*", "", parameters)
    writer = Writer()
    body = call.body or {}
    body = body.get("structuredAggregationQuery", body) if isinstance(body, dict) else body
    parts = [call.method if not colon else "", place, verb if colon else "", names, writer.write(body) if body else ""]
    return " ".join(part for part in parts if part)


class Writer:
    """Writes JSON as a shape; the same field gets the same letter."""

    def __init__(self):
        self.letters = {}

    def write(self, node):
        if isinstance(node, list):
            return "[" + ", ".join(dict.fromkeys(self.write(element) for element in node)) + "]"
        if isinstance(node, dict):
            return self.write_object(node)
        if isinstance(node, bool) or node is None:
            return str(node).lower()
        if isinstance(node, (int, float)):
            return "#" if node > 0 else str(node)
        return node if re.fullmatch(r"[A-Z_]{2,}", node) else "…"

    def write_object(self, node):
        match node:
            case {"fieldPath": str(path)} if len(node) == 1:
                return self.letter(path)
            case {"fieldFilter": {"field": field, "op": op, "value": value}}:
                return f"{self.write(field)} {op} {kind(value)}"
            case {"unaryFilter": {"field": field, "op": op}}:
                return f"{self.write(field)} {op}"
            case {"compositeFilter": {"op": op, "filters": list(filters)}}:
                return f"{op}({', '.join(self.write(part) for part in filters)})"
            case {"structuredQuery": dict(query)} if len(node) == 1:
                return self.write(query)
        if len(node) == 1 and next(iter(node)).endswith("Value"):
            return kind(node)
        return "{" + ", ".join(self.write_member(key, value) for key, value in sorted(node.items())) + "}"

    def write_member(self, key, value):
        if key == "fields" and isinstance(value, dict):
            return "fields: " + self.write(list(value.values()))
        if key in {"fieldPath", "fieldPaths"}:
            paths = value if isinstance(value, list) else [value]
            return f"{key}: {' '.join(self.letter(path) for path in paths)}"
        if key == "before" or key.endswith("Value"):
            return f"{key}: {value if key == 'before' else ''}".strip(": ")
        return f"{key}: {self.write(value)}"

    def letter(self, path):
        if path == "__name__":
            return path
        names = split_path(str(path))
        return ".".join(self.letters.setdefault(name, chr(ord("A") + len(self.letters) % 26)) for name in names)


def kind(value):
    """The kind of a value, finer where it matters for the order."""
    match value:
        case {"integerValue": number}:
            return "integer" if len(str(number)) < 16 else "long integer"
        case {"doubleValue": "NaN" | "Infinity" | "-Infinity" as name}:
            return name
        case {"doubleValue": float(number)}:
            return "-0.0" if str(number) == "-0.0" else "double" if abs(number) < 2**53 else "large double"
        case {"stringValue": str(text)}:
            return "string" if len(text) < 1500 else "long string"
        case {"timestampValue": str(time)} if re.search(r"\.\d{7,}", time):
            return "nanoseconds"
        case {"arrayValue": {"values": list(elements)}}:
            return f"array[{' '.join(sorted({kind(element) for element in elements}))}]"
        case {"mapValue": {"fields": {"__type__": _}}}:
            return "vector"
        case {"mapValue": {"fields": dict(fields)}}:
            return f"map({' '.join(sorted({kind(field) for field in fields.values()}))})"
        case {"referenceValue": str(name)}:
            return "reference" if name.startswith("$DOCS") else "foreign reference"
        case dict() if value:
            return next(iter(value)).removesuffix("Value")
    return "nothing"

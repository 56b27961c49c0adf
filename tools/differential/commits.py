# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Random writes: commits, batches and single documents, with masks, transforms and preconditions.

`$CREATED` stands for the time at which the documents of the case were made.
"""

from refusals import BAD_PATHS, BAD_REFERENCES, ODD_VALUES
from values import Values, array, integer, mapping, string, VECTORS, vector
from worlds import QUERY_PATHS, make_fields

STALE = "2020-01-01T00:00:00Z"
ODD_IDS = ["__id07__", "__id0__", "__id-0__", "__id9223372036854775808__", "__id+1__"]
WRITE_IDS = ["a", "b", "new", "__id7__", "a/e/x"] * 8 + ODD_IDS
TRANSFORMS = [
    "setToServerValue", "increment", "increment", "maximum", "minimum", "appendMissingElements", "removeAllFromArray",
]  # fmt: skip
TRANSFORM_PATHS = ["n", "n", "n2", "x", "s", "l", "m.a", "m.b", "m", "`a.b`", "`we ird`", "new", "m.new.deep", "z"]


def deep(depth):
    """A value in so many maps."""
    return integer(1) if depth == 0 else mapping({"a": deep(depth - 1)})


class WriteMaker:
    """Makes calls that write."""

    def __init__(self, random):
        self.random = random
        self.values = Values(random)

    def documents(self):
        """What is there before."""
        identifiers = self.random.sample(["a", "b", "__id7__", "a/e/x"], self.random.choice([1, 2, 3]))
        return [(f"c/{identifier}", make_fields(self.random, self.values)) for identifier in identifiers]

    def calls(self):
        """Calls as (method, path below the documents, body)."""
        return [self.call() for _ in range(self.random.choice([1, 1, 1, 2]))]

    def call(self):
        dice = self.random.random()
        if dice < 0.6:
            return "POST", ":commit", {"writes": [self.write() for _ in range(self.random.choice([1, 1, 1, 2, 3]))]}
        if dice < 0.75:
            return "POST", ":batchWrite", {"writes": [self.write() for _ in range(self.random.choice([1, 2, 3]))]}
        if dice < 0.82:
            collection = self.random.choice(["c", "c/a/e", "c/none/e", "__x__", "d"])
            identifier = self.random.choice(["a", "new", "__x__", ".", "x" * 1501, "%C3%A9"])
            return "POST", f"/{collection}?documentId={identifier}", {"fields": self.fields()}
        if dice < 0.93:
            parameters = self.parameters(has_mask=True)
            fields = self.fields(may_be_odd="updateMask" not in parameters)
            return "PATCH", f"/c/{self.random.choice(WRITE_IDS)}{parameters}", {"fields": fields}
        return "DELETE", f"/c/{self.random.choice(WRITE_IDS)}{self.parameters(has_mask=False)}", None

    def parameters(self, has_mask):
        parts = []
        if has_mask and self.random.random() < 0.5:
            for _ in range(self.random.choice([1, 2])):
                parts.append(f"updateMask.fieldPaths={self.random.choice(['n', 's', 'm.a', 'gone', 'a..b', '__x__'])}")
        if self.random.random() < 0.4:
            # Not updateTime: as a parameter the official emulator takes any for 0.
            parts.append(f"currentDocument.exists={self.random.choice(['true', 'false'])}")
        return "?" + "&".join(parts) if parts else ""

    def write(self):
        dice = self.random.random()
        name = f"$DOCS/c/{self.random.choice(WRITE_IDS)}"
        if dice < 0.04:
            name = self.random.choice(BAD_REFERENCES)
        if dice > 0.88:
            write = {"delete": name}
        elif dice > 0.83:
            write = {"transform": {"document": name, "fieldTransforms": self.transforms()}}
        elif dice > 0.81:
            write = {"verify": name}
        elif dice > 0.8:
            write = {}
        else:
            is_masked = self.random.random() < 0.5
            write = {"update": {"name": name, "fields": self.fields(may_be_odd=not is_masked)}}
            if is_masked:
                write["updateMask"] = {"fieldPaths": self.mask()}
            if self.random.random() < 0.5:
                write["updateTransforms"] = self.transforms()
        if self.random.random() < 0.3:
            write["currentDocument"] = self.random.choice(
                [{"exists": True}, {"exists": False}, {"updateTime": "$CREATED"}, {"updateTime": STALE}, {}]
            )
        return write

    def fields(self, may_be_odd=True):
        """Fields; not odd ones beside a mask, for the official emulator does not look at what the mask leaves out."""
        if may_be_odd and self.random.random() < 0.15:
            return self.odd_fields()
        fields = make_fields(self.random, self.values)
        names = self.random.sample(sorted(fields), min(len(fields), self.random.choice([0, 1, 2, 4])))
        return {name: fields[name] for name in names}

    def odd_fields(self):
        return self.random.choice(
            [{"x": value} for value in ODD_VALUES]
            + [{name: integer(1)} for name in ("__x__", "", "p" * 1501, "a.b", "__name__")]
            + [{"x": deep(depth)} for depth in (19, 20, 21)]
            + [{"x": array([deep(depth)])} for depth in (18, 19, 20)]
            + [{"s": string("x" * 1_048_488)}, {"s": string("x" * 1_048_487)}, {"m": mapping({"p" * 1501: integer(1)})}]
            + [{"x": vector([1.0] * 2049)}, {"x": mapping({"v": vector(VECTORS[0])})}]
        )

    def mask(self):
        paths = [self.random.choice(QUERY_PATHS) for _ in range(self.random.choice([0, 1, 2, 3]))]
        if self.random.random() < 0.08:
            paths.append(self.random.choice(BAD_PATHS))
        return paths

    def transforms(self):
        return [self.transform() for _ in range(self.random.choice([1, 1, 2, 3]))]

    def transform(self):
        path = self.random.choice(TRANSFORM_PATHS)
        if self.random.random() < 0.04:
            # The official emulator lets transforms nest without end, as no write may.
            path = self.random.choice([path for path in [*BAD_PATHS, "__name__"] if path.count(".") < 20])
        kind = self.random.choice(TRANSFORMS)
        if kind == "setToServerValue":
            operand = "REQUEST_TIME" if self.random.random() < 0.95 else "SERVER_VALUE_UNSPECIFIED"
        elif kind in {"increment", "maximum", "minimum"}:
            operand = self.values.number() if self.random.random() < 0.9 else self.values.any()
        else:
            elements = self.values.elements()
            if self.random.random() < 0.04:
                elements.append(self.random.choice([array([]), vector([1.0]), {}]))
            operand = {"values": elements}
        return {"fieldPath": path, kind: operand}

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Finds and names the difference between two answers."""

import dataclasses
import re

from answers import without_zero_signs
from skeletons import skeleton


@dataclasses.dataclass(frozen=True)
class Difference:
    """How the answers to a case differ."""

    #: What stays the same while a case is shrunk.
    kind: str
    #: Which call of the case; one past the last for what the database holds afterwards.
    index: int
    ours: object
    official: object

    @property
    def is_named_by_texts(self):
        """Whether the kind alone tells the cause."""
        return self.kind.startswith(("texts", "only", "sign of zero", "last digits", "which fault"))

    @property
    def is_named_by_calls(self):
        """Whether the kind and the calls tell the cause, also before the case is shrunk."""
        return self.kind.startswith("answers at")

    def signature(self, case):
        """One line that is the same for all cases with the same cause, as far as one can tell."""
        if self.is_named_by_texts:
            return self.kind
        if self.kind in ROW_KINDS and has_long_values(case.documents):
            return f"{self.kind} | values over 1,500 bytes"
        parts = [skeleton(call) for call in case.calls]
        return f"{self.kind} | {' ; '.join(parts)}"


#: Reported only when a case has nothing worse.
SOFT_KINDS = {"sign of zero", "last digits of an aggregate"}
ROW_KINDS = {"order", "rows", "rows missing", "rows too many"}


def has_long_values(documents):
    """Whether a stored value is too long for an index entry; the shrinker would have shortened it if it could."""
    return any(re.search(r"'(?:string|bytes)Value': '[^']{1500}", str(fields)) for _, fields in documents)


def find_difference(ours, official):
    """The first difference between the answers of a case; `None` when they agree."""
    soft = None
    for index, (left, right) in enumerate(zip(ours, official, strict=True)):
        kind = kind_of_difference(left, right)
        if kind in SOFT_KINDS:
            soft = soft or Difference(kind, index, left, right)
        elif kind:
            return Difference(kind, index, left, right)
    return soft


def kind_of_difference(ours, official):
    if ours == official:
        return None
    if "refusal" in ours and "refusal" in official:
        return kind_of_refusals(ours["refusal"], official["refusal"])
    if "refusal" in ours:
        return f"only ours refuses | {general(ours['refusal'])}"
    if "refusal" in official:
        return f"only official refuses | {general(official['refusal'])}"
    if "rows" in ours:
        kind = kind_of_rows(ours["rows"], official["rows"])
        if kind:
            return kind
        # The official emulator loses the count when the message it is on is also the last.
        return "skipped" if official["skipped"] not in (0, ours["skipped"]) else None
    left, right = without_zero_signs(ours), without_zero_signs(official)
    if left == right:
        return "sign of zero"
    return f"answers at {first_place(left, right)}"


def kind_of_refusals(ours, official):
    left, right = general(ours), general(official)
    if left != right:
        return f"texts | ours: {left} | official: {right}"
    # What these say depends on the server's hashes or times.
    if exact(ours) == exact(official):
        return None
    return f"texts' details | {left}"


def exact(refusal):
    return re.sub(r"inequality fields: \[.*?\]|version \(\d+\)|BaseVersion=\d+", "…", refusal[2])


def kind_of_rows(ours, official):
    left, right = without_zero_signs(ours), without_zero_signs(official)
    if left == right:
        return None if ours == official else "sign of zero"
    if rounded_aggregates(left) == rounded_aggregates(right):
        return "last digits of an aggregate"
    our_names, official_names = ([row.get("name") for row in rows] for rows in (left, right))
    if our_names == official_names:
        return "fields"
    if sorted(map(str, our_names)) == sorted(map(str, official_names)):
        return "order"
    if set(our_names) < set(official_names):
        return "rows missing"
    if set(our_names) > set(official_names):
        return "rows too many"
    return "rows"


def rounded_aggregates(rows):
    """The rows with doubles among aggregates cut to the digits that no order of adding changes."""
    return [
        {
            alias: f"{float(value['doubleValue']):.12e}" if "doubleValue" in value else value
            for alias, value in row["aggregateFields"].items()
        }
        if "aggregateFields" in row
        else row
        for row in rows
    ]


def first_place(left, right, place=""):
    """Where two JSON trees first differ, list positions left out."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in sorted(left.keys() | right.keys()):
            if left.get(key) != right.get(key) or (key in left) != (key in right):
                if key not in left or key not in right:
                    return f"{place}.{key} ({'only official' if key not in left else 'only ours'})"
                return first_place(left[key], right[key], f"{place}.{key}")
    if isinstance(left, list) and isinstance(right, list):
        if len(left) != len(right):
            return f"{place}.count"
        for one, other in zip(left, right):
            if one != other:
                return first_place(one, other, place)
    return place.removeprefix(".answer").removeprefix(".") or "top"


GENERALIZATIONS = [
    (r'"(?:[^"\\]|\\.)*"', '"…"'),
    (r"inequality fields: \[.*?\]", "inequality fields: […]"),
    (r"has fields \[.*?\]", "has fields […]"),
    (r"(duplicate fields|filter:|field name|field path) \S.*$", r"\1 …"),
    (r"value for .* is too large", "value for … is too large"),
    (r"(aggregation property|transform property|Property) \S+", r"\1 …"),
    (r"path < .* >", "path < … >"),
    (r"path=\S+", "path=…"),
    (r"'[^']*/databases/[^']*'", "'…'"),
    (r"\$DOCS[^\s\"')\]]*|projects/[^\s\"']+", "…"),
    (r"\{\S*futureValue.*", "…"),
    (r"-?\d+(\.\d+)?(E-?\d+)?", "#"),
]


def general(refusal):
    """A refusal with what varies left out."""
    status, name, message = refusal
    message = re.sub(r"\s+", " ", message)
    for pattern, replacement in GENERALIZATIONS:
        message = re.sub(pattern, replacement, message)
    return f"{status} {name} {message[:240]}"

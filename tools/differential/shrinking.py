# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Makes a case that shows a difference as small as possible: fewer documents, fields, filters, simpler values."""

import dataclasses
import re

TRIAL_COUNT_MAX = 600
SIMPLE_VALUES = [{"integerValue": "1"}, {"stringValue": "a"}, {"nullValue": None}]
#: Without these a query would be another one.
KEPT_KEYS = {"from", "collectionId", "structuredQuery", "structuredAggregationQuery", "op", "fieldPath"}
STRUCTURES = {"fieldFilter", "unaryFilter", "compositeFilter", "update", "delete", "transform"}


class Shrinker:
    """Tries smaller cases as long as `judge` finds the same kind of difference."""

    def __init__(self, judge, kind):
        self.judge = judge
        self.kind = kind
        self.trials = 0

    def shrink(self, case):
        size = None
        while size != len(str(case)) and self.trials < TRIAL_COUNT_MAX:
            size = len(str(case))
            case = self.fewer_documents(case)
            for candidates in (with_fewer_calls, with_smaller_calls, with_smaller_documents):
                case = self.descend(case, candidates)
        return case

    def still_differs(self, case):
        if self.trials >= TRIAL_COUNT_MAX:
            return False
        self.trials += 1
        difference = self.judge(case)
        return difference is not None and difference.kind == self.kind

    def fewer_documents(self, case):
        """Leaves out all, halves, quarters and so on down to single documents."""
        size = max(1, len(case.documents))
        while True:
            start = 0
            while start < len(case.documents):
                rest = case.documents[:start] + case.documents[start + size :]
                smaller = dataclasses.replace(case, documents=rest)
                if self.still_differs(smaller):
                    case = smaller
                else:
                    start += size
            if size == 1:
                return case
            size //= 2

    def descend(self, case, candidates):
        """Goes on to the first candidate that still differs, until there is none."""
        while True:
            smaller = next((candidate for candidate in candidates(case) if self.still_differs(candidate)), None)
            if smaller is None:
                return case
            case = smaller


def smaller_cases(case):
    """All cases whose calls are one step smaller."""
    yield from with_fewer_calls(case)
    yield from with_smaller_calls(case)


def with_fewer_calls(case):
    if len(case.calls) > 1:
        for index in range(len(case.calls)):
            yield dataclasses.replace(case, calls=case.calls[:index] + case.calls[index + 1 :])


def with_smaller_calls(case):
    for index, call in enumerate(case.calls):
        for smaller in smaller_calls(call):
            yield dataclasses.replace(case, calls=case.calls[:index] + (smaller,) + case.calls[index + 1 :])


def smaller_calls(call):
    path, _, parameters = call.target.partition("?")
    parts = parameters.split("&") if parameters else []
    for index in range(len(parts)):
        rest = "&".join(parts[:index] + parts[index + 1 :])
        yield dataclasses.replace(call, target=f"{path}?{rest}" if rest else path)
    for body in smaller_trees(call.body):
        yield dataclasses.replace(call, body=body)


def with_smaller_documents(case):
    for index, (path, fields) in enumerate(case.documents):
        for smaller in smaller_trees(fields):
            documents = case.documents[:index] + ((path, smaller),) + case.documents[index + 1 :]
            yield dataclasses.replace(case, documents=documents)


def smaller_trees(node):
    """All JSON trees that are one step smaller."""
    if isinstance(node, list):
        for index in range(len(node)):
            yield node[:index] + node[index + 1 :]
        for index, element in enumerate(node):
            for smaller in smaller_trees(element):
                yield node[:index] + [smaller] + node[index + 1 :]
    elif isinstance(node, dict):
        yield from smaller_objects(node)
    elif isinstance(node, str) and len(node) > 3 and re.fullmatch(r"(.)\1+", node):
        # Names and texts of a certain length stay: the length is likely to matter.
        yield node[: len(node) // 2]


def smaller_objects(node):
    filters = (node.get("compositeFilter") or {}).get("filters")
    if isinstance(filters, list):
        yield from (part for part in filters if isinstance(part, dict) and part)
    is_value = len(node) == 1 and next(iter(node)).endswith("Value")
    if is_value and node not in SIMPLE_VALUES:
        yield from SIMPLE_VALUES
    for key in node:
        if key not in KEPT_KEYS and not is_value and not (len(node) == 1 and key in STRUCTURES):
            yield {name: value for name, value in node.items() if name != key}
    for key, value in node.items():
        if key == "fieldPath" or (is_value and isinstance(value, str)):
            continue
        for smaller in smaller_trees(value):
            yield {**node, key: smaller}

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Puts differences into groups, each with a small reproduction."""

import dataclasses

from differences import Difference
from shrinking import Shrinker

SHRINK_COUNT_MAX = 600
SAME_TEXTS_COUNT = 2
FAULT_ORDER = "which fault is told first"


@dataclasses.dataclass
class Group:
    """Cases with the same difference; the smallest is the example."""

    signature: str
    example: object
    difference: Difference
    numbers: list

    @property
    def count(self):
        return len(self.numbers)


def group_differences(comparison, found, known, pool):
    """Shrinks what was found and puts it in groups; of those named by their texts a few of each kind are enough."""
    found.sort(key=lambda pair: pair[0].number)
    chosen, numbers, groups = [], {}, {}
    for case, difference in found:
        seen = numbers.setdefault(difference.kind, [])
        seen.append(case.number)
        if difference.is_named_by_texts and known.reason(difference.kind):
            groups.setdefault(difference.kind, Group(difference.kind, case, difference, seen))
        elif difference.is_named_by_calls and known.reason(signature := difference.signature(case)):
            groups.setdefault(signature, Group(signature, case, difference, [])).numbers.append(case.number)
        elif not difference.is_named_by_texts:
            chosen.append((case, difference))
        elif len(seen) <= SAME_TEXTS_COUNT:
            chosen.append((case, difference))
    for case, difference in pool.map(lambda pair: shrunk(comparison, *pair), chosen[:SHRINK_COUNT_MAX]):
        group = groups.setdefault(difference.signature(case), Group(difference.signature(case), case, difference, []))
        kind = difference.kind.replace(FAULT_ORDER, "texts", 1)
        group.numbers += numbers.pop(kind, []) if difference.is_named_by_texts else [case.number]
        if len(str(case)) < len(str(group.example)):
            group.example, group.difference = case, difference
    return sorted(groups.values(), key=lambda group: -group.count), len(chosen[SHRINK_COUNT_MAX:])


def shrunk(comparison, case, difference):
    if difference.kind.startswith("texts") and (found := without_documents(comparison, case, difference)):
        case, difference = found
        if comparison.tells_one_of_two_faults(case, difference):
            return case, dataclasses.replace(difference, kind=difference.kind.replace("texts", FAULT_ORDER, 1))
    smaller = Shrinker(comparison.judge, difference.kind).shrink(case)
    again = comparison.judge(smaller)
    if again and again.kind == difference.kind:
        case, difference = smaller, again
    if difference.kind.startswith("texts") and comparison.tells_one_of_two_faults(case, difference):
        difference = dataclasses.replace(difference, kind=difference.kind.replace("texts", FAULT_ORDER, 1))
    return case, difference


def without_documents(comparison, case, difference):
    """The case on an empty database, which is as good for most refusals and faster; `None` for the others."""
    case = dataclasses.replace(case, documents=())
    again = comparison.judge(case)
    return (case, again) if again and again.kind == difference.kind else None

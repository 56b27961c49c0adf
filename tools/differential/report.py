# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Prints what was found."""

import json

EXCERPT = 1_500


def print_group(group, reason):
    """A group of differences with its smallest reproduction."""
    case, difference = group.example, group.difference
    print(f"\n=== {group.count} x {group.signature}")
    if reason:
        print(f"    known: {reason}")
    print(f"    case {case.number}; all of them: {', '.join(map(str, group.numbers[:12]))}")
    for path, fields in case.documents[:12]:
        print(f"  document {path}  {excerpt(fields)}")
    if len(case.documents) > 12:
        print(f"  and {len(case.documents) - 12} more documents")
    for index, call in enumerate(case.calls):
        mark = ">" if index == difference.index else " "
        print(f" {mark} {call.method} {call.target[:300]}  {excerpt(call.body) if call.body is not None else ''}")
    if difference.index == len(case.calls):
        print(" > and then everything in the database")
    print(f"  ours:     {excerpt(difference.ours)}")
    print(f"  official: {excerpt(difference.official)}")


def excerpt(node):
    text = json.dumps(node, ensure_ascii=False)
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT]}… ({len(text)} characters)"

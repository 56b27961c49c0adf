# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Random queries under random conditions: whether the filters of a query prove the condition for all its results."""

import json

from rules_sides import (
    BAD_REQUEST, DOCUMENTS, OWNER, RULES_REFUSED, Comparison, Request, alice, encoded, reference, timestamp,
)  # fmt: skip

NAME = "queries"
DEPTH_MAX = 2
DOCUMENT_FIELDS = {f"c/d{number}": {"n": number, "s": "x", "l": [1, 2]} for number in range(3)}
TOKEN = alice()

QUERY_FIELDS = ["n", "s", "m.k", "l"]
COMPARISONS = {
    "EQUAL": "==", "NOT_EQUAL": "!=", "LESS_THAN": "<", "LESS_THAN_OR_EQUAL": "<=", "GREATER_THAN": ">",
    "GREATER_THAN_OR_EQUAL": ">=",
}  # fmt: skip
UNARY_OPERATORS = ["IS_NULL", "IS_NAN", "IS_NOT_NULL", "IS_NOT_NAN"]
SCALARS = [0, 1, 2, 1.5, -1, "a", "b", "x"]
COMPARED = [*SCALARS, True, False, None, timestamp("1970-01-01T00:00:00Z"), [1], {"k": 1}]

RULE_FIELDS = [
    "resource.data.n", "resource.data.n", "resource.data.s", "resource.data.m.k", "resource.data.l", "resource.data['n']",
    "resource.data.get('n', 5)",
]  # fmt: skip
LITERALS = [
    "0", "1", "2", "1.5", "-1", "'a'", "'b'", "'x'", "true", "false", "null", "[1]", "{'k': 1}", "timestamp.value(0)",
]  # fmt: skip
TYPE_NAMES = ["int", "string", "number", "constraint", "list", "bool", "map"]
OTHER_CONDITIONS = [
    "'n' in resource.data", "resource.data.size() == 1", "resource.data.keys().hasAny(['n'])",
    "request.query.limit <= 10", "request.query.orderBy.n == 'ASC'", "id == 'd0'", "resource.id == 'd0'",
    "exists(/databases/(default)/documents/c/d0)", "get(/databases/(default)/documents/c/d1).data.n == 1",
    "resource == null", "request.auth.uid == 'alice'", "{field}.size() > 0", "{field}[0] == 1", "{field} + 1 > 0",
    "{field} == {field}", "{field}.matches('x')",
]  # fmt: skip
USUAL_PATTERNS = ["/c/{id}", "/{parent=**}/c/{id}"]
PATTERNS = [*USUAL_PATTERNS, "/{all=**}", "/c/d0", "/c/{id=**}"]


class QueryMaker:
    """Makes a query and the condition that decides about it."""

    def __init__(self, random):
        self.random = random

    def query(self):
        source = {"collectionId": "c"}
        if self.chance(0.15):
            source["allDescendants"] = True
        query = {"from": [source]}
        if self.chance(0.93):
            query["where"] = self.filter()
        if self.chance(0.2):
            query["limit"] = self.random.choice([1, 10, 50])
        return query

    def filter(self, depth=0):
        if depth < DEPTH_MAX and self.chance(0.35):
            filters = [self.filter(depth + 1) for _ in range(self.random.choice([2, 2, 3]))]
            return {"compositeFilter": {"op": self.random.choice(["AND", "AND", "OR"]), "filters": filters}}
        field = self.random.choice(QUERY_FIELDS)
        make = self.weighted({
            0.10: lambda: {"unaryFilter": {"op": self.random.choice(UNARY_OPERATORS), "field": {"fieldPath": field}}},
            0.20: lambda: field_filter("l", "ARRAY_CONTAINS", self.random.choice(SCALARS)),
            0.30: lambda: field_filter(field, self.random.choice(["IN", "NOT_IN"]), self.random.sample(SCALARS, 2)),
            0.35: lambda: field_filter("l", "ARRAY_CONTAINS_ANY", self.random.sample(SCALARS, 2)),
            0.45: self.name_filter,
            1.00: lambda: field_filter(field, self.random.choice(list(COMPARISONS)), self.random.choice(COMPARED)),
        })
        return make()

    def name_filter(self):
        operator = self.random.choice(["EQUAL", "IN", "GREATER_THAN", "GREATER_THAN"])
        names = [reference("c/d0"), reference("c/d9")]
        return field_filter("__name__", operator, names if operator == "IN" else names[0])

    def condition(self, depth=0):
        if depth < DEPTH_MAX and self.chance(0.3):
            operator = self.random.choice(["&&", "||"])
            return f"({self.condition(depth + 1)} {operator} {self.condition(depth + 1)})"
        if self.chance(0.1):
            return f"!({self.condition(depth + 1)})"
        field, literal, other = self.random.choice(RULE_FIELDS), self.random.choice(LITERALS), self.random.choice(LITERALS)
        operator = self.random.choice(list(COMPARISONS.values()))
        template = self.weighted({
            0.10: "{literal} in {field}",
            0.18: "{field}.hasAny([{literal}, {other}])",
            0.26: "{field} in [{literal}, {other}]",
            0.34: f"{{field}} is {self.random.choice(TYPE_NAMES)}",
            0.40: self.random.choice(OTHER_CONDITIONS),
            0.52: "{literal} {operator} {field}",
            1.00: "{field} {operator} {literal}",
        })
        values = {"{field}": field, "{literal}": literal, "{other}": other, "{operator}": operator}
        for place, text in values.items():
            template = template.replace(place, text)
        return template

    def pattern(self):
        return self.random.choice(USUAL_PATTERNS if self.chance(0.85) else PATTERNS)

    def chance(self, rate):
        return self.random.random() < rate

    def weighted(self, choices):
        """The choice with the first bound above a random number; bounds ascend to 1."""
        number = self.random.random()
        return next(choice for bound, choice in choices.items() if number < bound)


def field_filter(field, operator, operand):
    return {"fieldFilter": {"field": {"fieldPath": field}, "op": operator, "value": encoded(operand)}}


def rules_of(pattern, condition):
    return (
        "rules_version = '2';\nservice cloud.firestore { match /databases/{database}/documents {\n"
        f"match {pattern} {{ allow list: if\n{condition};\n}} }} }}\n"
    )


def prepare(sides):
    sides.load(DOCUMENT_FIELDS)


def compare(sides, random):
    """One random query on both sides; none where a query is refused to the owner, too, for what it asks."""
    maker = QueryMaker(random)
    pattern, condition, query = maker.pattern(), maker.condition(), maker.query()
    rules = rules_of(pattern, condition)
    request = Request("POST", f"{DOCUMENTS}:runQuery", {"structuredQuery": query})
    ours, official = sides.both(lambda side: side.ask(request, TOKEN) if side.put_rules(rules) else RULES_REFUSED)
    if BAD_REQUEST in (ours.status, official.status):
        if BAD_REQUEST in [verdict.status for verdict in sides.both(lambda side: side.ask(request, OWNER))]:
            return []
    return [Comparison(f"match {pattern}\n{condition}\n{json.dumps(query)}", ours, official)]

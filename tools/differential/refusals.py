# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Spoils queries in the ways clients do."""

from queries import composite, field, field_filter, unary_filter
from values import NULL, array, integer, reference, string

BAD_PATHS = [
    "", "a..b", ".a", "a.", "1a", "a-b", "a b", "a/b", "a[0]", "`a", "a`", "``", "`a`b", "__x__", "a.__x__", "`__x__`",
    "__name__.a", "a.__name__", "p" * 1501, "p" * 1500, "a." * 30 + "a", "*", "é",
]  # fmt: skip
BAD_COLLECTIONS = ["__x__", "a/b", ".", "..", "x" * 1501, "x" * 1500, "__id7__"]
BAD_REFERENCES = [
    "", "c/a", "$DOCS", "$DOCS/c", "$DOCS/c/a/b", "$DOCS/c/", "$DOCS/__x__/a", "$DOCS/c/__x__", "$DOCS/c/.", "$DOCS//a",
    "projects/p", "projects/p/databases/(default)/documents/c/a", "$DOCS/c/" + "x" * 1501,
]  # fmt: skip
SINGLE_OPERATORS = ["LESS_THAN", "GREATER_THAN_OR_EQUAL", "EQUAL", "NOT_EQUAL", "ARRAY_CONTAINS"]
LIST_OPERATORS = ["IN", "NOT_IN", "ARRAY_CONTAINS_ANY"]
ODD_VALUES = [
    {}, {"integerValue": "9223372036854775808"}, {"integerValue": "x"}, {"integerValue": 1.5}, {"integerValue": "1.0"},
    {"doubleValue": "x"}, {"doubleValue": "1.5"}, {"timestampValue": "yesterday"}, {"bytesValue": "%"},
    {"timestampValue": "10000-01-01T00:00:00Z"}, {"futureValue": 1}, {"integerValue": "1", "stringValue": "a"},
    {"geoPointValue": {"latitude": 91, "longitude": 0}}, {"geoPointValue": {}}, {"arrayValue": {}}, {"mapValue": {}},
    {"nullValue": "NULL_VALUE"}, {"booleanValue": "true"}, {"stringValue": 1}, {"stringValue": None},
    array([array([integer(1)])]), array([{}]), {"mapValue": {"fields": {"__x__": integer(1)}}},
    {"mapValue": {"fields": {"": integer(1)}}}, {"mapValue": {"fields": {"__type__": string("__vector__")}}},
    array([{"mapValue": {"fields": {"__type__": string("__vector__"), "value": array([{"doubleValue": 1.0}])}}}]),
    {"mapValue": {"fields": {"__type__": string("__vector__"), "value": array([])}}},
    {"mapValue": {"fields": {"__type__": string("__vector__"), "value": array([integer(1)])}}},
    {"mapValue": {"fields": {"__type__": string("other")}}},
]  # fmt: skip


def sum_of(path):
    return {"sum": {"field": field(path)}}


class Spoiler:
    """Spoils a query made by `QueryMaker`, in place."""

    def __init__(self, random):
        self.random = random
        self.ways = [
            self.bad_operand, self.empty_list, self.many_values, self.negations, self.not_in_with_in,
            self.array_contains, self.disjunctions, self.cursor_too_long, self.cursor_kind,
            self.negative_numbers, self.bad_path,
            self.bad_collection, self.orders, self.odd_value, self.odd_filter, self.operators, self.name_operand,
            self.many_terms, self.inequality_fields, self.selectors, self.kindless, self.unknown_key, self.name_unary,
            self.cursor_reference, self.wrong_type, self.not_in_nulls, self.nested_empty, self.equality_on_name,
        ]  # fmt: skip

    def spoil(self, target, body):
        """Returns what to send instead."""
        if "structuredAggregationQuery" in body and self.random.random() < 0.6:
            self.aggregation(body["structuredAggregationQuery"])
            return target, body
        query = (body.get("structuredAggregationQuery") or body)["structuredQuery"]
        self.random.choice(self.ways)(query)
        if self.random.random() < 0.04:
            target, body = self.request(target, body)
        return target, body

    def pick(self, *choices):
        return self.random.choice(choices)

    def also(self, query, *filters):
        """Adds filters, or (half of the time) puts them in the place of what was there."""
        parts = list(filters)
        if "where" in query and self.random.random() < 0.5:
            parts.append(query["where"])
        query["where"] = parts[0] if len(parts) == 1 else composite("AND", parts)

    # Filters

    def bad_operand(self, query):
        self.also(query, field_filter("n", self.pick(*LIST_OPERATORS), self.pick(integer(1), string("a"), NULL)))

    def empty_list(self, query):
        self.also(query, field_filter("n", self.pick(*LIST_OPERATORS), array([])))

    def many_values(self, query):
        count = self.pick(10, 11, 30, 31, 40)
        self.also(query, field_filter("n", self.pick(*LIST_OPERATORS), array([integer(n) for n in range(count)])))

    def not_in_nulls(self, query):
        operand = array([self.pick(NULL, {"doubleValue": "NaN"}), integer(1)])
        self.also(query, field_filter("n", self.pick(*LIST_OPERATORS), operand))

    def negations(self, query):
        choices = [
            field_filter("n", "NOT_EQUAL", integer(1)), field_filter("n", "NOT_IN", array([integer(2)])),
            unary_filter("n", "IS_NOT_NULL"), unary_filter("n2", "IS_NOT_NAN"),
            field_filter("s", "NOT_EQUAL", string("a")),
        ]  # fmt: skip
        self.also(query, *self.random.sample(choices, 2))

    def not_in_with_in(self, query):
        other = self.pick(
            field_filter("s", "IN", array([string("a")])),
            field_filter("l", "ARRAY_CONTAINS_ANY", array([string("a")])),
            composite("OR", [field_filter("s", "EQUAL", string("a")), field_filter("s", "EQUAL", string("b"))]),
            composite("OR", [field_filter("s", "EQUAL", string("a"))]), field_filter("l", "ARRAY_CONTAINS", integer(1)),
        )  # fmt: skip
        self.also(query, field_filter("n", "NOT_IN", array([integer(2)])), other)

    def array_contains(self, query):
        operands = [("ARRAY_CONTAINS", integer(1)), ("ARRAY_CONTAINS", integer(2))]
        operands += [("ARRAY_CONTAINS_ANY", array([integer(1), integer(n)])) for n in (1, 2)]
        tests = [field_filter(path, *operand) for path in ("l", "x") for operand in operands]
        query["where"] = composite(self.pick("AND", "AND", "OR"), self.random.sample(tests, 2))

    def disjunctions(self, query):
        sizes = self.pick((5, 6), (6, 6), (2, 16), (1, 30), (3, 11), (2, 3, 5), (2, 4, 4))
        ins = [field_filter(f"f{i}", "IN", array([integer(n) for n in range(size)])) for i, size in enumerate(sizes)]
        if self.random.random() < 0.4:
            equal = [[field_filter(f"f{i}", "EQUAL", integer(n)) for n in range(size)] for i, size in enumerate(sizes)]
            ins = [composite("OR", parts) for parts in equal]
        if self.random.random() < 0.2:
            ins = [field_filter("n", "IN", array([integer(n // 2) for n in range(20)])) for _ in range(2)]
        query["where"] = composite(self.pick("AND", "AND", "OR"), ins)

    def name_operand(self, query):
        operator = self.pick(*SINGLE_OPERATORS, *LIST_OPERATORS)
        operand = self.pick(string("a"), NULL, integer(1), reference(self.pick(*BAD_REFERENCES)))
        operand = array([operand]) if operator in LIST_OPERATORS else operand
        self.also(query, field_filter("__name__", operator, operand))

    def name_unary(self, query):
        self.also(query, unary_filter("__name__", self.pick("IS_NULL", "IS_NAN", "IS_NOT_NULL", "IS_NOT_NAN")))

    def equality_on_name(self, query):
        name = field_filter("__name__", self.pick("EQUAL", "EQUAL", "LESS_THAN"), reference("$DOCS/c/a"))
        self.also(query, name, field_filter(self.pick("n", "__name__"), self.pick("GREATER_THAN", "EQUAL"), integer(0)))

    def odd_value(self, query):
        operand = self.pick(*ODD_VALUES)
        if self.random.random() < 0.2:
            query.setdefault("orderBy", [{"field": field("n")}])
            query["startAt"] = {"values": [operand]}
        else:
            self.also(query, field_filter("x", self.pick(*SINGLE_OPERATORS), operand))

    def odd_filter(self, query):
        query["where"] = self.pick(
            {}, {"fieldFilter": {}}, {"unaryFilter": {}}, {"compositeFilter": {}}, composite("OR", []),
            composite("AND", []), {"compositeFilter": {"filters": [unary_filter("n", "IS_NULL")]}},
            {"fieldFilter": {"field": field("n"), "op": "EQUAL"}},
            {"fieldFilter": {"op": "EQUAL", "value": integer(1)}},
            {"fieldFilter": {"field": field("n"), "value": integer(1)}},
            {"unaryFilter": {"op": "IS_NULL"}}, {"unaryFilter": {"field": field("n")}},
        )  # fmt: skip

    def nested_empty(self, query):
        empty = composite(self.pick("AND", "OR"), [])
        query["where"] = composite("AND", [empty, field_filter("n", "EQUAL", integer(1))])

    def operators(self, query):
        query["where"] = self.pick(
            field_filter("n", "OPERATOR_UNSPECIFIED", integer(1)), field_filter("n", "SIMILAR_TO", integer(1)),
            field_filter("n", 99, integer(1)), field_filter("n", 5, integer(1)),
            unary_filter("n", "OPERATOR_UNSPECIFIED"),
            unary_filter("n", "IS_ODD"), composite("OPERATOR_UNSPECIFIED", [unary_filter("n", "IS_NULL")]),
            composite("XOR", [unary_filter("n", "IS_NULL")]), composite(1, [unary_filter("n", "IS_NULL")]),
        )  # fmt: skip

    def many_terms(self, query):
        count = self.pick(99, 100, 101)
        query["where"] = composite("AND", [field_filter(f"f{n}", "EQUAL", integer(n)) for n in range(count)])

    def inequality_fields(self, query):
        count = self.pick(10, 11)
        query["where"] = composite("AND", [field_filter(f"f{n}", "GREATER_THAN", integer(n)) for n in range(count)])
        query.pop("orderBy", None)
        query.pop("startAt", None)
        query.pop("endAt", None)

    # Cursors, orders, numbers

    def cursor_too_long(self, query):
        values = [integer(1)] * (len(query.get("orderBy", [])) + self.pick(1, 2))
        query[self.pick("startAt", "endAt")] = {"values": values}

    def cursor_kind(self, query):
        name = {"field": field("__name__")}
        query["orderBy"] = self.pick([name], [{"field": field("n")}, name])
        operand = self.pick(string("a"), string("$DOCS/c/a"), integer(1), NULL)
        query["startAt"] = {"values": [integer(1)] * (len(query["orderBy"]) - 1) + [operand]}

    def cursor_reference(self, query):
        query["orderBy"] = [{"field": field("__name__")}]
        query[self.pick("startAt", "endAt")] = {"values": [reference(self.pick(*BAD_REFERENCES))]}

    def negative_numbers(self, query):
        query[self.pick("limit", "offset")] = self.pick(-1, -5, 2**31 - 1, 2**31, 1.5, "3", "x", -(2**31))

    def orders(self, query):
        query.pop("startAt", None)
        query.pop("endAt", None)
        query["orderBy"] = self.pick(
            [{"field": field("n")}, {"field": field("n"), "direction": "DESCENDING"}],
            [{"field": field("__name__")}, {"field": field("n")}], [{"field": field("")}], [{}],
            [{"field": field("n"), "direction": "SIDEWAYS"}], [{"field": field("n"), "direction": 7}],
            [{"field": field("n"), "direction": "DIRECTION_UNSPECIFIED"}],
            [{"field": field("`n`")}, {"field": field("n")}],
            [{"field": field("__name__"), "direction": "DESCENDING"}, {"field": field("__name__")}],
        )  # fmt: skip

    # Names

    def bad_path(self, query):
        path = self.pick(*BAD_PATHS)
        match self.pick("where", "unary", "orderBy", "select"):
            case "where":
                self.also(query, field_filter(path, self.pick(*SINGLE_OPERATORS), integer(1)))
            case "unary":
                self.also(query, unary_filter(path, "IS_NULL"))
            case "orderBy":
                query["orderBy"] = [{"field": field(path)}]
            case "select":
                query["select"] = {"fields": [field(path)]}

    def bad_collection(self, query):
        query["from"] = [{"collectionId": self.pick(*BAD_COLLECTIONS), "allDescendants": self.pick(True, False)}]

    def selectors(self, query):
        query["from"] = [{"collectionId": "c"}, {"collectionId": "d"}]

    def kindless(self, query):
        query["from"] = self.pick([{"allDescendants": True}], [{}], [])
        self.pick(self.bad_operand, self.orders, self.name_operand, self.bad_path)(query)

    # Shapes

    def unknown_key(self, query):
        # A field under both its names is neither documented nor recorded.
        names = ["extra", "from_"] if "orderBy" in query else ["extra", "from_", "order_by"]
        query[self.pick(*names)] = self.pick(1, [], "x")

    def wrong_type(self, query):
        query[self.pick("from", "where", "orderBy", "select", "limit", "startAt")] = self.pick(7, "x", [1], True, None)

    def aggregation(self, query):
        query["aggregations"] = self.pick(
            [], [{"alias": "a"}], [{"count": {}}] * 6, [{"alias": "a", "count": {}}, {"alias": "a", **sum_of("n")}],
            [{"alias": "__x__", "count": {}}], [{"alias": "x" * 1501, "count": {}}], [sum_of("__name__")],
            [{"sum": {}}], [sum_of("a..b")], [sum_of("__x__")], [{"count": {"upTo": "-1"}}], [{"count": {"upTo": "0"}}],
            [{"alias": "field_1", "count": {}}, sum_of("n")], [{"alias": "`q`", "count": {}}], [sum_of("")],
            [{"alias": "a b", "count": {}}, {"alias": "a.b", "count": {}}], [{"count": {}, **sum_of("n")}],
            [{"count": {}}, sum_of("n"), {"alias": "", "avg": {"field": field("n")}}],
            [{"avg": {"field": field("__name__")}}],
        )  # fmt: skip

    def request(self, target, body):
        parent, verb = target.rsplit(":", 1)
        return self.pick(
            (target, {}), (target, {**body, "extra": 1}), (f"/c:{verb}", body), (f"/c/a/e:{verb}", body),
            (f"/c/.:{verb}", body), (f"/__x__/a:{verb}", body), (target, {**body, "transaction": "AAAA"}),
            (target, {**body, "readTime": "2099-01-01T00:00:00Z"}), (target, {**body, "readTime": "yesterday"}),
            (target, {**body, "readTime": "2020-01-01T00:00:00Z"}),
        )  # fmt: skip

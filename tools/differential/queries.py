# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Random structured queries, mostly sensible ones; `refusals` spoils some of them."""

from values import Values, array, reference, vector, VECTORS
from worlds import QUERY_PATHS, value_at

RANGES = ["LESS_THAN", "LESS_THAN_OR_EQUAL", "GREATER_THAN", "GREATER_THAN_OR_EQUAL"]
NEGATIONS = ["NOT_EQUAL", "NOT_IN"]
FIELD_OPERATORS = RANGES * 2 + ["EQUAL"] * 3 + ["IN"] * 2 + ["ARRAY_CONTAINS", "ARRAY_CONTAINS_ANY"] + NEGATIONS
UNARY_OPERATORS = ["IS_NULL", "IS_NAN", "IS_NOT_NULL", "IS_NOT_NAN"]
LISTS = {"IN", "NOT_IN", "ARRAY_CONTAINS_ANY"}


def field(path):
    return {"fieldPath": path}


def field_filter(path, operator, operand):
    return {"fieldFilter": {"field": field(path), "op": operator, "value": operand}}


def unary_filter(path, operator):
    return {"unaryFilter": {"op": operator, "field": field(path)}}


def composite(operator, filters):
    return {"compositeFilter": {"op": operator, "filters": filters}}


class QueryMaker:
    """Makes queries over one database."""

    def __init__(self, random, documents):
        self.random = random
        self.documents = documents
        self.values = Values(random, long_share=0.01)

    # The whole

    def request(self):
        """A runQuery or runAggregationQuery call: (path below the documents, body)."""
        parent, source = self.source()
        query = {"from": [source]} if source is not None else {}
        aggregates = self.random.random() < 0.15
        self.fill(query, not (source or {}).get("collectionId"), aggregates)
        if aggregates:
            aggregations = self.aggregations()
            return f"{parent}:runAggregationQuery", {
                "structuredAggregationQuery": {"structuredQuery": query, "aggregations": aggregations}
            }
        return f"{parent}:runQuery", {"structuredQuery": query}

    def fill(self, query, is_kindless, aggregates):
        chance = self.random.random
        self.negations_left = 1 if chance() < 0.97 else 2
        self.array_contains_left = 1 if chance() < 0.95 else 3
        self.has_not_in = False
        self.paths = self.random.sample(QUERY_PATHS, 4)
        if is_kindless and chance() < 0.9:
            self.paths = ["__name__"]
        if chance() < 0.75:
            query["where"] = self.filter(depth=self.random.choice([0, 0, 0, 1, 1, 1, 2, 3]))
        if chance() < 0.6:
            query["orderBy"] = self.orders(query)
        if chance() < 0.4:
            self.add_cursors(query)
        if chance() < 0.3:
            query["limit"] = self.random.choice([0, 1, 2, 3, 5, 10, 100])
        if chance() < 0.15:
            query["offset"] = self.random.choice([0, 1, 2, 5, 1000])
        if chance() < 0.2 and (not aggregates or chance() < 0.1):
            query["select"] = self.projection()
        if chance() < 0.02 and "limit" not in query:
            query["findNearest"] = self.nearest()

    def source(self):
        """Where to look: (parent's path with a slash in front, collection selector)."""
        parents = ["/c/a", "/c/__id7__", "/d/a", "/d/a/c/b", "/ghost/none", "/c/nowhere"]
        parent = self.random.choice(parents) if self.random.random() < 0.2 else ""
        collection = self.random.choice(["c", "c", "c", "c", "d", "e", "c-c", "none"])
        dice = self.random.random()
        if dice < 0.68:
            return parent, {"collectionId": collection}
        if dice < 0.92:
            # A group below a document is refused.
            return parent if dice < 0.7 else "", {"collectionId": collection, "allDescendants": True}
        return parent, self.random.choice([{"allDescendants": True}, {"allDescendants": True}, {}, None])

    # Filters

    def filter(self, depth):
        if depth == 0 or self.random.random() < 0.15:
            return self.leaf()
        count = self.random.choice([1, 2, 2, 2, 3, 3, 4])
        operator = self.random.choice(["AND", "AND", "OR"])
        if operator == "OR" and self.has_not_in and self.random.random() < 0.9:
            operator = "AND"
        return composite(operator, [self.filter(depth - 1) for _ in range(count)])

    def leaf(self):
        path = self.random.choice(self.paths)
        if self.random.random() < 0.07:
            path = "__name__"
        if path == "__name__":
            return self.name_filter()
        if self.random.random() < 0.12:
            return unary_filter(path, self.pick_operator(UNARY_OPERATORS))
        operator = self.pick_operator(FIELD_OPERATORS)
        if operator.startswith("ARRAY") and self.random.random() < 0.8:
            path = self.random.choice(["l", "l", "x", "y"])
        return field_filter(path, operator, self.operand(path, operator))

    def pick_operator(self, operators):
        """An operator that this query may still have, most of the time."""
        while True:
            operator = self.random.choice(operators)
            if operator.startswith("ARRAY"):
                if self.array_contains_left == 0:
                    continue
                self.array_contains_left -= 1
            if operator in NEGATIONS or "NOT" in operator:
                if self.negations_left == 0:
                    continue
                self.negations_left -= 1
            if operator == "NOT_IN":
                self.has_not_in = True
            if self.has_not_in and operator in {"IN", "ARRAY_CONTAINS_ANY"} and self.random.random() < 0.95:
                continue
            return operator

    def operand(self, path, operator):
        pick = self.stored_element if operator.startswith("ARRAY") else self.stored
        if operator not in LISTS:
            return pick(path)
        counts = [1, 2, 3, 3, 5, 10] if operator == "NOT_IN" else [1, 2, 3, 3, 5, 8]
        operands = [pick(path) for _ in range(self.random.choice(counts))]
        if operator == "NOT_IN" and self.random.random() < 0.8:
            operands = [operand for operand in operands if operand != {"nullValue": None}] or [self.values.number()]
        return array([operand for operand in operands if "arrayValue" not in operand] or [self.values.number()])

    def stored(self, path):
        """A value some document has there, or any."""
        if self.random.random() < 0.75:
            found = [value for _, fields in self.documents if (value := value_at(fields, path)) is not None]
            value = self.random.choice(found or [None])
            # Queries take no long values, which is worth a few refusals.
            if value is not None and (len(str(value)) < 1_000 or self.random.random() < 0.03):
                return value
        return self.values.any()

    def stored_element(self, path):
        value = self.stored(path)
        elements = (value.get("arrayValue") or {}).get("values")
        return self.random.choice(elements) if elements else value

    def name_filter(self):
        operator = self.random.choice(["EQUAL", "IN", *RANGES, *RANGES, "NOT_EQUAL", "NOT_IN"])
        if operator in NEGATIONS:
            if self.negations_left == 0:
                operator = "EQUAL"
            else:
                self.negations_left -= 1
                self.has_not_in = self.has_not_in or operator == "NOT_IN"
        if operator not in LISTS:
            return field_filter("__name__", operator, self.name())
        return field_filter("__name__", operator, array([self.name() for _ in range(self.random.choice([1, 2, 4]))]))

    def name(self):
        if self.random.random() < 0.85:
            return reference(f"$DOCS/{self.random.choice(self.documents)[0]}")
        return self.values.of("reference")

    # Orders and cursors

    def orders(self, query):
        used = sorted(inequality_paths(query.get("where")) - {"__name__"})
        first = [self.random.choice(used)] if used and self.random.random() < 0.6 else []
        others = [path for path in self.paths + QUERY_PATHS[:6] if path not in first and path != "__name__"]
        count = self.random.choice([0, 0, 1, 1, 2]) if first else self.random.choice([1, 1, 2, 3])
        paths = list(dict.fromkeys(first + self.random.sample(others, min(count, len(others)))))
        if self.random.random() < 0.35 and ("where" not in query or set(used) <= set(paths)):
            paths.append("__name__")
        orders = [{"field": field(path)} for path in paths or ["__name__"]]
        for order in orders:
            direction = self.random.choice([None, "ASCENDING", "DESCENDING", "DESCENDING"])
            if direction:
                order["direction"] = direction
        return orders

    def add_cursors(self, query):
        paths = [order["field"]["fieldPath"] for order in query.get("orderBy", [])]
        # The official emulator refuses cursors that reach into the implied orders, so there is little to compare.
        if "__name__" not in paths and self.random.random() < 0.05:
            paths = paths + ["__name__"]
        for name in self.random.choice([["startAt"], ["startAt"], ["endAt"], ["startAt", "endAt"]]):
            cursor = {"values": self.cursor_values(paths)}
            before = self.random.choice([None, False, True])
            if before is not None:
                cursor["before"] = before
            query[name] = cursor

    def cursor_values(self, paths):
        """The values of a document at the first of these paths, or made up."""
        count = self.random.randint(1, len(paths)) if paths and self.random.random() < 0.97 else 0
        name, fields = self.random.choice(self.documents)
        values = []
        for path in paths[:count]:
            value = reference(f"$DOCS/{name}") if path == "__name__" else value_at(fields, path)
            if value is None or self.random.random() < 0.2:
                value = self.name() if path == "__name__" else self.stored(path)
            values.append(value)
        return values

    # The rest

    def projection(self):
        dice = self.random.random()
        if dice < 0.1:
            return {}
        if dice < 0.25:
            return {"fields": [field("__name__")]}
        paths = self.random.sample(QUERY_PATHS, self.random.choice([1, 2, 3]))
        if self.random.random() < 0.2:
            paths.append("__name__")
        return {"fields": [field(path) for path in paths]}

    def aggregations(self):
        aggregations = []
        for number in range(self.random.choice([1, 1, 2, 3, 5])):
            kind = self.random.choice(["count", "count", "sum", "avg"])
            operand = {} if kind == "count" else {"field": field(self.random.choice(["n", "n2", "z", "x", "s", "m.a"]))}
            if kind == "count" and self.random.random() < 0.2:
                operand = {"upTo": str(self.random.choice([1, 2, 5, 1000]))}
            aggregation = {kind: operand}
            if self.random.random() < 0.8:
                aggregation["alias"] = f"a{number}"
            aggregations.append(aggregation)
        return aggregations

    def nearest(self):
        search = {
            "vectorField": field(self.random.choice(["v", "v", "x"])),
            "queryVector": vector(self.random.choice(VECTORS)),
            "distanceMeasure": self.random.choice(["EUCLIDEAN", "COSINE", "DOT_PRODUCT"]),
            "limit": self.random.choice([1, 3, 10, 1000]),
        }
        if self.random.random() < 0.4:
            search["distanceResultField"] = self.random.choice(["distance", "n", "v"])
        if self.random.random() < 0.3:
            search["distanceThreshold"] = self.random.choice([0, 0.5, 1, 2.5])
        return search


def inequality_paths(condition):
    """The fields on which a filter has inequalities."""
    if not condition:
        return set()
    if "compositeFilter" in condition:
        return set().union(*(inequality_paths(part) for part in condition["compositeFilter"].get("filters", [])))
    if "unaryFilter" in condition:
        unary = condition["unaryFilter"]
        return {unary["field"]["fieldPath"]} if "NOT" in unary["op"] else set()
    if "fieldFilter" not in condition:
        return set()
    leaf = condition["fieldFilter"]
    is_inequality = leaf["op"] in RANGES or leaf["op"] in NEGATIONS
    return {leaf["field"]["fieldPath"]} if is_inequality else set()

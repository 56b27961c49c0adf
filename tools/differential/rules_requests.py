# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Random requests under random rulesets: which matches apply, in which order, and what a refusal lists.

Left out is a match inside one whose path has segments behind a `**`: the official emulator's choice of matches there is
not understood. Of commits with several writes only the status is compared, for it judges those in a hash order.
"""

import itertools
import json

from rules_sides import (
    BAD_REQUEST, DOCUMENTS, OWNER, RULES_REFUSED, Comparison, Request, alice, encoded_fields, user_token,
)  # fmt: skip

NAME = "requests"
REQUESTS_PER_RULESET = 6
DEPTH_MAX = 2
DOCUMENT_FIELDS = {"c/a": {"n": 1}, "c/d0": {"n": 2, "s": "x"}, "c/a/e/b": {"n": 1}}
COLLECTIONS = ["c", "e"]
IDS = ["a", "b", "d0"]
CONTENTS = [{"n": 1}, {"n": 2}, {"n": 1, "s": "x"}, {}, {"n": 0, "z": True}]
ALICE = alice()
TOKENS = [ALICE, ALICE, None, user_token(sub="bob", user_id="bob", iat=0)]
METHODS = ["read", "write", "get", "list", "create", "update", "delete"]
FUNCTIONS = [
    "function f() { return request.auth.uid == 'alice'; }",
    "function ok(a) { let u = a.uid; return u == 'alice'; }",
]
CONDITIONS = [
    "true", "false", "request.auth != null", "request.auth.uid == 'alice'", "resource.data.n == 1", "resource == null",
    "resource != null", "request.resource.data.n > 0", "request.resource.data.n == resource.data.n",
    "request.method == 'create'", "request.resource.data.keys().hasOnly(['n', 's'])",
    "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['n'])",
    "exists(/databases/$(database)/documents/c/a)", "get(/databases/$(database)/documents/c/a).data.n == 1",
    "getAfter(/databases/$(database)/documents/c/a).data.n == 2", "existsAfter(/databases/$(database)/documents/c/b)",
    "request.path == /databases/(default)/documents/c/a", "request.time == request.resource.data.t",
    "resource.id == 'a'", "resource.__name__[4] == 'a'", "f()", "g(1)", "ok(request.auth)", "request.inTransaction",
    "request.resource.id == 'b'", "'n' in request.resource.data", "request.writeFields == null", "request.zz",
]  # fmt: skip


class RulesMaker:
    """Makes a ruleset."""

    def __init__(self, random):
        self.random = random
        self.version = random.choice([1, 2, 2, 2])
        self.names = itertools.count(1)

    def rules(self):
        first = "rules_version = '2';" if self.version == 2 else self.random.choice(["", "rules_version = '1';"])
        matches = [self.match() for _ in range(self.random.choice([1, 2, 3]))]
        start = "service cloud.firestore { match /databases/{database}/documents {"
        return "\n".join([first, start, *FUNCTIONS, *matches, "} }", ""])

    def match(self, outer="", depth=0):
        pattern = self.pattern(has_glob="**" in outer)
        lines = [self.allow() for _ in range(self.random.choice([1, 1, 2, 3]))]
        if depth < DEPTH_MAX and self.can_nest(outer + pattern) and self.random.random() < 0.4:
            lines.append(self.match(outer + pattern, depth + 1))
        return "\n".join([f"match {pattern} {{", *lines, "}"])

    def can_nest(self, pattern):
        return "**" not in pattern or (self.version == 2 and pattern.endswith("**}"))

    def pattern(self, has_glob):
        count = self.random.choice([1, 2, 2, 2, 3])
        segments = []
        for number in range(count):
            can_be_glob = not has_glob and (self.version == 2 or number == count - 1)
            segments.append(self.segment(can_be_glob))
            has_glob = has_glob or "**" in segments[-1]
        return "".join(segments)

    def segment(self, can_be_glob):
        kind = self.random.random()
        if kind < 0.3:
            return f"/{self.random.choice(COLLECTIONS + IDS)}"
        name = f"x{next(self.names)}"
        return f"/{{{name}=**}}" if kind > 0.8 and can_be_glob else f"/{{{name}}}"

    def allow(self):
        methods = ", ".join(self.random.sample(METHODS, self.random.choice([1, 1, 2])))
        return f"allow {methods};" if self.random.random() < 0.1 else f"allow {methods}: if\n{self.condition()};"

    def condition(self, depth=0):
        kind = self.random.random()
        if depth < DEPTH_MAX and kind < 0.35:
            return f"({self.condition(depth + 1)} {self.random.choice(['&&', '||'])} {self.condition(depth + 1)})"
        if kind < 0.42:
            return f"!{self.condition(depth + 1)}"
        return self.random.choice(CONDITIONS)


class RequestMaker:
    """Makes requests of all kinds."""

    def __init__(self, random):
        self.random = random

    def request(self):
        kind = self.random.random()
        if kind < 0.3:
            return Request("GET", self.name())
        if kind < 0.4:
            return Request("DELETE", self.name())
        if kind < 0.55:
            return Request("PATCH", self.name(), self.content())
        if kind < 0.6:
            return Request("POST", f"{DOCUMENTS}/c?documentId={self.random.choice(IDS)}", self.content())
        if kind < 0.7:
            return Request("GET", self.name().rpartition("/")[0])
        if kind < 0.8:
            names = [self.name() for _ in range(self.random.choice([1, 1, 2]))]
            return Request("POST", f"{DOCUMENTS}:batchGet", {"documents": names})
        writes = [self.write() for _ in range(self.random.choice([1, 1, 1, 1, 2]))]
        return Request("POST", f"{DOCUMENTS}:commit", {"writes": writes})

    def write(self):
        if self.random.random() < 0.2:
            write = {"delete": self.name()}
        else:
            write = {"update": {"name": self.name(), **self.content()}}
            if self.random.random() < 0.25:
                write["updateMask"] = {"fieldPaths": ["n"]}
            if self.random.random() < 0.3:
                write["updateTransforms"] = [{"fieldPath": "t", "setToServerValue": "REQUEST_TIME"}]
        precondition = self.random.random()
        if precondition < 0.4:
            write["currentDocument"] = {"exists": precondition < 0.2}
        return write

    def name(self):
        depth = 2 if self.random.random() < 0.3 else 1
        parts = [f"{self.random.choice(COLLECTIONS)}/{self.random.choice(IDS)}" for _ in range(depth)]
        return "/".join([DOCUMENTS, *parts])

    def content(self):
        return {"fields": encoded_fields(self.random.choice(CONTENTS))}


def has_known_order(request):
    """Whether the official emulator judges the parts of a request in the order of the request."""
    return not isinstance(request.body, dict) or len(request.body.get("writes", [])) < 2


def prepare(sides):
    """Every case loads its documents itself, for requests change them."""


def compare(sides, random):
    """Some requests under one ruleset; up to the first that only one side allows, for the documents differ then."""
    rules = RulesMaker(random).rules()
    maker = RequestMaker(random)
    requests = [(maker.request(), random.choice(TOKENS)) for _ in range(REQUESTS_PER_RULESET)]
    accepted = sides.both(lambda side: side.put_rules(rules))
    if not all(accepted):
        return [] if not any(accepted) else [Comparison(rules, *(acceptance(is_accepted) for is_accepted in accepted))]
    sides.load(DOCUMENT_FIELDS)
    comparisons = []
    for request, token in requests:
        ours, official = sides.both(lambda side: side.ask(request, token))  # noqa: B023
        if is_bad(sides, request, (ours, official)):
            continue
        question = f"{rules}\n{request.method} {request.target} {json.dumps(request.body)} by {user_of(token)}"
        comparisons.append(Comparison(question, ours, official, has_known_order(request)))
        if comparisons[-1].differs_in_status:
            break
    return comparisons


def is_bad(sides, request, verdicts):
    """Whether a request that was refused as malformed is refused to the owner, too; it is sent again for that."""
    if BAD_REQUEST not in [verdict.status for verdict in verdicts]:
        return False
    return BAD_REQUEST in [verdict.status for verdict in sides.both(lambda side: side.ask(request, OWNER))]


def acceptance(is_accepted):
    return RULES_REFUSED._replace(text="the rules are accepted", status=1) if is_accepted else RULES_REFUSED


def user_of(token):
    return "a stranger" if token is None else "alice" if token == ALICE else "bob"

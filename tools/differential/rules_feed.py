# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The feed of requests: its messages about ten random requests under each of some random rulesets, byte for byte.

A third of the rulesets each is of nested matches with requests of all kinds, of random expressions with reads, and of
conditions with queries. Behind the last request a new client is sent the array of the last messages. Masked are ids,
times near the present, and the number in `rulesReleaseKey`.

Left out is what differs on purpose:
  - `rulesReleaseName` is ours alone;
  - in the array, each of the official emulator's messages has the outcomes of all passes over its request, though it had
    only those so far when it was sent first;
  - its second message about a missing document that a query asks for by name has no `rulesContext`;
  - it judges some queries that it then refuses as malformed, which ours refuses first.
Left out as well are commits of several writes, which it judges in a hash order, creations without an id, which it judges
by the path of the collection, and the rest of a case where it sends no message, as its evaluator fails.
"""

import datetime
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests/IntegrationTests"))

import rules_expressions  # noqa: E402
import rules_queries  # noqa: E402
import rules_requests  # noqa: E402
from rules_sides import (  # noqa: E402
    BAD_REQUEST, DOCUMENTS, Comparison, Request, Verdict, encoded_fields, reference, timestamp,
)  # fmt: skip
from web_socket import WebSocket  # noqa: E402

NAME = "feed"
TEXT_NAME = "the messages"
REQUESTS_PER_RULESET = 10
DEPTH_MAX = 4
SHOWN_CHARACTERS = 120
MESSAGE_SECONDS = 10
CONTEXT = re.compile(r',"rulesContext":\{.*?(?=,"granularAllowOutcomes":|,"outcome":)')
MARKER = f"{DOCUMENTS}/marker/"
MASKS = [
    (re.compile(r'"rulesReleaseName":"[^"]*",'), ""),
    (re.compile(r'"requestId":"[0-9a-f-]{36}"'), '"requestId":"ID"'),
    (re.compile(r"(/releases/cloud\.firestore)-?\d+"), r"\1N"),
]
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
NEAR = datetime.timedelta(hours=1)
# Values that are hard to encode; the keys in order, which is that in which ours are kept.
ODD_FIELDS = [
    {"n": 1, "s": "a</b>\"\\\b\f\n\r\t\x01\x7f\x85\u2028\u20ac\u2100é😀"},
    {"a": 1.0, "b": -0.0, "c": 1.5, "d": 0.00001, "e": 1e-7, "f": 1e6, "g": 1e7, "h": 123456789.0, "i": 1e21},
    {"nan": {"doubleValue": "NaN"}, "negative": {"doubleValue": "-Infinity"}, "pi": 3.141592653589793, "tiny": 5e-324},
    {f"key{number:03}": number for number in range(40)},
    {"a": {"m": {"n": {"x": [1, [], {}, None, True]}}}, "t": timestamp("1965-01-01T00:00:00.000001Z")},
    {"g": {"geoPointValue": {"latitude": 0, "longitude": -1}}, "r": reference("c/a"), "y": {"bytesValue": "AAEC/w=="}},
    {"v": {"mapValue": {"fields": encoded_fields({"__type__": "__vector__", "value": [1.0, 2.5]})}}},
]


class Feed:
    """What one side shows of its requests."""

    def __init__(self, side, address):
        self.side, self.address = side, address
        self.marker_count = 0
        self.listen()

    def listen(self):
        """Begins to listen, or again."""
        self.socket = WebSocket(self.address, "/requests")
        self.socket.text()
        self.socket.socket.settimeout(MESSAGE_SECONDS)

    def ask(self, request, token):
        """The verdict on a request, and its messages: those before the ones of a read that is not compared.

        Instead of the messages `None` where they do not come.
        """
        try:
            return self.asked(request, token)
        except TimeoutError:
            self.listen()
            return Verdict(0), None

    def asked(self, request, token):
        verdict = self.side.ask(request, token)
        self.marker_count += 1
        marker = f"{MARKER}{self.marker_count}"
        self.side.ask(Request("GET", marker), None)
        messages = []
        while True:
            message = self.socket.text()
            path = json.loads(message).get("rulesContext", {}).get("path", "")
            if path == marker[marker.index("/databases/"):]:
                return verdict, messages
            if not path.startswith(MARKER[MARKER.index("/databases/"):]):
                messages.append(masked(message))

    def last(self, rules):
        """The messages about these rules that a new client is sent, without their conditions' outcomes."""
        with WebSocket(self.address, "/requests") as socket:
            messages = json.loads(socket.text())
        for message in messages:
            del message["granularAllowOutcomes"]
        return [masked(json.dumps(message, separators=(",", ":"))) for message in messages if message["rules"] == rules]


class RequestMaker(rules_requests.RequestMaker):
    """Writes odd values, too."""

    def content(self):
        return {"fields": encoded_fields(self.random.choice([*rules_requests.CONTENTS, *ODD_FIELDS]))}


def prepare(sides):
    """Listens on both sides."""
    sides.feeds = [Feed(side, address) for side, address in zip(sides.sides, sides.feed_addresses, strict=True)]


def compare(sides, random):
    """The messages about some requests under one ruleset; up to the first on which the verdicts differ."""
    rules, documents, requests = random.choice([by_requests, by_expressions, by_queries])(random)
    if not all(sides.both(lambda side: side.put_rules(rules))):
        return []
    sides.load(documents)
    comparisons, is_whole = [], True
    for request, token in requests:
        (ours, our_messages), (official, messages) = ask_both(sides, request, token)
        if messages is None or (our_messages is not None and ours.status != official.status):
            is_whole = False
            break
        if official.status == BAD_REQUEST and not our_messages:
            is_whole = False
            continue
        question = f"{rules}\n{request.method} {request.target} {json.dumps(request.body)}"
        comparisons.append(Comparison(question, *differences(official.status, our_messages or [], messages)))
    if is_whole:
        ours, official = sides.pool.map(lambda feed: feed.last(rules), sides.feeds)
        comparisons.append(Comparison(f"{rules}\nthe last messages", *differences(None, ours, official)))
    return comparisons


def ask_both(sides, request, token):
    return sides.pool.map(lambda feed: feed.ask(request, token), sides.feeds)


def by_requests(random):
    rules = rules_requests.RulesMaker(random).rules()
    maker = RequestMaker(random)
    requests = []
    while len(requests) < REQUESTS_PER_RULESET:
        request = maker.request()
        if rules_requests.has_known_order(request):
            requests.append((request, random.choice(rules_requests.TOKENS)))
    return rules, rules_requests.DOCUMENT_FIELDS, requests


def by_expressions(random):
    maker = rules_expressions.ExpressionMaker(random)
    matches = []
    for pattern in random.choice([["/c/{id}"], ["/c/{id}", "/{x}/{id}"]]):
        conditions = [maker.make("bool", random.randint(1, DEPTH_MAX)) for _ in range(random.choice([1, 1, 2, 3]))]
        matches.append("\n".join([f"match {pattern} {{", *(f"allow get: if\n{each};" for each in conditions), "}"]))
    start = ["rules_version = '2';", "service cloud.firestore { match /databases/{database}/documents {"]
    rules = "\n".join([*start, *maker.functions, *matches, "} }", ""])
    reads = [Request("GET", f"{DOCUMENTS}/c/{random.choice('ddef')}") for _ in range(REQUESTS_PER_RULESET)]
    return rules, rules_expressions.ORDERED_FIELDS, [(read, rules_expressions.ORDERED_TOKEN) for read in reads]


def by_queries(random):
    maker = rules_queries.QueryMaker(random)
    rules = rules_queries.rules_of(maker.pattern(), maker.condition())
    queries = [{"structuredQuery": maker.query()} for _ in range(REQUESTS_PER_RULESET)]
    requests = [Request("POST", f"{DOCUMENTS}:runQuery", query) for query in queries]
    return rules, rules_queries.DOCUMENT_FIELDS, [(request, rules_queries.TOKEN) for request in requests]


def masked(message):
    for pattern, replacement in MASKS:
        message = pattern.sub(replacement, message)
    return TIME.sub(masked_time, message)


def masked_time(match):
    time = datetime.datetime.fromisoformat(match[0][:19])
    return "NOW" if abs(datetime.datetime.now(datetime.UTC).replace(tzinfo=None) - time) < NEAR else match[0]


def differences(status, ours, official):
    """Verdicts that are equal if the messages are; their texts show the first difference."""
    if len(ours) == len(official):
        ours = [without_context(mine, other) for mine, other in zip(ours, official, strict=True)]
    if len(ours) != len(official):
        texts = [f"{len(messages)} messages: {', '.join(map(summary, messages))}" for messages in (ours, official)]
    else:
        pairs = [(number, *pair) for number, pair in enumerate(zip(ours, official, strict=True)) if pair[0] != pair[1]]
        texts = first_difference(*pairs[0]) if pairs else ["", ""]
    return [Verdict(status, text) for text in texts]


def without_context(message, other):
    """A message as the other has it."""
    return message if CONTEXT.search(other) else CONTEXT.sub("", message)


def summary(message):
    message = json.loads(message)
    context = message.get("rulesContext", {})
    return f"{context.get('method')} {context.get('path')} {message['outcome']}"


def first_difference(number, left, right):
    place = next((place for place, pair in enumerate(zip(left, right)) if pair[0] != pair[1]), min(len(left), len(right)))
    start = max(0, place - SHOWN_CHARACTERS // 2)
    return [f"message {number}: …{message[start : start + SHOWN_CHARACTERS]}" for message in (left, right)]

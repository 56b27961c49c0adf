# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The report of coverage after random requests under random rulesets: its tree, places, values and counts.

Half of the rulesets are of random expressions, under which documents are read; under the others go requests of all
kinds. Left out are commits of several writes, which the official emulator judges in a hash order, and `a ? b : c`, for
which it shows the value of `c` at `b`, too. Compared is the parsed JSON, so that the order of a map's keys does not
count, nor that of a set, with times near the present replaced.
"""

import datetime
import json
import re

import rules_expressions
import rules_requests
from rules_sides import DOCUMENTS, PROJECT, RULES_REFUSED, Comparison, Request, Verdict

NAME = "coverage"
EXPRESSIONS_PER_MATCH = [1, 1, 2, 3]
DEPTH_MAX = 4
READS = ["c/d", "c/d", "c/e"]
REPORT = f"/emulator/v1/projects/{PROJECT}:ruleCoverage"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
NEAR = datetime.timedelta(hours=1)


def prepare(sides):
    """Every case loads its documents itself."""


def compare(sides, random):
    """The reports of both sides after some requests under one ruleset."""
    rules, documents, requests = by_expressions(random) if random.random() < 0.5 else by_requests(random)
    accepted = sides.both(lambda side: side.put_rules(rules))
    if " ? " in rules:
        return []
    if not all(accepted):
        return [] if not any(accepted) else [Comparison(rules, *map(acceptance, accepted))]
    sides.load(documents)
    asked = []
    for request, token in requests:
        verdicts = sides.both(lambda side: side.ask(request, token))  # noqa: B023
        asked.append(f"{request.method} {request.target} {json.dumps(request.body)}")
        if verdicts[0].status != verdicts[1].status:
            return []
    question = "\n".join([rules, *asked])
    return [Comparison(question, *differences(*sides.both(report)))]


def by_expressions(random):
    """Rules of random expressions, in one or two matches, and reads."""
    maker = rules_expressions.ExpressionMaker(random)
    matches = []
    for pattern in random.choice([["/c/{id}"], ["/c/{id}", "/{x}/{id}"]]):
        count = random.choice(EXPRESSIONS_PER_MATCH)
        conditions = [maker.make("bool", random.randint(1, DEPTH_MAX)) for _ in range(count)]
        allows = [f"allow get: if\n{condition};" for condition in conditions]
        matches.append("\n".join([f"match {pattern} {{", *allows, "}"]))
    start = ["rules_version = '2';", "service cloud.firestore { match /databases/{database}/documents {"]
    rules = "\n".join([*start, *maker.functions, *matches, "} }", ""])
    reads = [Request("GET", f"{DOCUMENTS}/{random.choice(READS)}") for _ in range(random.randint(1, 3))]
    return rules, rules_expressions.ORDERED_FIELDS, [(read, rules_expressions.ORDERED_TOKEN) for read in reads]


def by_requests(random):
    """Nested matches, and requests of all kinds."""
    rules = rules_requests.RulesMaker(random).rules()
    maker = rules_requests.RequestMaker(random)
    requests = [maker.request() for _ in range(rules_requests.REQUESTS_PER_RULESET)]
    kept = [request for request in requests if rules_requests.has_known_order(request)]
    return rules, rules_requests.DOCUMENT_FIELDS, [(request, random.choice(rules_requests.TOKENS)) for request in kept]


def report(side):
    return side.exchange("GET", REPORT, None, None)


def differences(ours, official):
    """Verdicts that are equal if the reports are; their texts show the first difference."""
    (our_status, our_report), (status, report_of_official) = ours, official
    place, left, right = first_difference(comparable(our_report), comparable(report_of_official), "")
    return Verdict(our_status, f"{place}: {json.dumps(left)}"), Verdict(status, f"{place}: {json.dumps(right)}")


def comparable(content):
    """A report without what depends on the time of the request."""
    if isinstance(content, dict):
        return {key: comparable(in_order(member) if key == "setValue" else member) for key, member in content.items()}
    if isinstance(content, list):
        return [comparable(element) for element in content]
    if isinstance(content, str) and TIME.match(content):
        time = datetime.datetime.fromisoformat(content[:19])
        return "now" if abs(datetime.datetime.now(datetime.UTC).replace(tzinfo=None) - time) < NEAR else content
    return content


def in_order(content):
    """A set, whose order may be that of a stored map's keys."""
    return {"values": sorted(content["values"], key=json.dumps)} if "values" in content else content


def first_difference(left, right, place):
    if isinstance(left, dict) and isinstance(right, dict) and left.keys() == right.keys():
        pairs = [(key, left[key], right[key]) for key in left]
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        pairs = [(number, *pair) for number, pair in enumerate(zip(left, right, strict=True))]
    else:
        return (place, left, right) if left != right else ("", None, None)
    for key, one, other in pairs:
        found = first_difference(one, other, f"{place}/{key}")
        if found[0]:
            return found
    return "", None, None


def acceptance(is_accepted):
    return RULES_REFUSED._replace(text="the rules are accepted", status=1) if is_accepted else RULES_REFUSED

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Answers in one form: without read times and `done`, numbers and empty lists written one way, refusals unwrapped."""

import re


def normal_answers(call_answers, is_writing):
    """The answers of all calls of a case; each call has one or, with pages, several."""
    times = TimeNames(call_answers) if is_writing else None
    return [normal_call(call, answers, times) for call, answers in call_answers]


def normal_call(call, answers, times):
    error = next((found for status, body in answers if (found := refusal(status, body))), None)
    if error:
        return error
    if call.is_query:
        return normal_rows(answers[0][1], times)
    if call.paging:
        return normal_pages(call.paging, answers)
    body = answers[0][1]
    if call.target == ":batchGet":
        # Both orders are right: production's is not the request's.
        return {"batch": sorted((normal(row, times) for row in body), key=str)}
    return {"answer": normal(body, times)}


def refusal(status, body):
    """A refusal, also from within the array of a streaming call; `None` for an answer."""
    if isinstance(body, list) and body and "error" in body[0]:
        body = body[0]
    if status == 200 and not (isinstance(body, dict) and "error" in body):
        return None
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        return {"refusal": (status, "", str(body))}
    return {"refusal": (status, error.get("status", ""), error.get("message", ""))}


def normal_rows(messages, times):
    """The documents or results of a query, and how many documents it skipped."""
    rows = [normal(message["document"], times) for message in messages if "document" in message]
    results = [normal(message["result"], times) for message in messages if "result" in message]
    # The official emulator repeats the count on the second document.
    skipped = max((message.get("skippedResults", 0) for message in messages), default=0)
    return {"rows": rows or results, "skipped": skipped}


def normal_pages(name, answers):
    """What each page lists; an empty page at the end is as good as none."""
    key = "documents" if name == "documents" else "collectionIds"
    pages = [[normal(entry, None) for entry in body.get(key, [])] for _, body in answers]
    while pages and not pages[-1]:
        pages.pop()
    return {"pages": pages}


IGNORED = {"readTime", "done"}
TIMES = {"createTime", "updateTime", "commitTime"}


def normal(node, times):
    """Any JSON of an answer."""
    if isinstance(node, list):
        return [normal(element, times) for element in node]
    if not isinstance(node, dict):
        return node
    result = {}
    for key, value in node.items():
        if key in IGNORED or (key in TIMES and times is None):
            continue
        result[key] = times.name(value) if key in TIMES else normal_member(key, value, times)
    if result.get("fields") == {}:
        del result["fields"]
    return result


def normal_member(key, value, times):
    match key:
        case "message":
            return status_message(value) if isinstance(value, str) else value
        case "doubleValue":
            return value if isinstance(value, str) else repr(float(value))
        case "integerValue":
            return str(value)
        case "nullValue":
            return None
        case "timestampValue":
            return times.value(value) if times else value
        case "geoPointValue":
            return {axis: float(value.get(axis, 0)) for axis in ("latitude", "longitude")}
        case "arrayValue":
            return {"values": normal(value.get("values", []), times)}
        case "mapValue":
            return {"fields": {name: normal(field, times) for name, field in value.get("fields", {}).items()}}
        case "fields":
            return {name: normal(field, times) for name, field in value.items()}
        case "aggregateFields":
            return {name: normal(field, times) for name, field in value.items()}
    return normal(value, times)


#: What the official emulator says of a batch's writes, in production's words.
STATUS_MESSAGES = [
    (r"no entity to update: .*|No document to update: .*", "No document to update"),
    (r"entity already exists: .*|Document already exists: .*", "Document already exists"),
    (r"version \(\d+\)", "version (#)"),
]


def status_message(text):
    for pattern, replacement in STATUS_MESSAGES:
        text = re.sub(pattern, replacement, text, flags=re.DOTALL)
    return text


class TimeNames:
    """Names for the times of one server's answers, by their order; `now` for that of transforms."""

    def __init__(self, call_answers):
        found, self.now = set(), set()
        for _, answers in call_answers:
            for _, body in answers:
                self.collect(body, found, in_results=False)
        self.names = {time: f"T{index}" for index, time in enumerate(sorted(found, key=moment))}

    def collect(self, node, found, in_results):
        if isinstance(node, list):
            for element in node:
                self.collect(element, found, in_results)
        if isinstance(node, dict):
            for key, value in node.items():
                if key in TIMES:
                    found.add(value)
                elif key == "timestampValue" and in_results:
                    self.now.add(value)
                self.collect(value, found, in_results or key == "transformResults")

    def name(self, time):
        return self.names.get(time, time)

    def value(self, time):
        # Made-up values are never of this day.
        return "now" if time in self.now else time


def moment(time):
    """A key that sorts times of any precision."""
    seconds, _, fraction = time.rstrip("Z").partition(".")
    return seconds, fraction.ljust(9, "0")


def without_zero_signs(node):
    """The same with every -0.0 made 0.0."""
    if isinstance(node, list):
        return [without_zero_signs(element) for element in node]
    if isinstance(node, dict):
        return {
            key: "0.0" if key == "doubleValue" and value == "-0.0" else without_zero_signs(value)
            for key, value in node.items()
        }
    return 0.0 if isinstance(node, float) and node == 0 else node

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The two servers under comparison, asked under Security Rules as users, and what they answer."""

import base64
import concurrent.futures
import http.client
import json
import re
import threading
import urllib.parse
from typing import NamedTuple

PROJECT = "demo-rules"
DATABASE = f"projects/{PROJECT}/databases/(default)"
DOCUMENTS = f"{DATABASE}/documents"
ANSWER_SECONDS = 60
OK = 200
BAD_REQUEST = 400
FORBIDDEN = 403
OWNER = "owner"
FALSE_ENTRIES = re.compile(r"false for '\w+' @ L\d+(, false for '\w+' @ L\d+)*")


class Request(NamedTuple):
    """One request of the Firestore REST interface; the target follows `/v1/`."""

    method: str
    target: str
    body: object = None


class Verdict(NamedTuple):
    """The HTTP status of an answer, and the text of a refusal by the rules; of other answers the text is empty."""

    status: int
    text: str = ""

    @property
    def is_false(self):
        """Whether rules came out false, without an error on the way."""
        return self.status == FORBIDDEN and FALSE_ENTRIES.fullmatch(self.text.strip()) is not None


RULES_REFUSED = Verdict(0, "the rules are refused")


class Comparison(NamedTuple):
    """One question and what both sides answered."""

    question: str
    ours: Verdict
    official: Verdict
    has_comparable_text: bool = True

    @property
    def differs_in_status(self):
        return self.ours.status != self.official.status

    @property
    def differs_in_text(self):
        return not self.differs_in_status and self.has_comparable_text and self.ours.text != self.official.text


class Side:
    """One server, asked by one thread at a time over a kept connection."""

    def __init__(self, address):
        self.address = address
        self.local = threading.local()

    def put_rules(self, rules):
        """Whether the server accepts these rules, which then apply."""
        body = {"rules": {"files": [{"name": "security.rules", "content": rules}]}}
        return self.exchange("PUT", f"/emulator/v1/projects/{PROJECT}:securityRules", body, OWNER)[0] == OK

    def write(self, path, fields):
        """Stores a document as the owner."""
        status, answer = self.exchange("PATCH", f"/v1/{DOCUMENTS}/{path}", {"fields": encoded_fields(fields)}, OWNER)
        if status != OK:
            raise ServerRefusal(f"{self.address} refuses the document {path}: {answer}")

    def clear(self):
        self.exchange("DELETE", f"/emulator/v1/{DOCUMENTS}", None, OWNER)

    def ask(self, request, token):
        """The verdict on a request; without a token it comes from a stranger."""
        target = urllib.parse.quote(request.target, safe="/:?&=()")
        status, answer = self.exchange(request.method, f"/v1/{target}", request.body, token)
        first = answer[0] if isinstance(answer, list) and answer else answer
        error = first.get("error", {}) if isinstance(first, dict) else {}
        return Verdict(status, error.get("message", "") if status == FORBIDDEN else "")

    def exchange(self, method, target, body, token):
        """Sends one request; returns the status and the decoded answer."""
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        payload = None if body is None else json.dumps(body)
        connection = self.connection()
        connection.request(method, target, payload, headers)
        response = connection.getresponse()
        content = response.read().decode(errors="replace")
        try:
            return response.status, json.loads(content)
        except ValueError:
            return response.status, content

    def connection(self):
        if not hasattr(self.local, "connection"):
            self.local.connection = http.client.HTTPConnection(self.address, timeout=ANSWER_SECONDS)
        return self.local.connection


class Sides:
    """Both servers, which do the same at the same time."""

    def __init__(self, ours, official, feeds=()):
        self.sides = [Side(ours), Side(official)]
        self.feed_addresses = feeds
        self.pool = concurrent.futures.ThreadPoolExecutor(len(self.sides))

    def both(self, action):
        """The results of an action on our side and on the official one."""
        return list(self.pool.map(action, self.sides))

    def load(self, documents):
        """Replaces all documents on both sides."""

        def load_side(side):
            side.clear()
            for path, fields in documents.items():
                side.write(path, fields)

        self.both(load_side)


class ServerRefusal(Exception):
    """A server does not accept the documents of the cases."""


def user_token(**claims):
    """An unsigned token of a user, as both emulators accept it."""
    return ".".join([encoded_part({"alg": "none", "type": "JWT"}), encoded_part(claims), ""])


def encoded_part(content):
    return base64.urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=").decode()


def alice(**claims):
    """The token of the user whom most rules let in."""
    firebase = {"sign_in_provider": "custom", "identities": {}}
    issuer = f"https://securetoken.google.com/{PROJECT}"
    return user_token(
        iss=issuer, aud=PROJECT, iat=0, exp=3600, auth_time=0, sub="alice", user_id="alice", firebase=firebase, **claims
    )


def encoded_fields(fields):
    return {key: encoded(content) for key, content in fields.items()}


def encoded(content):
    """A value in its REST form; maps such as {"bytesValue": …} are in that form already."""
    if isinstance(content, dict) and len(content) == 1 and next(iter(content)).endswith("Value"):
        return content
    if isinstance(content, dict):
        return {"mapValue": {"fields": encoded_fields(content)}}
    if isinstance(content, list):
        return {"arrayValue": {"values": [encoded(item) for item in content]}}
    if isinstance(content, bool):
        return {"booleanValue": content}
    if isinstance(content, int):
        return {"integerValue": str(content)}
    if isinstance(content, float):
        return {"doubleValue": content}
    return {"nullValue": None} if content is None else {"stringValue": content}


def reference(path):
    return {"referenceValue": f"{DOCUMENTS}/{path}"}


def timestamp(text):
    return {"timestampValue": text}

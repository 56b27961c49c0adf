# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""A server that pyric's requests are sent to, their callers, and the verdict in an answer."""

import http.client
import json
import pathlib
import sys
from typing import NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "differential"))
from rules_sides import encoded_fields, user_token  # noqa: E402

ANSWER_SECONDS = 60
OK, NO_CONTENT, FORBIDDEN, NOT_FOUND = 200, 204, 403, 404
OWNER = "Bearer owner"
ALLOW, DENY, RULES_ERROR = "ALLOW", "DENY", "RULES_ERROR"


class Judgement(NamedTuple):
    """A verdict, or the status of an answer that is neither; and the server's words."""

    verdict: str
    text: str = ""


class SetupError(Exception):
    """A server refuses what a case needs to be there before."""


class Server:
    """One address, asked over a kept connection."""

    def __init__(self, address):
        self.connection = http.client.HTTPConnection(address, timeout=ANSWER_SECONDS)

    def request(self, method, target, body=None, authorization=OWNER, content_type="application/json", **headers):
        """Sends bytes, or JSON; returns the status and the decoded answer."""
        headers |= {"Content-Type": content_type}
        if authorization:
            headers["Authorization"] = authorization
        payload = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        self.connection.request(method, target, payload, headers)
        response = self.connection.getresponse()
        content = response.read().decode(errors="replace")
        try:
            return response.status, json.loads(content)
        except ValueError:
            return response.status, content

    def prepare(self, method, target, body, **options):
        """A request that must succeed; returns the answer."""
        status, answer = self.request(method, target, body, **options)
        if status != OK:
            raise SetupError(f"{method} {target}: {status} {message(answer)}")
        return answer


def store_documents(firestore, case, project):
    for document in case.documents:
        name = document_name(document.project or project, document.path, document.database)
        firestore.prepare("PATCH", f"/v1/{name}", {"fields": encoded_fields(document.fields)})


def document_name(project, path, database="(default)"):
    return f"projects/{project}/databases/{database}/documents/{path}"


def rules_body(files):
    return {"rules": {"files": [{"name": f"{number}.rules", "content": text} for number, text in enumerate(files)]}}


def caller_token(caller, project):
    """An unsigned token with the claims of a case; `None` for a stranger."""
    if caller is None:
        return None
    times = {"iat": 0, "exp": 4_102_444_800, "auth_time": 0}
    firebase = {"sign_in_provider": "custom", "identities": {}}
    claims = {"iss": f"https://securetoken.google.com/{project}", "aud": project, **times, "firebase": firebase}
    return user_token(**claims | {"sub": caller["uid"], "user_id": caller["uid"]} | (caller.get("token") or {}))


def judgement(status, answer):
    """What is missing was not refused."""
    if status == FORBIDDEN:
        return Judgement(DENY, message(answer).strip())
    if status in (OK, NO_CONTENT, NOT_FOUND):
        return Judgement(ALLOW)
    return Judgement(str(status), message(answer))


def message(answer):
    first = answer[0] if isinstance(answer, list) and answer else answer
    error = first.get("error") if isinstance(first, dict) else None
    return str(error.get("message", "")) if isinstance(error, dict) else str(first)[:300]

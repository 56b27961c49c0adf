# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The two servers under comparison and how to ask them."""

import http.client
import itertools
import json
import threading
from urllib.parse import quote

DATABASE = "databases/(default)"
DOCUMENTS_PER_COMMIT = 100
PAGE_COUNT_MAX = 60
ANSWER_SECONDS = 15
LONG_AGO = "2020-01-01T00:00:00Z"

project_numbers = itertools.count(1)


def new_project():
    """A project nobody has used; all ids are equally long, for some refusals tell positions in names."""
    return f"diff-{next(project_numbers):07}"


class Side:
    """One server, spoken to over a kept connection of each thread."""

    def __init__(self, name, address):
        self.name = name
        self.address = address
        self.local = threading.local()

    def load(self, project, documents):
        """Writes documents; returns their time."""
        created = None
        for start in range(0, len(documents), DOCUMENTS_PER_COMMIT):
            writes = [
                {"update": {"name": f"$DOCS/{path}", "fields": fields}}
                for path, fields in documents[start : start + DOCUMENTS_PER_COMMIT]
            ]
            status, answer = self.send(project, "POST", ":commit", {"writes": writes})
            if status != 200:
                raise LoadError(f"{self.name} refuses the documents: {answer}")
            created = answer["commitTime"]
        return created

    def clear(self, project):
        """Deletes all documents of a project."""
        self.exchange("DELETE", f"/emulator/v1/projects/{project}/{DATABASE}/documents", None)

    def ask(self, project, call, created=None):
        """The answer to a call, with all its pages; a list of (status, body)."""
        target, body, answers = call.target, call.body, []
        for _ in range(PAGE_COUNT_MAX if call.paging else 1):
            status, answer = self.send(project, call.method, target, body, created)
            answers.append((status, answer))
            token = answer.get("nextPageToken") if call.paging and status == 200 else None
            if not token:
                break
            if call.method == "GET":
                separator = "&" if "?" in call.target else "?"
                target = f"{call.target}{separator}pageToken={quote(token, safe='')}"
            else:
                body = {**call.body, "pageToken": token}
        return answers

    def send(self, project, method, target, body, created=None):
        """Sends one request; names come back as they go, with `$DOCS`."""
        documents = f"projects/{project}/{DATABASE}/documents"
        places = {"$DOCS": documents, "$CREATED": created or LONG_AGO}
        payload = None if body is None else replace(json.dumps(body), places).encode()
        status, content = self.exchange(method, f"/v1/{documents}{replace(target, places)}", payload)
        # The official emulator escapes slashes.
        text = content.decode(errors="replace").replace("\\/", "/")
        text = replace(text, {documents: "$DOCS", f"projects/{project}": "projects/$P"})
        try:
            return status, json.loads(text, parse_int=parse_integer) if text else {}
        except ValueError:
            return status, {"text": text}

    def exchange(self, method, path, payload):
        """One request over this thread's connection, once more when the server has closed it."""
        headers = {"Authorization": "Bearer owner"}
        if payload is not None:
            headers["Content-Type"] = "application/json"
        for is_last in (False, True):
            connection = getattr(self.local, "connection", None)
            if connection is None:
                connection = http.client.HTTPConnection(self.address, timeout=ANSWER_SECONDS)
                self.local.connection = connection
            try:
                connection.request(method, path.replace(" ", "%20"), payload, headers)
                response = connection.getresponse()
                return response.status, response.read()
            except TimeoutError:
                connection.close()
                self.local.connection = None
                return 599, b'{"error":{"code":599,"status":"NO_ANSWER","message":"no answer in time"}}'
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                self.local.connection = None
                if is_last:
                    message = json.dumps({"error": {"code": 598, "status": "NO_ANSWER", "message": repr(error)}})
                    return 598, message.encode()


class LoadError(Exception):
    """A server does not take the documents of a case."""


def replace(text, places):
    for name, content in places.items():
        text = text.replace(name, content)
    return text


def parse_integer(text):
    """Keeps the sign of -0."""
    return -0.0 if text == "-0" else int(text)

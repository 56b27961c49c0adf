# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The stops of documents on their way from one emulator to the other and back: written, exported, imported, read by the REST API."""

import base64
import contextlib
import http.client
import json
import re
from urllib.parse import quote

import servers
from export_values import PROJECT

ANSWER_SECONDS = 300
WRITES_MAX = 500
READS_MAX = 100
OK = 200
DATABASE = f"projects/{PROJECT}/databases/(default)"
OFFICIAL, FIREMETER = "official", "Firemeter"
EXPORT = "firestore_export"
OVERALL = f"{EXPORT}/{EXPORT}.overall_export_metadata"
EXPORT_LIST = {"version": "15.28.1", "firestore": {"version": "1.22.0", "path": EXPORT, "metadata_file": OVERALL}}


class StopError(Exception):
    """An emulator refuses what no document can be blamed for."""


class Stop:
    """An emulator with documents."""

    def __init__(self, documents, exports):
        self._connection = http.client.HTTPConnection(documents, timeout=ANSWER_SECONDS)
        self._exports = exports

    def _request(self, method, call, body=None, connection=None):
        connection = connection or self._connection
        headers = {"Content-Type": "application/json", "Authorization": "Bearer owner"}
        connection.request(method, call, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        return response.status, response.read()

    def _read(self, call, body):
        status, answer = self._request("POST", f"/v1/{DATABASE}/documents{call}", body)
        if status != OK:
            raise StopError(f"{call}: {status} {answer[:300]}")
        return json.loads(answer, parse_int=float)

    def write(self, documents):
        """Writes documents; returns the refusals by path."""
        refusals, waiting = {}, []
        for document in documents:
            if document.kind == "many":
                waiting.append(document)
            elif refusal := self._refusal([document]):
                refusals[document.path] = refusal
        for start in range(0, len(waiting), WRITES_MAX):
            if refusal := self._refusal(waiting[start : start + WRITES_MAX]):
                raise StopError(refusal)
        return refusals

    def _refusal(self, documents):
        writes = [{"update": {"name": name(each.path), "fields": each.fields}} for each in documents]
        status, answer = self._request("POST", f"/v1/{DATABASE}/documents:commit", {"writes": writes})
        return None if status == OK else f"{status} {answer.decode()[:300]}"

    def read(self, paths):
        """The fields of documents by path, in one form for equal ones; those that are missing are left out."""
        found = {}
        for start in range(0, len(paths), READS_MAX):
            names = [name(path) for path in paths[start : start + READS_MAX]]
            for answer in self._read(":batchGet", {"documents": names}):
                if document := answer.get("found"):
                    found[path(document["name"])] = canonical_fields(document.get("fields", {}))
        return found

    def paths(self):
        """The paths of all documents, by a query over all collections."""
        query = {"from": [{"allDescendants": True}], "select": {"fields": [{"fieldPath": "__name__"}]}}
        answers = self._read(":runQuery", {"structuredQuery": query})
        return {path(answer["document"]["name"]) for answer in answers if "document" in answer}

    def missing(self, collection):
        """The ids in a collection of documents that are missing, and have others below them."""
        status, answer = self._request("GET", f"/v1/{DATABASE}/documents/{quote(collection)}?showMissing=true&pageSize=300")
        if status != OK:
            raise StopError(f"{collection}: {status} {answer[:300]}")
        return sorted(path(each["name"]) for each in json.loads(answer)["documents"] if "createTime" not in each)

    def export(self, folder):
        """Writes an export into a folder that is not there yet, with the list that firebase-tools adds to the official one."""
        if self._exports is None:
            folder.mkdir()
            (folder / "firebase-export-metadata.json").write_text(json.dumps(EXPORT_LIST))
            body = {"database": DATABASE, "export_directory": str(folder), "export_name": EXPORT}
            status, answer = self._request("POST", f"/emulator/v1/projects/{PROJECT}:export", body)
        else:
            connection = http.client.HTTPConnection(self._exports, timeout=ANSWER_SECONDS)
            status, answer = self._request("POST", "/_admin/export", {"path": str(folder)}, connection)
        if status != OK:
            raise StopError(f"the export into {folder}: {status} {answer[:300]}")


@contextlib.contextmanager
def serving(side, folder=None, below=None):
    """An emulator of a side, with the documents of an export's folder where one is named."""
    if side == OFFICIAL:
        seed = [f"--seed_from_export={folder / OVERALL}"] if folder else []
        with servers.official(f"--project_id={PROJECT}", *seed) as address:
            yield Stop(address, None)
    else:
        seed = ["--import", folder] if folder else []
        with servers.firemeter_services("--project", PROJECT, "--export-below", below, *seed) as addresses:
            yield Stop(addresses["firestore"], addresses["console"])


def name(path):
    return f"{DATABASE}/documents/{path}"


def path(name):
    return name.removeprefix(f"{DATABASE}/documents/")


def canonical_fields(fields):
    return {key: canonical(fields[key]) for key in sorted(fields)}


def canonical(value):
    """A value in one form, whichever of JSON's a server chose: -0.0 stays apart from 0.0, and all digits of a time are there."""
    ((kind, content),) = value.items()
    if kind == "doubleValue":
        return kind, repr(float(content))
    if kind == "bytesValue":
        return kind, base64.b64decode(content)
    if kind == "timestampValue":
        whole, fraction = re.fullmatch(r"([^.]*?)(?:\.(\d+))?Z", content).groups()
        return kind, f"{whole}.{(fraction or '').ljust(9, '0')}"
    if kind == "geoPointValue":
        return kind, *(repr(float(content.get(axis, 0))) for axis in ("latitude", "longitude"))
    if kind == "arrayValue":
        return kind, [canonical(element) for element in content.get("values", [])]
    if kind == "mapValue":
        return kind, canonical_fields(content.get("fields", {}))
    if kind == "nullValue":
        return (kind,)
    return kind, content

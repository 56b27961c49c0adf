# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Firestore's cases of pyric, sent as requests. Each has a project of its own."""

import dataclasses
from urllib.parse import quote

from pyric import Document
from pyric_buckets import milliseconds
from pyric_http import (
    OK, RULES_ERROR, Judgement, caller_token, document_name, encoded_fields, judgement, message, rules_body, store_documents,
)  # fmt: skip


def adapted(case):
    """The case as a client can send it: of a document, which is stored, and with the request's time in the rules."""
    if case.method != "list" and case.path.count("/") % 2 == 0:
        # Some cases name a collection.
        case = dataclasses.replace(case, path=f"{case.path}/d")
    if case.time:
        case = case.with_text("request.time", f"timestamp.value({milliseconds(case.time)})")
    if case.existing is None:
        return case
    return dataclasses.replace(case, documents=(*case.documents, Document(case.path, case.existing)))


def judge(firestore, case, project):
    """Our verdict on a case."""
    case = adapted(case)
    store_documents(firestore, case, project)
    target = f"/emulator/v1/projects/{project}:securityRules"
    status, answer = firestore.request("PUT", target, rules_body(case.rules))
    if status != OK:
        return Judgement(RULES_ERROR, message(answer))
    token = caller_token(case.caller, project)
    return judgement(*firestore.request(*request(case, project), f"Bearer {token}" if token else None))


def request(case, project):
    """The method, the target and the body of a case's request."""
    name = document_name(project, case.path)
    body = {"fields": encoded_fields(case.incoming or {})}
    if case.method == "create":
        collection, _, identifier = name.rpartition("/")
        return "POST", f"/v1/{quote(collection)}?documentId={quote(identifier, safe='')}", body
    if case.method == "update":
        precondition = {"currentDocument": {"exists": True}} if case.existing is None else {}
        return commit(project, [{"update": {"name": name, **body}, **precondition}])
    if case.method == "commit":
        return commit(project, [write(project, path, fields) for path, fields in case.writes.items()])
    if case.method == "list":
        parent, _, collection = name.rpartition("/")[0].rpartition("/")
        return "POST", f"/v1/{quote(parent)}:runQuery", {"structuredQuery": {"from": [{"collectionId": collection}]}}
    return {"get": "GET", "delete": "DELETE"}[case.method], f"/v1/{quote(name)}", None


def commit(project, writes):
    return "POST", f"/v1/{document_name(project, '').rstrip('/')}:commit", {"writes": writes}


def write(project, path, fields):
    return {"update": {"name": document_name(project, path), "fields": encoded_fields(fields)}}


# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Storage's cases of pyric, sent as the Web SDK sends them."""

import dataclasses
import json
import re
from urllib.parse import quote

from pyric_buckets import OBJECT, milliseconds
from pyric_http import OK, OWNER, RULES_ERROR, Judgement, caller_token, judgement, message, rules_body, store_documents

PROJECT = "demo-pyric"
BOUNDARY = "pyric-boundary"
# Fields of an object that no client can set.
SERVER_FIELDS = ["timeCreated", "updated", "generation", "metageneration", "md5Hash", "crc32c", "etag"]


def adapted(case):
    """The case with what no client can send in another form: literals in the rules, and an object where one is needed."""
    if callable(case.rules):
        return case
    if case.time:
        case = case.with_text("request.time", f"timestamp.value({milliseconds(case.time)})")
    rules = case.rules[0]
    reads = re.search(r"(?<!request\.)\bresource\b", rules)
    for field in SERVER_FIELDS:
        if field in (case.existing or {}):
            rules = re.sub(rf"(?<!request\.)\bresource\.{field}\b", literal(field, case.existing[field]), rules)
        if field in (case.incoming or {}):
            rules = rules.replace(f"request.resource.{field}", literal(field, case.incoming[field]))
    return dataclasses.replace(case, rules=[rules, *case.rules[1:]], existing=existing_object(case, reads))


def existing_object(case, is_read):
    """A change of metadata keeps the size; the answer about an object that the rules do not look at must not be 404."""
    if case.method == "update" and case.existing and case.incoming:
        return {**case.existing, "size": case.incoming.get("size", 1)}
    if case.method in ("get", "delete") and case.existing is None and not is_read:
        return {"size": 1}
    return case.existing


def literal(field, value):
    return f"timestamp.value({milliseconds(value)})" if field in ("timeCreated", "updated") else json.dumps(value)


def judge(storage, firestore, case):
    """Our verdict on a case; leaves nothing behind."""
    case = adapted(case)
    try:
        prepare_firestore(firestore, case)
        metadata = {path: store(storage, case.bucket, path, OBJECT, b"pyric") for path in case.stored}
        if case.existing is not None:
            store(storage, case.bucket, case.path, case.existing)
        files = case.rules(metadata) if callable(case.rules) else case.rules
        status, answer = storage.request("PUT", "/internal/setRules", rules_body(files))
        if status != OK:
            return Judgement(RULES_ERROR, message(answer))
        token = caller_token(case.caller, PROJECT)
        return judgement(*send(storage, case, f"Firebase {token}" if token else None))
    finally:
        for path in {*case.stored, case.path}:
            storage.request("DELETE", object_target(case.bucket, path))
        for project, database in {(document.project or PROJECT, document.database) for document in case.documents}:
            firestore.request("DELETE", f"/emulator/v1/projects/{project}/databases/{database}/documents")


def prepare_firestore(firestore, case):
    store_documents(firestore, case, PROJECT)
    if case.firestore_rules:
        firestore.prepare("PUT", f"/emulator/v1/projects/{PROJECT}:securityRules", rules_body([case.firestore_rules]))


def send(storage, case, authorization):
    target = object_target(case.bucket, case.path)
    if case.method == "create":
        return upload(storage, case, authorization)
    if case.method == "update":
        return storage.request("PATCH", target, changes(case), authorization)
    if case.method == "list":
        folder = f"{object_target(case.bucket)}?prefix={quote(case.path + '/', safe='')}&delimiter=%2F"
        return storage.request("GET", folder, None, authorization)
    return storage.request({"get": "GET", "delete": "DELETE"}[case.method], target, None, authorization)


def changes(case):
    """The metadata that a change has to send: what is to go is null."""
    incoming = case.incoming or {}
    custom = {key: None for key in (case.existing or {}).get("metadata") or {}} | incoming.get("metadata", {})
    kind = {"contentType": incoming["contentType"]} if "contentType" in incoming else {}
    return kind | ({"metadata": custom} if custom or "metadata" in incoming else {})


def upload(storage, case, authorization):
    content = bytes((case.incoming or {}).get("size", 1)) if case.content is None else case.content
    body = multipart(case.path, case.incoming or {}, content)
    target = f"{object_target(case.bucket)}?name={quote(case.path, safe='')}"
    protocol = {"X-Goog-Upload-Protocol": "multipart"}
    return storage.request("POST", target, body, authorization, f"multipart/related; boundary={BOUNDARY}", **protocol)


def store(storage, bucket, path, metadata, content=None):
    """Stores an object as the owner; returns its metadata."""
    content = bytes(metadata.get("size", 1)) if content is None else content
    target = f"/upload/storage/v1/b/{bucket}/o?uploadType=multipart&name={quote(path, safe='')}"
    kind = f"multipart/related; boundary={BOUNDARY}"
    return storage.prepare("POST", target, multipart(path, metadata, content), authorization=OWNER, content_type=kind)


def multipart(path, metadata, content):
    kind = metadata.get("contentType", "application/octet-stream")
    fields = {"name": path, "contentType": kind}
    if metadata.get("metadata") is not None:
        fields["metadata"] = metadata["metadata"]
    parts = [("application/json; charset=utf-8", json.dumps(fields).encode()), (kind, content)]
    opened = [f"--{BOUNDARY}\r\nContent-Type: {kind}\r\n\r\n".encode() + body + b"\r\n" for kind, body in parts]
    return b"".join(opened) + f"--{BOUNDARY}--\r\n".encode()


def object_target(bucket, path=None):
    return f"/v0/b/{bucket}/o" + ("" if path is None else f"/{quote(path, safe='')}")

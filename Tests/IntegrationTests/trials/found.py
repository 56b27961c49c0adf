# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Objects and documents after a restart, and whether they are whole."""

from .contents import KINDS, content, fields_of, quoted
from .expectations import ABSENT
from .firestore_workers import COLLECTION, COUNTER, PARENT
from .storage_workers import BUCKET


def found_objects(caller, expectations, digests, is_whole=False):
    """Versions of objects by their names, and sentences on those that are not whole.

    The listed MD5 tells which version an object has; the bytes are read of objects whose last change had no answer, and
    with `is_whole` of all.
    """
    versions, broken, token = {}, [], ""
    while token is not None:
        status, page = caller.json("GET", f"/storage/v1/b/{BUCKET}/o?pageToken={quoted(token)}")
        assert status == 200, page
        for item in page.get("items", []):
            version = version_of(caller, item, expectations, digests, is_whole)
            if version is None:
                broken.append(f"object {item['name']} of {item['size']} bytes has the bytes of no version")
            versions[item["name"]] = version or -1
        token = page.get("nextPageToken")
    return versions, broken


def version_of(caller, item, expectations, digests, is_whole):
    """The version of a listed object; `None` where it has the bytes of none that it may have."""
    name = item["name"]
    candidates = expectations.candidates(name) - {ABSENT}
    for version in candidates:
        if digests.md5(name, version) == item["md5Hash"]:
            break
    else:
        return None
    if is_whole or len(candidates) > 1:
        status, _, data = caller.call("GET", f"/v0/b/{BUCKET}/o/{quoted(name)}?alt=media")
        if (status, data) != (200, content(name, version)):
            return None
    return version


def found_documents(caller, kind):
    """Versions of documents by their names, and sentences on those that are not whole.

    Three queries, each by another index, must find the same.
    """
    everything = query(caller, {})
    versions = {name: int(fields["version"]["integerValue"]) for name, fields in everything.items()}
    broken = [f"document {name} is half-written" for name, v in versions.items() if everything[name] != fields_of(v)]
    by_version = query(caller, {"orderBy": [{"field": {"fieldPath": "version"}}]})
    if by_version != everything or list(by_version) != sorted(versions, key=lambda name: (versions[name], name)):
        broken.append("documents ordered by version are not those that are there")
    value = {"integerValue": str(kind)}
    of_kind = query(caller, {"where": {"fieldFilter": {"field": {"fieldPath": "kind"}, "op": "EQUAL", "value": value}}})
    if of_kind.keys() != {name for name, version in versions.items() if version % KINDS == kind}:
        broken.append(f"documents of kind {kind} are not those that are there")
    counter = versions.pop(COUNTER, 0)
    tallies = sum(version for name, version in versions.items() if name.startswith("tally-"))
    if counter != tallies:
        broken.append(f"the counter is {counter}, its tallies {tallies}: a transaction was made in part")
    return versions, broken


def query(caller, clauses):
    body = {"structuredQuery": {"from": [{"collectionId": COLLECTION}], **clauses}}
    status, answers = caller.json("POST", f"{PARENT}:runQuery", body)
    assert status == 200, answers
    documents = [answer["document"] for answer in answers if "document" in answer]
    return {document["name"].rpartition("/")[2]: document["fields"] for document in documents}

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""What pyric has recorded on real buckets and a real database: anonymous uploads of five bytes, whose rules read documents."""

import datetime
import json

from pyric import FIRESTORE, STORAGE, Case, Document

RUN = "run1"
PREFIX = f"__pyric_storage_stdlib/{RUN}"
OBJECT = {"size": 5, "contentType": "application/octet-stream"}
DOCUMENT = {"allow": True, "count": 7, "nested": {"flag": True}, "tags": ["alpha", "beta"]}
RULED = ["stored-exact", "identity-mismatch", "hash-mismatch", "time-mismatch"]
CHANGED = ["metadata-update", "byte-overwrite-control", "byte-overwrite-md5", "byte-overwrite-crc"]


def cases(checkout):
    yield from lookup_cases(checkout)
    yield from service_cases(checkout)
    yield from native_cases(checkout)
    yield from batch_cases(checkout)


def lookup_cases(checkout):
    """How many documents rules may read, and what they make of their fields."""
    source = checkout.source("src/run-storage-stdlib-real.ts")
    documents = (document("a", DOCUMENT), document("b", {"allow": True}), document("c", {"allow": True}))
    for recording in ("lookup-budget-iam-enabled", "lookup-budget", "advanced-iam-enabled"):
        block = "advancedBlock" if recording.startswith("advanced") else "coreBlock"
        rules = in_buckets(source.constant(block, {"marker": "", "runId": RUN}))
        for family, verdict in behavior(checkout, f"p3-{recording}"):
            # A read by a client of Firestore shows which of its rules were in force.
            if not family.startswith("firestore-client"):
                yield uploaded(f"p3-{recording}: {family}", verdict, rules, f"{family}/payload.bin", documents, family)


def service_cases(checkout):
    """Which database the documents are read of, and when a change of theirs counts."""
    source = checkout.source("src/run-storage-stdlib-remaining.ts")

    def name(database, identifier):
        scope = {"database": database, "id": identifier, "runId": RUN}
        return source.value_after(r"\bconst doc = [^`]*", source.start_of("crossServiceRules"), scope)

    rules = in_buckets(source.returned("crossServiceRules", {"runId": RUN, "doc": name}))
    for key, record in behavior(checkout, "p3-consistency"):
        family = key.partition(":")[0]
        documents = (document("consistency", {"allow": family.endswith("true")}),)
        yield uploaded(f"p3-consistency: {key}", record["immediate"], rules, f"{family}/payload.bin", documents)
    for key, verdict in behavior(checkout, "p3-named-database"):
        is_default = "default-true" in key
        documents = (document("named", {"allow": is_default}), document("named", {"allow": not is_default}, "probes"))
        path = f"{key.partition(':')[0]}/payload.bin"
        yield uploaded(f"p3-named-database: {key}", verdict, rules, path, documents)
    for key, verdict in behavior(checkout, "p3-project-isolation"):
        other = document("isolation", {"allow": "secondary-true" in key})._replace(project="demo-secondary")
        documents = (document("isolation", {"allow": "primary-true" in key}), other)
        yield uploaded(f"p3-project-isolation: {key}", verdict, rules, "isolation/payload.bin", documents)


def native_cases(checkout):
    """Fields of real objects: generations, hashes and times."""
    source = checkout.source("src/run-storage-stdlib-native-fields.ts")

    def rules(metadata):
        scope = {"runId": RUN, "prefix": f"{PREFIX}/native", "rulesLiteral": json.dumps, "BigInt": int}
        scope["Date"] = {"parse": milliseconds}
        scope |= {name.partition("-")[0]: metadata[f"{PREFIX}/native/{name}.bin"] for name in RULED}
        scope |= {"exact": scope["stored"]}
        scope["exactCondition"] = source.constant("exactCondition", scope)
        return in_buckets(source.returned("nativeRules", scope))

    for family, verdict in behavior(checkout, "p2-native-object-fields"):
        if isinstance(verdict, str):
            yield native_case(family, verdict, rules)


def native_case(family, verdict, rules):
    method, incoming = "get", None
    if family.startswith(("incoming", "byte-overwrite")):
        method, incoming = "create", OBJECT
    elif family == "metadata-update":
        method, incoming = "update", {"metadata": {"probe": RUN}}
    stored = tuple(f"{PREFIX}/native/{name}.bin" for name in [*RULED, *{family}.intersection(CHANGED)])
    name, path = f"{STORAGE}: p2-native-object-fields: {family}", f"{PREFIX}/native/{family}.bin"
    content = b"rules" if family in CHANGED else b"pyric"
    return Case(name, verdict, rules, method, path, incoming=incoming, content=content, stored=stored)


def batch_cases(checkout):
    """A commit of one document, and one of two, each of which the rules see as they will be."""
    source = checkout.source("src/firestore-real-rules.ts")
    block = source.constant("block", {"runId": RUN}, inside="injectFirestoreProbeRules")
    rules = [in_documents(block)]
    observation = checkout.observation(FIRESTORE, "rules-firestore-get-after-and-exists-after")
    collection = f"__pyric_firestore_cdd/{RUN}/rules_get_after"
    primary, companion = f"{collection}/primary", f"{collection}/companion"
    for key, verdict in observation["diagnostics"]["productionDatabase"].items():
        writes = {primary: {"x": 1}} | ({companion: {"count": 1}} if key == "crossDocumentBatch" else {})
        name, documents = f"{FIRESTORE}: get-after-real-batch: {key}", (Document(companion, {"count": 0}),)
        caller = {"uid": "alice"}
        yield Case(name, verdict, rules, "commit", primary, caller=caller, documents=documents, writes=writes)


def behavior(checkout, name):
    return checkout.observation(STORAGE, f"stdlib-realstorage-{name}")["behavior"].items()


def document(identifier, fields, database="(default)"):
    return Document(f"{PREFIX}/docs/{identifier}", fields, database)


def uploaded(name, verdict, rules, path, documents, family=""):
    """An anonymous upload. Firestore has rules of its own for two families, which lookups pass by."""
    firestore_rules = None
    if family in ("firestore-deny-rules", "firestore-allow-rules"):
        is_allowed = json.dumps(family == "firestore-allow-rules")
        firestore_rules = in_documents(f"match /{PREFIX}/docs/{{id}} {{ allow get: if {is_allowed}; }}")
    path, content = f"{PREFIX}/{path}", b"pyric"
    more = {"incoming": OBJECT, "content": content, "documents": documents, "firestore_rules": firestore_rules}
    return Case(f"{STORAGE}: {name}", verdict, rules, "create", path, **more)


def in_buckets(block):
    return [f"rules_version = '2';\nservice firebase.storage {{ match /b/{{bucket}}/o {{\n{block}\n}} }}"]


def in_documents(block):
    return f"rules_version = '2';\nservice cloud.firestore {{ match /databases/{{database}}/documents {{\n{block}\n}} }}"


def milliseconds(text):
    """A time as JavaScript's Date.parse reads it."""
    return int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1_000)

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""What calls are billed as: a row for each published rule, with its source, asked of a running emulator."""

import gzip
import json
from dataclasses import dataclass, field
from typing import Callable

import pytest
import requests
from google.cloud.firestore_v1.base_query import FieldFilter
from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
from google.cloud.firestore_v1.vector import Vector

from firestore_clients import Snapshots, client_of, listening
from harness import BUCKET, Emulator
from raw_http import RawConnection
from relay import reset

STORAGE = "Cloud Storage pricing, cloud.google.com/storage/pricing, 2026-05-16"
FIREBASE = "Firebase pricing, firebase.google.com/pricing, 2026-09-26"
FIRESTORE = "Firestore pricing, firebase.google.com/docs/firestore/pricing, 2026-11"
QUESTIONS = "Understanding your billing report, cloud.google.com/firestore/docs/billing-questions, 2026-11"
INFERENCE = "our inference: "

DATA = b"0123456789" * 500


class Calls:
    """One emulator with an object, and the calls that rows make."""

    def __init__(self, emulator):
        self.emulator = emulator
        self.root = f"http://{emulator.storage}"
        self.objects = f"{self.root}/storage/v1/b/{BUCKET}/o"
        self.uploads = f"{self.root}/upload/storage/v1/b/{BUCKET}/o"
        self.client = client_of(emulator.firestore, "demo-billing", own_connection=True)
        emulator.put("a", DATA)
        emulator.put("zipped", gzip.compress(DATA))
        requests.patch(f"{self.objects}/zipped", json={"contentEncoding": "gzip"}, timeout=10).raise_for_status()

    def json(self, method, path, body=None, **query):
        return requests.request(method, self.objects + path, params=query, json=body or {}, timeout=10)

    def upload(self, name, data=DATA):
        query = {"uploadType": "media", "name": name}
        return requests.post(self.uploads, params=query, data=data, timeout=10)

    def resumable(self, name):
        begun = requests.post(self.uploads, params={"uploadType": "resumable", "name": name}, timeout=10)
        size = 256 << 10
        for offset in range(0, 3 * size, size):
            last = 3 * size if offset == 2 * size else "*"
            fields = {"Content-Range": f"bytes {offset}-{offset + size - 1}/{last}"}
            answer = requests.put(begun.headers["Location"], data=b"x" * size, headers=fields, timeout=10)
        return answer

    def media(self, name="a", **fields):
        return self.emulator.get(name, headers=fields)

    def identity(self, name):
        return requests.get(
            self.emulator.object_url(name), params={"alt": "media"}, headers={"Accept-Encoding": "identity"}, timeout=10
        )

    def broken_off(self):
        """A download of 64 MiB of which next to nothing is taken."""
        self.emulator.put("big", b"\0" * (64 << 20))
        mark = self.emulator.mark()
        download = RawConnection(self.emulator.storage, receive_buffer=64 << 10)
        download.request("GET", f"/v0/b/{BUCKET}/o/big?alt=media")
        assert download.head()[0] == 200
        reset(download.socket)
        assert self.emulator.usage_of(1, since=mark)["billed"]["egressBytes"] < 16 << 20
        self.mark = mark

    def failing(self, status):
        """A call that the fault API of Google's testbench makes fail."""
        plan = {"instructions": {"storage.objects.get": [f"return-{status}"]}}
        number = requests.post(f"{self.root}/retry_test", json=plan, timeout=10).json()["id"]
        self.mark = self.emulator.mark()
        answer = requests.get(f"{self.objects}/a", headers={"x-retry-test-id": number}, timeout=10)
        assert answer.status_code == status

    def filled(self, name, count, **fields):
        """A collection of documents numbered `n`, made before the mark."""
        collection = self.client.collection(name)
        for start in range(0, count, 500):
            batch = self.client.batch()
            for number in range(start, min(start + 500, count)):
                values = {key: make(number) for key, make in fields.items()}
                batch.set(collection.document(f"d{number:04}"), {"n": number, **values})
            batch.commit()
        self.mark = self.emulator.mark()
        return collection


@dataclass
class Rule:
    """What a price list says, and calls that must cost what it says."""

    name: str
    source: str
    calls: Callable
    billed: dict = field(default_factory=dict)
    """The egress of Cloud Storage is that of all bodies unless it is told here."""


def rewritten(calls):
    return calls.json("POST", f"/a/rewriteTo/b/{BUCKET}/o/rewritten")


def composed(calls):
    return calls.json("POST", "/composed/compose", {"sourceObjects": [{"name": "a"}, {"name": "a"}]})


def bucket_call(method, path="", body=None):
    return lambda calls: requests.request(
        method, f"{calls.root}/storage/v1/b{path}", params={"project": "demo"}, json=body, timeout=10
    )


def unchanged(calls):
    tag = calls.media().headers["ETag"]
    calls.mark = calls.emulator.mark()
    assert calls.media(**{"If-None-Match": tag}).status_code == 304


def asked_for_its_url(calls):
    """What getDownloadURL and the download behind it send."""
    token = requests.get(calls.emulator.object_url("a"), timeout=10).json()["downloadTokens"]
    assert calls.emulator.get("a", token=token).content == DATA


def deleted(calls):
    calls.upload("gone")
    calls.mark = calls.emulator.mark()
    assert calls.json("DELETE", "/gone").status_code == 204


STORAGE_RULES = [
    *[
        Rule(f"{name} is a Class A operation", STORAGE, call, {"classA": 1})
        for name, call in [
            ("an insert", lambda calls: calls.upload("new")),
            ("a list", lambda calls: calls.json("GET", "")),
            ("a patch", lambda calls: calls.json("PATCH", "/a", {"metadata": {"k": "v"}})),
            ("an update", lambda calls: calls.json("PUT", "/a", {"metadata": {"k": "w"}})),
            ("a copy", lambda calls: calls.json("POST", f"/a/copyTo/b/{BUCKET}/o/copied")),
            ("a rewrite", rewritten),
            ("a compose", composed),
            ("an insert of a bucket", bucket_call("POST", body={"name": "other-bucket"})),
            ("a list of buckets", bucket_call("GET")),
        ]
    ],
    *[
        Rule(f"{name} is a Class B operation", STORAGE, call, {"classB": 1})
        for name, call in [
            ("a download", lambda calls: calls.media()),
            ("a get of metadata", lambda calls: calls.json("GET", "/a")),
            ("a get of a bucket", bucket_call("GET", f"/{BUCKET}")),
            ("a HEAD", lambda calls: requests.head(f"{calls.root}/{BUCKET}/a", timeout=10)),
        ]
    ],
    Rule("a delete is free", STORAGE, deleted),
    Rule(
        "a resumable upload is one operation, whatever its chunks",
        STORAGE,
        lambda calls: calls.resumable("r"),
        {"classA": 1},
    ),
    Rule(
        "transfer is charged on the bytes that are sent: a range",
        STORAGE,
        lambda calls: calls.media(Range="bytes=0-99"),
        {"classB": 1, "egressBytes": 100},
    ),
    Rule(
        "transfer is charged on the bytes that are sent: a download that breaks off",
        STORAGE,
        Calls.broken_off,
        {"classB": 1},
    ),
    Rule("what comes in is free", STORAGE, lambda calls: calls.upload("large", b"x" * 1_000_000), {"classA": 1}),
    Rule(
        "objects that are decompressed on the way are charged as decompressed",
        STORAGE,
        lambda calls: calls.identity("zipped"),
        {"classB": 1, "egressBytes": len(DATA)},
    ),
    Rule(
        "objects that are sent as gzip are charged as they are sent",
        STORAGE,
        lambda calls: calls.media("zipped", **{"Accept-Encoding": "gzip"}),
        {"classB": 1, "egressBytes": len(gzip.compress(DATA))},
    ),
    *[
        Rule(f"{status} is not charged", STORAGE, call, {"egressBytes": 0})
        for status, call in [
            (404, lambda calls: calls.media("nowhere")),
            (412, lambda calls: calls.json("GET", "/a", ifGenerationMatch="1")),
            (416, lambda calls: calls.media(Range="bytes=99999-")),
            (429, lambda calls: calls.failing(429)),
            (503, lambda calls: calls.failing(503)),
        ]
    ],
    Rule("304 is an operation without bytes", INFERENCE + STORAGE, unchanged, {"classB": 1, "egressBytes": 0}),
    Rule("getDownloadURL is a get of metadata", INFERENCE + FIREBASE, asked_for_its_url, {"classB": 2}),
]


def reads(count):
    return {"documentReads": count}


def batch_get(calls):
    collection = calls.filled("batch", 2)
    assert len(list(calls.client.get_all([collection.document(name) for name in ["d0000", "d0001", "none"]]))) == 3


def streamed(name, count, narrow=lambda query: query, **fields):
    """A query over a collection of so many documents."""
    return lambda calls: list(narrow(calls.filled(name, count, **fields)).stream())


def aggregated(name, count, aggregate):
    return lambda calls: aggregate(calls.filled(name, count)).get()


def nearest(calls):
    """Google's example has 1,550 entries and 5 results."""
    near = calls.filled("vectors", 250, v=lambda number: Vector([float(number), 1.0]))
    found = near.find_nearest("v", Vector([0.0, 1.0]), limit=5, distance_measure=DistanceMeasure.EUCLIDEAN).get()
    assert len(found) == 5


def both_ranges(query):
    return query.where(filter=FieldFilter("n", ">=", 0)).where(filter=FieldFilter("m", ">=", 0))


def listened(calls, steps, name):
    """Documents 0 to 2 of a collection are listened to, and steps taken one after the other."""
    collection = calls.filled(name, 4)
    snapshots = Snapshots(collection.where(filter=FieldFilter("n", "<", 3)))
    try:
        snapshots.next()
        for step in steps:
            calls.mark = calls.emulator.mark()
            step(collection)
            snapshots.next()
    finally:
        snapshots.close()


def first_snapshot(query):
    snapshots = Snapshots(query)
    snapshots.next()
    snapshots.close()


def returned_to(calls):
    """A listener that comes back by its token, after one of three documents was changed."""
    collection = calls.filled("returning", 3)
    with listening(calls.client) as stream:
        stream.add(collection)
        stream.until_current()
        token = stream.resume_token
    collection.document("d0001").update({"n": 9})
    calls.mark = calls.emulator.mark()
    with listening(calls.client) as stream:
        stream.add(collection, resume_token=token)
        stream.until_current()


def written(action):
    return lambda calls: action(calls.filled("written", 2).document("d0000"))


def committed(calls):
    collection = calls.filled("committed", 1)
    batch = calls.client.batch()
    batch.set(collection.document("x"), {"n": 1})
    batch.update(collection.document("d0000"), {"n": 2})
    batch.delete(collection.document("y"))
    batch.commit()


def one_document(calls, name):
    return calls.filled("one", 1).document(name).get()


FIRESTORE_RULES = [
    Rule("a get is a read", FIRESTORE, lambda calls: one_document(calls, "d0000"), reads(1)),
    Rule("a get of nothing is a read", FIRESTORE, lambda calls: one_document(calls, "none"), reads(1)),
    Rule("each of a batch of gets is a read, missing ones too", FIRESTORE, batch_get, reads(3)),
    Rule("a query costs a read for each document", FIRESTORE, streamed("query", 7), reads(7)),
    Rule("a query costs one read at least", FIRESTORE, streamed("empty", 0), reads(1)),
    Rule("a limit is free", FIRESTORE, streamed("limited", 7, lambda query: query.limit(2)), reads(2)),
    Rule(
        "a cursor is free",
        FIRESTORE,
        streamed("cursor", 7, lambda query: query.order_by("n").start_after({"n": 4})),
        reads(2),
    ),
    Rule(
        "an offset costs a read for each document that it skips",
        QUESTIONS,
        streamed("offset", 11, lambda query: query.order_by("n").offset(10).limit(1)),
        reads(11),
    ),
    Rule(
        "index entries are free with one range field",
        FIRESTORE,
        streamed("range", 5, lambda query: query.where(filter=FieldFilter("n", ">=", 0))),
        reads(5),
    ),
    Rule(
        "with more range fields up to a thousand index entries cost a read",
        FIRESTORE,
        streamed("ranges", 5, both_ranges, m=lambda number: 9 - number),
        reads(5 + 1),
    ),
    Rule(
        "a count costs a read for up to a thousand index entries",
        FIRESTORE,
        aggregated("many", 1_500, lambda c: c.count()),
        reads(2),
    ),
    Rule("a sum costs the same", FIRESTORE, aggregated("many", 1_500, lambda c: c.sum("n")), reads(2)),
    Rule("an average costs the same", FIRESTORE, aggregated("many", 1_500, lambda c: c.avg("n")), reads(2)),
    Rule("a count of nothing costs a read", FIRESTORE, aggregated("none", 0, lambda c: c.count()), reads(1)),
    Rule("a vector search costs a read more for up to a hundred index entries", FIRESTORE, nearest, reads(5 + 3)),
    Rule("a list of collection ids costs a read", FIRESTORE, lambda calls: list(calls.client.collections()), reads(1)),
    Rule("a set is a write", FIRESTORE, written(lambda d: d.set({"n": 5})), {"documentWrites": 1}),
    Rule("an update is a write", FIRESTORE, written(lambda d: d.update({"n": 6})), {"documentWrites": 1}),
    Rule(
        "a write that changes nothing is a write",
        QUESTIONS,
        written(lambda d: d.set({"n": 0})),
        {"documentWrites": 1},
    ),
    Rule("a delete is a delete", FIRESTORE, written(lambda d: d.delete()), {"documentDeletes": 1}),
    Rule("each write of a batch counts", FIRESTORE, committed, {"documentWrites": 2, "documentDeletes": 1}),
    Rule(
        "a listener costs a read for each document that it begins with",
        FIRESTORE,
        lambda calls: listened(calls, [], "l0"),
        reads(3),
    ),
    Rule(
        "a listener costs a read for a document that is added",
        FIRESTORE,
        lambda calls: listened(calls, [lambda c: c.document("new").set({"n": 1})], "l1"),
        reads(1) | {"documentWrites": 1},
    ),
    Rule(
        "a listener costs a read for a document that is changed",
        FIRESTORE,
        lambda calls: listened(calls, [lambda c: c.document("d0001").update({"k": 1})], "l2"),
        reads(1) | {"documentWrites": 1},
    ),
    Rule(
        "a listener costs a read for a document that leaves as it is changed",
        FIRESTORE,
        lambda calls: listened(calls, [lambda c: c.document("d0001").update({"n": 9})], "l3"),
        reads(1) | {"documentWrites": 1},
    ),
    Rule(
        "a listener costs nothing for a document that is deleted",
        FIRESTORE,
        lambda calls: listened(calls, [lambda c: c.document("d0001").delete()], "l4"),
        {"documentDeletes": 1},
    ),
    Rule(
        "a listener to ranges of more fields costs its index entries, too",
        FIRESTORE,
        lambda calls: first_snapshot(both_ranges(calls.filled("l5", 5, m=lambda number: 9 - number))),
        reads(5 + 1),
    ),
    Rule("a listener that comes back within half an hour costs what changed", FIRESTORE, returned_to, reads(1)),
]


@pytest.fixture(scope="module")
def calls():
    emulator = Emulator("--ephemeral")
    calls = Calls(emulator)
    try:
        yield calls
        calls.client._firestore_api.transport.close()
        emulator.expect_honest_meter()
    finally:
        emulator.close()


def billed(calls, rule):
    """What the calls of a row are billed as, and the bytes of the bodies that were sent for them."""
    calls.mark = calls.emulator.mark()
    rule.calls(calls)
    usage = calls.emulator.usage(since=calls.mark)
    return usage["billed"], usage["bytes"]["bodySent"]


@pytest.mark.parametrize("rule", STORAGE_RULES, ids=lambda rule: rule.name)
def test_cloud_storage_bills_as_published(calls, rule):
    told, body_bytes = billed(calls, rule)
    expected = {"egressBytes": body_bytes, "classA": 0, "classB": 0, **rule.billed}
    assert {key: told[key] for key in expected} == expected, rule.source
    assert told["documentReads"] == told["documentWrites"] == told["documentDeletes"] == 0


@pytest.mark.parametrize("rule", FIRESTORE_RULES, ids=lambda rule: rule.name)
def test_firestore_bills_as_published(calls, rule):
    told, _ = billed(calls, rule)
    expected = {"documentReads": 0, "documentWrites": 0, "documentDeletes": 0, **rule.billed}
    assert {key: told[key] for key in expected} == expected, rule.source
    assert told["classA"] == told["classB"] == 0


def test_firestores_transfer_is_the_size_of_its_answers(calls):
    """Without the frames of HTTP/2 and header fields (Firestore pricing, 2026-11)."""
    mark = calls.emulator.mark()
    query = {"structuredQuery": {"from": [{"collectionId": "posts"}]}}
    answer = requests.post(calls.emulator.documents(":runQuery"), data=json.dumps(query), timeout=10)
    assert calls.emulator.usage(since=mark)["billed"]["egressBytes"] == len(answer.content)

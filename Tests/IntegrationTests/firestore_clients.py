# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Google's unchanged Python client, and Listen streams as they are on the wire."""

import os
import queue
import uuid
from contextlib import contextmanager
from unittest import mock

import grpc
import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.services.firestore import FirestoreClient
from google.cloud.firestore_v1.services.firestore.transports import FirestoreGrpcTransport
from google.cloud.firestore_v1.types import ListenRequest, Target, TargetChange

# Names a running emulator (host:port) to test instead of one of our own: the official one, to check the tests.
ADDRESS_VARIABLE = "FIRESTORE_UNDER_TEST"
ANSWER_SECONDS = 15


@pytest.fixture
def firestore_address(request):
    """Where Firestore answers: at an emulator for this test alone, or the one that FIRESTORE_UNDER_TEST names."""
    return os.environ.get(ADDRESS_VARIABLE) or request.getfixturevalue("emulator").firestore


@pytest.fixture
def connect():
    """Makes clients of a project that only this test uses: `connect(address, database="other")`."""
    project = f"demo-{uuid.uuid4().hex[:16]}"
    clients = []

    def make(address, **options):
        clients.append(client_of(address, project, **options))
        return clients[-1]

    yield make
    for client in clients:
        client._firestore_api.transport.close()


@pytest.fixture
def client(connect, firestore_address):
    return connect(firestore_address)


def client_of(address, project, database=None, own_connection=False):
    """A client as an app makes it. Those of one process share a TCP connection unless it is to be its own."""
    with mock.patch.dict(os.environ, {"FIRESTORE_EMULATOR_HOST": address}):
        client = firestore.Client(project=project, database=database)
    if own_connection:
        channel = grpc.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)])
        client._firestore_api_internal = FirestoreClient(transport=FirestoreGrpcTransport(channel=channel))
    return client


def store(collection, documents):
    """Writes {id: data} at once."""
    batch = collection._client.batch()
    for name, data in documents.items():
        batch.set(collection.document(name), data)
    return batch.commit()


def ids(snapshots):
    return [snapshot.id for snapshot in snapshots]


class Snapshots:
    """What a listener is told: `next()` waits for a snapshot and returns its document ids and its changes."""

    def __init__(self, watched):
        self.queue = queue.Queue()
        self.watch = watched.on_snapshot(lambda *snapshot: self.queue.put(snapshot))

    def next(self):
        documents, changes, _ = self.queue.get(timeout=ANSWER_SECONDS)
        return ids(documents), [(change.type.name, change.document.id) for change in changes]

    def close(self):
        self.watch.unsubscribe()


@contextmanager
def watching(watched):
    snapshots = Snapshots(watched)
    try:
        yield snapshots
    finally:
        snapshots.close()


class ListenStream:
    """A Listen stream without the client's bookkeeping: every response counts.

    Responses are read as events: ("ADD", target), ("CURRENT", target), ("BOUNDARY",), ("CHANGED", id),
    ("LEFT", id), ("DELETED", id), ("FILTER", count), and what else TargetChangeType knows with its target.
    """

    def __init__(self, client, seconds=2 * ANSWER_SECONDS):
        self.database = client._database_string
        self.requests = queue.Queue()
        self.resume_token = None
        self.responses = client._firestore_api.transport.listen(
            iter(self.requests.get, None), metadata=client._rpc_metadata, timeout=seconds
        )

    def add(self, watched, target_id=1, **options):
        """Asks for a document or for the results of a query."""
        if isinstance(watched, firestore.DocumentReference):
            options["documents"] = Target.DocumentsTarget(documents=[watched._document_path])
        else:
            query = watched if isinstance(watched, firestore.Query) else watched._query()
            parent, _ = query._parent._parent_info()
            options["query"] = Target.QueryTarget(parent=parent, structured_query=query._to_protobuf())
        self.requests.put(ListenRequest(database=self.database, add_target=Target(target_id=target_id, **options)))

    def remove(self, target_id):
        self.requests.put(ListenRequest(database=self.database, remove_target=target_id))

    def until_current(self, target_count=1):
        """Events until that many targets are current and the stream is consistent."""
        events = []
        while sum(event[0] == "CURRENT" for event in events) < target_count:
            events += self.until("CURRENT")
        return events + self.until("BOUNDARY")

    def until(self, kind):
        """Events up to the first of that kind, which is the last."""
        events = []
        while not events or events[-1][0] != kind:
            events += self._events(next(self.responses))
        return events

    def _events(self, response):
        which = response._pb.WhichOneof("response_type")
        if which == "target_change":
            return self._target_events(response.target_change)
        if which == "document_change":
            change = response.document_change
            kinds = [("CHANGED", change.target_ids), ("LEFT", change.removed_target_ids)]
            return [(kind, name_of(change.document.name)) for kind, targets in kinds if targets]
        if which == "filter":
            return [("FILTER", response.filter.count)]
        gone = getattr(response, which)
        return [({"document_delete": "DELETED", "document_remove": "LEFT"}[which], name_of(gone.document))]

    def _target_events(self, change):
        if change.target_change_type == TargetChange.TargetChangeType.NO_CHANGE and not change.target_ids:
            self.resume_token = change.resume_token
            return [("BOUNDARY",)]
        self.cause = change.cause
        return [(change.target_change_type.name, target) for target in change.target_ids]

    def close(self):
        self.requests.put(None)
        self.responses.cancel()


@contextmanager
def listening(client):
    stream = ListenStream(client)
    try:
        yield stream
    finally:
        stream.close()


def name_of(path):
    return path.rpartition("/")[2]


def documents_of(events):
    """The events that tell of documents."""
    return [event for event in events if event[0] in ("CHANGED", "LEFT", "DELETED")]

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Users at work: calls of every kind, each at its rate."""

import random
import threading
import time

from google.api_core.exceptions import Aborted
from google.cloud.firestore_v1 import types

from firestore_clients import ListenStream, client_of
from harness import DOCUMENTS

from .calls import Caller
from .contents import fields_of, quoted

BUCKET = "demo.appspot.com"
PARENT = f"/v1/{DOCUMENTS}"
OBJECT_COUNT = 200
DOCUMENT_COUNT = 300
LISTENER_COUNT = 5
OBJECT_SIZES = [1_000, 20_000, 20_000, 200_000]


class UserCalls:
    """The calls of one user, over connections of its own."""

    def __init__(self, emulator, project="demo", seed=1):
        self._emulator = emulator
        self._chance = random.Random(seed)
        self._storage, self._firestore = Caller(emulator.storage), Caller(emulator.firestore)
        self._client = client_of(emulator.firestore, project, own_connection=True)
        self._bytes = self._chance.randbytes(max(OBJECT_SIZES))

    def close(self):
        self._storage.__exit__()
        self._firestore.__exit__()
        self._client._firestore_api.transport.close()

    def fill(self):
        """Makes the objects and documents that the other calls read."""
        for number in range(OBJECT_COUNT):
            self.upload(number)
        for start in range(0, DOCUMENT_COUNT, 100):
            writes = [self._write(number) for number in range(start, start + 100)]
            self._json("POST", f"{PARENT}:commit", {"writes": writes})

    # Storage

    def upload(self, number=None):
        number = self._chance.randrange(OBJECT_COUNT) if number is None else number
        data = self._bytes[: self._chance.choice(OBJECT_SIZES)]
        self._expect(self._storage.call("POST", f"/v0/b/{BUCKET}/o?name={self._object(number)}", data), 200)

    def download(self):
        target = f"/v0/b/{BUCKET}/o/{self._object()}?alt=media"
        self._expect(self._storage.call("GET", target), 200, 404)

    def read_metadata(self):
        self._expect(self._storage.call("GET", f"/v0/b/{BUCKET}/o/{self._object()}"), 200, 404)

    def list_objects(self):
        self._expect(self._storage.call("GET", f"/v0/b/{BUCKET}/o?maxResults=50"), 200)

    def delete_object(self):
        self._expect(self._storage.call("DELETE", f"/v0/b/{BUCKET}/o/{self._object()}"), 200, 204, 404)

    def _object(self, number=None):
        number = self._chance.randrange(OBJECT_COUNT) if number is None else number
        return quoted(f"work/{number}")

    # Firestore

    def commit(self):
        self._json("POST", f"{PARENT}:commit", {"writes": [self._write(), self._write()]})

    def commit_over_grpc(self):
        fields = {"version": types.Value(integer_value=self._chance.randrange(1 << 20))}
        write = types.Write(update=types.Document(name=f"{DOCUMENTS}/{self._document()}", fields=fields))
        self._call("commit", types.CommitRequest(database=self._client._database_string, writes=[write]))

    def transact(self):
        database, name = self._client._database_string, f"{DOCUMENTS}/work/counter"
        begun = self._call("begin_transaction", types.BeginTransactionRequest(database=database)).transaction
        request = types.BatchGetDocumentsRequest(database=database, documents=[name], transaction=begun)
        list(self._call("batch_get_documents", request))
        fields = {"version": types.Value(integer_value=self._chance.randrange(1 << 20))}
        write = types.Write(update=types.Document(name=name, fields=fields))
        try:
            self._call("commit", types.CommitRequest(database=database, writes=[write], transaction=begun))
        except Aborted:
            # Another user's transaction was first.
            pass

    def get_document(self):
        self._expect(self._firestore.call("GET", f"{PARENT}/{self._document()}"), 200)

    def query(self):
        order = [{"field": {"fieldPath": "version"}}]
        query = {"from": [{"collectionId": "work"}], "orderBy": order, "limit": 20}
        self._json("POST", f"{PARENT}:runQuery", {"structuredQuery": query})

    def query_over_grpc(self):
        collection = self._client.collection("work").limit(100)
        parent, _ = collection._parent._parent_info()
        request = types.RunQueryRequest(parent=parent, structured_query=collection._to_protobuf())
        list(self._call("run_query", request))

    def listen_once(self):
        stream = self.open_listener(limit=20)
        stream.until("CURRENT")
        stream.close()

    def open_listener(self, limit=50):
        stream = ListenStream(self._client, seconds=None)
        stream.add(self._client.collection("work").limit(limit))
        return stream

    def connect_once(self):
        """A connection for one call."""
        with Caller(self._emulator.storage) as caller:
            self._expect(caller.call("GET", f"/v0/b/{BUCKET}/o?maxResults=1"), 200)

    def _document(self, number=None):
        return f"work/d{self._chance.randrange(DOCUMENT_COUNT) if number is None else number}"

    def _write(self, number=None):
        fields = fields_of(self._chance.randrange(1 << 20))
        return {"update": {"name": f"{DOCUMENTS}/{self._document(number)}", "fields": fields}}

    def _json(self, method, target, body):
        status, answer = self._firestore.json(method, target, body)
        assert status == 200, answer

    def _call(self, method, request):
        return getattr(self._client._firestore_api, method)(
            request=request, metadata=self._client._rpc_metadata, retry=None, timeout=20
        )

    @staticmethod
    def _expect(answer, *statuses):
        assert answer[0] in statuses, f"{answer[0]}: {answer[2][:200]}"


class SteadyLoad:
    """Calls of each kind at its rate, by a few users at once, until it is stopped."""

    # Calls of each kind a second, all users together.
    RATES = {
        "download": 30,
        "upload": 5,
        "read_metadata": 10,
        "list_objects": 3,
        "delete_object": 2,
        "get_document": 20,
        "commit": 5,
        "commit_over_grpc": 10,
        "query": 5,
        "query_over_grpc": 3,
        "transact": 2,
        "listen_once": 1,
        "connect_once": 5,
    }
    USER_COUNT = 4

    def __init__(self, emulator):
        self.counts = dict.fromkeys(self.RATES, 0)
        self.failures = []
        self._is_over = threading.Event()
        self._users = [UserCalls(emulator, seed=number) for number in range(self.USER_COUNT)]
        self._users[0].fill()
        self._listeners = [user.open_listener() for user, _ in zip(self._users * 2, range(LISTENER_COUNT))]
        self._threads = [threading.Thread(target=self._read, args=[stream]) for stream in self._listeners]
        self._threads += [
            threading.Thread(target=self._work, args=(user, number)) for number, user in enumerate(self._users)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self):
        """Ends the calls and closes the connections."""
        self._is_over.set()
        for stream in self._listeners:
            stream.close()
        for thread in self._threads:
            thread.join(timeout=30)
        for user in self._users:
            user.close()

    def _work(self, user, number):
        chance, kinds = random.Random(number), list(self.RATES)
        pause = self.USER_COUNT / sum(self.RATES.values())
        due = time.monotonic()
        while not self._is_over.is_set():
            kind = chance.choices(kinds, self.RATES.values())[0]
            try:
                getattr(user, kind)()
                self.counts[kind] += 1
            except Exception as error:  # noqa: BLE001 (reported by the trial)
                self._fail(f"{kind}: {type(error).__name__}: {error}")
            # A slow machine does not get all calls of a second at its end.
            due = max(due + pause, time.monotonic() - 1)
            self._is_over.wait(max(0, due - time.monotonic()))

    def _read(self, stream):
        try:
            for _ in stream.responses:
                pass
        except Exception as error:  # noqa: BLE001
            if not self._is_over.is_set():
                self._fail(f"a listener: {error}")

    def _fail(self, sentence):
        if len(self.failures) < 100:
            self.failures.append(sentence)

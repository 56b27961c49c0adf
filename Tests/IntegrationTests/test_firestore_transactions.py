# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Transactions of Google's Python client: locks on what they read, retries, read-only ones at a time.

Error texts are production's; the official emulator says "Transaction lock timeout." and "Transaction is invalid or
closed." instead.
"""

import json
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from google.api_core.exceptions import Aborted, AlreadyExists, InvalidArgument
from google.cloud import firestore
from google.cloud.firestore_v1 import FieldFilter
from google.cloud.firestore_v1.types import CommitRequest, Document, Write

from firestore_clients import client, connect, firestore_address, ids, store  # noqa: F401 (fixtures)
from raw_http import RawConnection

CONTENTION = "Too much contention on these documents. Please try again."
EXPIRED = "The referenced transaction has expired or is no longer valid."


@pytest.fixture
def counter(client):
    document = client.document("counters/one")
    document.set({"value": 0})
    return document


@pytest.fixture
def outside(connect, client, firestore_address):
    """Another client of the same database."""
    return connect(firestore_address, own_connection=True)


class Open:
    """A transaction that is begun and stays open until the test ends it."""

    def __init__(self, client, **options):
        self.transaction = client.transaction(**options)
        self.transaction._begin()

    def __enter__(self):
        return self.transaction

    def __exit__(self, *_):
        if self.transaction.in_progress:
            self.transaction._rollback()


def increment(transaction, document):
    value = document.get(transaction=transaction).get("value")
    transaction.update(document, {"value": value + 1})
    return value


# Contention


def test_no_increment_is_lost_when_two_threads_contend(client, outside, counter):
    def add_five(client):
        document = client.document("counters/one")
        for _ in range(5):
            firestore.transactional(increment)(client.transaction(max_attempts=50), document)

    with ThreadPoolExecutor() as pool:
        list(pool.map(add_five, [client, outside]))
    assert counter.get().to_dict() == {"value": 10}


def test_of_two_that_have_read_the_same_one_commits(client, outside, counter):
    with Open(client) as first, Open(outside) as second, ThreadPoolExecutor() as pool:
        increment(first, counter)
        increment(second, outside.document("counters/one"))
        commits = [pool.submit(transaction._commit) for transaction in (first, second)]
        errors = [commit.exception(timeout=30) for commit in commits]
        assert sorted(map(type, errors), key=str) == sorted([type(None), Aborted], key=str)
    assert counter.get().to_dict() == {"value": 1}


def test_two_that_wait_for_each_other_do_not_hang(client, outside):
    a, b = client.document("pairs/a"), client.document("pairs/b")
    both_have_read = threading.Barrier(2)

    def cross(client, read, written):
        with Open(client) as transaction:
            client.document(read).get(transaction=transaction)
            both_have_read.wait(timeout=20)
            transaction.set(client.document(written), {"by": read})
            transaction._commit()

    with ThreadPoolExecutor() as pool:
        crossings = [pool.submit(cross, client, a.path, b.path), pool.submit(cross, outside, b.path, a.path)]
        errors = [crossing.exception(timeout=30) for crossing in crossings]
    assert sum(isinstance(error, Aborted) for error in errors) == 1
    assert sum(error is None for error in errors) == 1


# Locks


def test_writers_outside_are_aborted_while_readers_hold_on(client, outside, counter):
    """Of a document that was read, one that was missing, and one that would match a query; together, as each waits 20 s."""
    players = client.collection("players")
    store(players, {"a": {"team": "red"}, "b": {"team": "blue"}})
    reds = players.where(filter=FieldFilter("team", "==", "red"))
    with Open(client) as first, Open(client) as second, Open(client) as third, ThreadPoolExecutor() as pool:
        increment(first, counter)
        assert not client.document("counters/new").get(transaction=second).exists
        assert ids(reds.stream(transaction=third)) == ["a"]
        writes = [
            pool.submit(outside.document("counters/one").set, {"value": 100}),
            pool.submit(outside.document("counters/new").create, {"value": 1}),
            pool.submit(outside.document("players/c").set, {"team": "red"}),
        ]
        refusals = [write.exception(timeout=60) for write in writes]
        first._commit()
    assert [(type(refusal), refusal.message) for refusal in refusals] == [(Aborted, CONTENTION)] * 3
    assert counter.get().to_dict() == {"value": 1}


def test_a_writer_outside_waits_for_the_end_of_a_reader(client, outside, counter):
    with ThreadPoolExecutor() as pool:
        with Open(client) as transaction:
            counter.get(transaction=transaction)
            write = pool.submit(outside.document("counters/one").set, {"value": 100})
        write.result(timeout=20)
    assert counter.get().to_dict() == {"value": 100}


def test_a_reader_outside_does_not_wait(client, outside, counter):
    with Open(client) as transaction:
        increment(transaction, counter)
        assert outside.document("counters/one").get(timeout=1, retry=None).to_dict() == {"value": 0}


def test_other_documents_are_free(client, outside, counter):
    with Open(client) as transaction:
        counter.get(transaction=transaction)
        outside.document("counters/two").set({"value": 2}, timeout=1)


# Ends


def test_what_a_failed_function_has_written_is_not_there(client, counter):
    @firestore.transactional
    def fail(transaction):
        transaction.set(counter, {"value": 100})
        raise KeyError("changed my mind")

    with pytest.raises(KeyError):
        fail(client.transaction())
    assert counter.get().to_dict() == {"value": 0}


def test_a_refused_write_refuses_the_others(client, counter):
    transaction = client.transaction()
    transaction._begin()
    transaction.set(client.document("counters/two"), {"value": 2})
    transaction.create(counter, {"value": 100})
    with pytest.raises(AlreadyExists):
        transaction._commit()
    assert ids(client.collection("counters").stream()) == ["one"]


def test_a_finished_transaction_is_over(client, counter):
    transaction = client.transaction()
    transaction._begin()
    token = transaction.id
    transaction._commit()
    with pytest.raises(Aborted) as refusal:
        client._firestore_api.commit({"database": client._database_string, "transaction": token})
    assert refusal.value.message == EXPIRED


def test_a_token_of_nobody_is_refused(client):
    with pytest.raises(InvalidArgument) as refusal:
        client._firestore_api.commit({"database": client._database_string, "transaction": b"nobody's"})
    assert refusal.value.message == "Invalid transaction."


# Read-only


def test_a_read_only_transaction_sees_one_moment(client, outside, counter):
    with Open(client, read_only=True) as transaction:
        assert counter.get(transaction=transaction).to_dict() == {"value": 0}
        outside.document("counters/one").set({"value": 5}, timeout=1)
        assert counter.get(transaction=transaction).to_dict() == {"value": 0}


def begin_at(client, read_time):
    """A read-only transaction at a time of the past, which the Python client offers for single calls only."""
    response = client._firestore_api.begin_transaction(
        {"database": client._database_string, "options": {"read_only": {"read_time": read_time}}},
        metadata=client._rpc_metadata,
    )
    return response.transaction


def test_a_read_only_transaction_goes_back_to_its_time(client, counter):
    past = counter.set({"value": 1}).update_time
    counter.set({"value": 2})
    client.document("counters/two").create({"value": 3})
    token = begin_at(client, past)
    answers = client._firestore_api.run_query(
        {
            "parent": f"{client._database_string}/documents",
            "structured_query": client.collection("counters")._query()._to_protobuf(),
            "transaction": token,
        },
        metadata=client._rpc_metadata,
    )
    documents = [answer.document for answer in answers if "document" in answer]
    assert [document.fields["value"].integer_value for document in documents] == [1]


def test_a_read_only_transaction_may_not_write(client, counter):
    transaction = client.transaction()
    transaction.set(counter, {"value": 100})
    transaction._id = begin_at(client, counter.get().read_time)
    with pytest.raises(InvalidArgument) as refusal:
        transaction._commit()
    assert refusal.value.message == "Cannot modify entities in a read-only transaction."
    assert counter.get().to_dict() == {"value": 0}


# The end of the emulator; of our own alone: the one that FIRESTORE_UNDER_TEST names is not ours to stop.

CLOSING = "The store is closing. Try again later."


@pytest.fixture
def held(emulator, connect):
    """A document that a transaction holds; commits of others wait."""
    client = connect(emulator.firestore)
    document = client.document("counters/one")
    document.set({"value": 0})
    transaction = client.transaction()
    transaction._begin()
    document.get(transaction=transaction)
    return document


def test_a_stop_ends_a_commit_that_waits(emulator, held):
    write = Write(update=Document(name=held._document_path))
    request = CommitRequest(database=held._client._database_string, writes=[write])
    with grpc.insecure_channel(emulator.firestore) as channel:
        commit = channel.unary_unary("/google.firestore.v1.Firestore/Commit").future(
            CommitRequest.serialize(request), metadata=[("authorization", "Bearer owner")]
        )
        # An answer to the connection's next call: the commit before it has begun.
        channel.unary_unary("/no.such.Service/Method").future(b"").exception(timeout=10)
        emulator.process.send_signal(signal.SIGTERM)
        # Not "The server is shutting down", as when it is cut off.
        refusal = commit.exception(timeout=10)
        assert (refusal.code(), refusal.details()) == (grpc.StatusCode.UNAVAILABLE, CLOSING)
        assert emulator.process.wait(timeout=10) == 0


def test_a_stop_ends_a_commit_that_waits_over_rest(emulator, held):
    body = json.dumps({"writes": [{"update": {"name": held._document_path}}]}).encode()
    target = f"/v1/{held._client._database_string}/documents:commit"
    with RawConnection(emulator.firestore) as connection:
        # A connection that is not accepted yet is reset by the stop: this one is once it has answered.
        connection.request("GET", f"/v1/{held._document_path}", ["Authorization: Bearer owner"])
        _, fields = connection.head()
        connection.body(int(fields["content-length"]))
        connection.request("POST", target, ["Authorization: Bearer owner"], body)
        # Later calls of another connection are answered when the commit has long been read.
        for _ in range(20):
            held.get()
        emulator.process.send_signal(signal.SIGTERM)
        status, fields = connection.head()
        assert status == 503
        assert CLOSING in connection.body(int(fields["content-length"])).decode()
    assert emulator.process.wait(timeout=10) == 0

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""gRPC itself, as Google's Python client uses it: deadlines, cancellation, many clients, compression, one port."""

from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
import requests
from google.api_core.exceptions import DeadlineExceeded, NotFound
from google.cloud.firestore_v1.types import (
    BatchGetDocumentsRequest,
    BatchWriteRequest,
    CommitRequest,
    Document,
    RunQueryRequest,
    Write,
)

from firestore_clients import (  # noqa: F401 (fixtures)
    client,
    connect,
    firestore_address,
    listening,
    store,
)
from harness import DATABASE, DOCUMENTS, wait_until

CLIENT_COUNT = 200


@pytest.fixture
def large(client):
    """A collection of about 10 MB: far more than connections hold in their buffers."""
    collection = client.collection("large")
    for part in range(5):
        store(collection, {f"d{part}{n:02}": {"text": "x" * 20_000} for n in range(100)})
    return collection


def scan(client, collection):
    """The raw answers of a query, which can be broken off."""
    parent, _ = collection._parent_info()
    request = RunQueryRequest(parent=parent, structured_query=collection._query()._to_protobuf())
    return client._firestore_api.transport.run_query(request, metadata=client._rpc_metadata)


def assert_well(client):
    client.document("health/now").set({"well": True}, timeout=5)
    assert client.document("health/now").get(timeout=5).to_dict() == {"well": True}


# Deadlines


def test_a_deadline_ends_a_wait(client, connect, firestore_address):
    document = client.document("locked/one")
    document.set({"value": 0})
    transaction = client.transaction()
    transaction._begin()
    document.get(transaction=transaction)
    outside = connect(firestore_address, own_connection=True)
    with pytest.raises(DeadlineExceeded):
        outside.document("locked/one").set({"value": 1}, timeout=0.3, retry=None)
    transaction.update(document, {"value": 2})
    transaction._commit()
    # A write that was given up on is not written later (the official emulator does write it).
    assert_well(outside)
    assert document.get().to_dict() == {"value": 2}


def test_a_deadline_ends_a_stream(client, large):
    parent, _ = large._parent_info()
    request = RunQueryRequest(parent=parent, structured_query=large._query()._to_protobuf())
    answers = client._firestore_api.transport.run_query(request, metadata=client._rpc_metadata, timeout=0.5)
    next(answers)
    # Nothing more is read, so the stream stands still until its time is over.
    wait_until(answers.done, "the stream is over")
    assert answers.code() == grpc.StatusCode.DEADLINE_EXCEEDED
    assert_well(client)


# Cancellation


def test_a_stream_is_broken_off_midway_without_harm(client, large):
    for _ in range(50):
        answers = scan(client, large)
        next(answers)
        answers.cancel()
    assert_well(client)
    assert sum("document" in answer for answer in scan(client, large)) == 500


def test_a_client_that_stops_reading_does_not_hold_up_the_others(client, large, connect, firestore_address):
    slow = scan(client, large)
    next(slow)
    for _ in range(5):
        assert_well(client)
    other = connect(firestore_address, own_connection=True)
    assert sum("document" in answer for answer in scan(other, other.collection("large"))) == 500
    assert sum("document" in answer for answer in slow) == 499


def test_a_listener_that_is_cut_off_does_not_harm_the_others(client, connect, firestore_address):
    document = client.document("watched/one")
    document.set({"value": 0})
    cut_off = connect(firestore_address, own_connection=True)
    with listening(cut_off) as lost, listening(client) as kept:
        for stream in (lost, kept):
            stream.add(document)
            stream.until_current()
        cut_off._firestore_api.transport.close()
        document.set({"value": 1})
        assert ("CHANGED", "one") in kept.until("BOUNDARY")


# Many at once


def test_two_hundred_clients_at_once(client, connect, firestore_address):
    clients = [connect(firestore_address, own_connection=True) for _ in range(CLIENT_COUNT)]

    def write_and_read(number):
        document = clients[number].document(f"visitors/v{number}")
        document.set({"number": number}, timeout=30)
        return document.get(timeout=30).get("number")

    with ThreadPoolExecutor(CLIENT_COUNT) as pool:
        assert list(pool.map(write_and_read, range(CLIENT_COUNT))) == list(range(CLIENT_COUNT))
    assert client.collection("visitors").count().get()[0][0].value == CLIENT_COUNT


def test_two_hundred_calls_at_once_on_one_connection(client):
    store(client.collection("many"), {f"d{n}": {"n": n} for n in range(CLIENT_COUNT)})
    with ThreadPoolExecutor(CLIENT_COUNT) as pool:
        documents = list(pool.map(lambda n: client.document(f"many/d{n}").get(timeout=30), range(CLIENT_COUNT)))
    assert [document.get("n") for document in documents] == list(range(CLIENT_COUNT))


# The wire


def test_compressed_requests_are_understood(client):
    document = client.document("things/one")
    document.set({"text": "x" * 10_000})
    request = BatchGetDocumentsRequest(database=client._database_string, documents=[document._document_path] * 1_000)
    answers = client._firestore_api.transport.batch_get_documents(
        request, metadata=client._rpc_metadata, compression=grpc.Compression.Gzip
    )
    assert [answer.found.name for answer in answers] == [document._document_path]


def call(address, method, request=b""):
    """Calls a method by name with raw bytes."""
    with grpc.insecure_channel(address) as channel:
        return channel.unary_unary(method)(request, timeout=10)


@pytest.mark.parametrize("method", ["/google.firestore.v1.Firestore/Nonsense", "/no.such.Service/Method"])
def test_unknown_methods_are_unimplemented(firestore_address, method):
    with pytest.raises(grpc.RpcError) as refusal:
        call(firestore_address, method)
    assert refusal.value.code() == grpc.StatusCode.UNIMPLEMENTED


def test_bytes_that_are_no_message_are_refused(firestore_address, client):
    with pytest.raises(grpc.RpcError) as refusal:
        call(firestore_address, "/google.firestore.v1.Firestore/GetDocument", b"\xff\xff\xff")
    # The official emulator says UNKNOWN.
    assert refusal.value.code() in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.INTERNAL)
    assert_well(client)


def test_grpc_and_rest_are_on_one_port(client, firestore_address):
    document = client.document("things/one")
    document.set({"text": "ünï"})
    answer = requests.get(f"http://{firestore_address}/v1/{document._document_path}", timeout=10)
    assert answer.json()["fields"] == {"text": {"stringValue": "ünï"}}


def test_messages_beyond_ascii_arrive_whole(client):
    # The official emulator writes the name in another way.
    with pytest.raises(NotFound) as refusal:
        client.document("things/жук%20🔥").update({"a": 1})
    assert "things/жук%20🔥" in refusal.value.message


def test_a_stop_ends_open_streams(emulator, connect):
    # Of our own emulator only: the one that FIRESTORE_UNDER_TEST names is not ours to stop.
    client = connect(emulator.firestore)
    with listening(client) as stream:
        stream.add(client.collection("players"))
        stream.until_current()
        assert emulator.stop() == 0
        with pytest.raises(grpc.RpcError) as end:
            next(stream.responses)
        assert end.value.code() == grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize("kind", ["--ephemeral", "--data"])
def test_writes_of_a_connection_are_made_in_the_order_in_which_they_were_sent(serve, tmp_path, kind):
    # As BulkWriter sends them: the next does not wait for the answer to the one before it.
    arguments = [kind] if kind == "--ephemeral" else [kind, tmp_path / "data"]
    emulator = serve(*arguments)
    calls = {"BatchWrite": BatchWriteRequest, "Commit": CommitRequest}
    with grpc.insecure_channel(emulator.firestore) as channel:
        # Calls that wait for a connection are sent by gRPC's C core in no order.
        grpc.channel_ready_future(channel).result(timeout=20)

        def send(method, names, **fields):
            values = {field: {"integer_value": value} for field, value in fields.items()}
            writes = [Write(update=Document(name=f"{DOCUMENTS}/{name}", fields=values)) for name in names]
            message = calls[method](database=DATABASE, writes=writes)
            return channel.unary_unary(f"/google.firestore.v1.Firestore/{method}").future(
                calls[method].serialize(message), metadata=[("authorization", "Bearer owner")]
            )

        for number in range(60):
            document = f"ordered/d{number}"
            # The first is larger: it takes longer to read.
            others = [f"others/d{other:03}" for other in range(100)]
            sent = [
                send(method, [*names, document], v=value)
                for method in calls
                for value, names in enumerate([others, [], [], []])
            ]
            sent.append(send("BatchWrite", [document], v=4, w=5))
            for future in sent:
                future.result(timeout=20)
            answer = requests.get(emulator.documents(document), timeout=10).json()
            assert {name: value["integerValue"] for name, value in answer["fields"].items()} == {"v": "4", "w": "5"}

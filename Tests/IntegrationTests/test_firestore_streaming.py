# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Results far larger than what the emulator may hold: read as their client takes them."""

import json
from contextlib import ExitStack

import pytest
import requests

from firestore_clients import client_of, store
from harness import DOCUMENTS, Emulator
from raw_http import RawConnection

MEGABYTE = 1 << 20
DOCUMENT_COUNT = 120
FILLER = "x" * (MEGABYTE - 2_000)
# For any result; a document of a megabyte is held a few times on its way.
GROWTH_MAX = 16 * MEGABYTE
SMALL = {"structuredQuery": {"from": [{"collectionId": "small"}]}}
QUERY = {"structuredQuery": {"from": [{"collectionId": "big"}]}}


class Memory:
    """How much a process holds, and held at most since it was last asked."""

    def __init__(self, process):
        self.directory = f"/proc/{process.pid}"

    def _status(self, name):
        with open(f"{self.directory}/status") as status:
            return next(int(line.split()[1]) << 10 for line in status if line.startswith(name))

    @property
    def now(self):
        return self._status("VmRSS")

    @property
    def peak(self):
        return self._status("VmHWM")

    def forget_peak(self):
        with open(f"{self.directory}/clear_refs", "w") as file:
            file.write("5")


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    """The data of an emulator with 120 MB in a collection."""
    path = tmp_path_factory.mktemp("large")
    emulator = Emulator("--data", path)
    try:
        client = client_of(emulator.firestore, "demo", own_connection=True)
        for first in range(0, DOCUMENT_COUNT, 8):
            store(
                client.collection("big"),
                {f"d{number:04}": {"n": number, "x": FILLER} for number in range(first, first + 8)},
            )
        client._firestore_api.transport.close()
        assert emulator.stop() == 0
    finally:
        emulator.close()
    return path


@pytest.fixture
def full(serve, directory):
    """An emulator with much data, none of it in memory; its code has run once."""
    emulator = serve("--data", directory)
    client = client_of(emulator.firestore, "demo", own_connection=True)
    assert list(client.collection("small").stream()) == []
    client._firestore_api.transport.close()
    assert emulator.firestore_call("runQuery", SMALL).json()
    return emulator


def grown(memory, idle):
    return memory.peak - idle


@pytest.mark.parametrize("order", [{}, {"orderBy": [{"field": {"fieldPath": "n"}, "direction": "DESCENDING"}]}])
def test_a_large_result_over_rest_takes_little_memory(full, order):
    memory = Memory(full.process)
    mark = full.mark()
    idle = memory.now
    memory.forget_peak()
    query = {"structuredQuery": {**QUERY["structuredQuery"], **order}}
    with requests.post(full.documents(":runQuery"), json=query, stream=True, timeout=60) as response:
        assert response.headers["Transfer-Encoding"] == "chunked"
        body = b"".join(response.iter_content(1 << 16))
    documents = [answer["document"]["name"][-5:] for answer in json.loads(body)]
    assert sorted(documents) == [f"d{index:04}" for index in range(DOCUMENT_COUNT)]
    assert documents == sorted(documents, reverse=bool(order))
    assert grown(memory, idle) < GROWTH_MAX
    assert full.usage_of(1, since=mark)["billed"]["documentReads"] == DOCUMENT_COUNT


def test_a_large_result_over_grpc_takes_little_memory(full):
    client = client_of(full.firestore, "demo", own_connection=True)
    memory = Memory(full.process)
    mark = full.mark()
    idle = memory.now
    memory.forget_peak()
    assert sum(1 for _ in client.collection("big").stream()) == DOCUMENT_COUNT
    assert grown(memory, idle) < GROWTH_MAX
    client._firestore_api.transport.close()
    assert full.usage_of(1, since=mark)["billed"]["documentReads"] == DOCUMENT_COUNT


def test_clients_that_do_not_read_stop_their_queries_and_leave_nothing(full):
    memory = Memory(full.process)
    mark = full.mark()
    idle = memory.now
    memory.forget_peak()
    body = json.dumps(QUERY).encode()
    with ExitStack() as stack:
        for _ in range(10):
            connection = stack.enter_context(RawConnection(full.firestore, receive_buffer=4_096))
            connection.request("POST", f"/v1/{DOCUMENTS}:runQuery", ["Content-Type: application/json"], body)
            assert connection.head()[0] == 200
        # All of them have begun; none has read more than its head.
        assert requests.get(f"http://{full.firestore}/", timeout=10).status_code == 200
        assert grown(memory, idle) < GROWTH_MAX + 10 * 3 * MEGABYTE
    reads = full.usage_of(11, since=mark)["billed"]["documentReads"]
    assert 10 <= reads <= 10 * 6
    assert full.stop() == 0

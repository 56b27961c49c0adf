# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""What clients leave unfinished or unread does not fill the server's memory."""

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
import requests

from firestore_clients import client, connect, firestore_address, listening  # noqa: F401 (fixtures)
from harness import BUCKET, wait_until
from raw_http import RawConnection

MEBIBYTE = 1 << 20
# Waiting changes (4 MiB a view), a part of what was missed (4 MiB) in three forms, and the caches of large commits.
LISTENER_MEBIBYTES = 96
BODY_BYTES = 9_900_000
BODY_COUNT = 100
# MemoryLimits.processByteCountMax, what each connection holds without asking (256 KiB), and a third for what is made of both.
MEMORY_MEBIBYTES = (88 + BODY_COUNT / 4) * 4 / 3


def memory_mebibytes(emulator, kind="VmHWM"):
    with open(f"/proc/{emulator.process.pid}/status") as status:
        line = next(line for line in status if line.startswith(f"{kind}:"))
    return int(line.split()[1]) / 1024


@contextmanager
def within_memory(emulator, mebibytes):
    """The most memory at a time stays as near to that of a quiet server."""
    before = memory_mebibytes(emulator, "VmRSS")
    yield
    assert memory_mebibytes(emulator) - before < mebibytes


def begin_body(address, target, content_type):
    """Sends a request but for its body's last byte, as far as the server takes it."""
    connection = RawConnection(address, timeout=60)
    head = [f"Content-Type: {content_type}", f"Content-Length: {BODY_BYTES}"]
    connection.request("POST", target, head)
    try:
        connection.send(b" " * (BODY_BYTES - 1))
    except OSError:
        pass  # refused, and closed
    return connection


def answered_status(connection):
    """The status of an answer that has come; None while the server waits for the rest."""
    connection.socket.settimeout(0.2)
    try:
        return connection.head()[0]
    except socket.timeout:
        return None
    except (EOFError, ConnectionResetError):
        return "closed"


@pytest.mark.timeout(180)
@pytest.mark.parametrize("service", ["firestore", "storage"])
def test_unfinished_bodies_are_refused_in_words(emulator, service):
    address, target, content_type = {
        "firestore": (emulator.firestore, "/v1/projects/demo/databases/(default)/documents:commit", "application/json"),
        "storage": (emulator.storage, "/batch/storage/v1", "multipart/mixed; boundary=b"),
    }[service]
    with ThreadPoolExecutor(BODY_COUNT) as pool, within_memory(emulator, MEMORY_MEBIBYTES):
        begun = list(pool.map(lambda _: begin_body(address, target, content_type), range(BODY_COUNT)))
    statuses = [answered_status(connection) for connection in begun]
    waiting = statuses.count(None)
    # As many as fit into 88 MiB; no others are held.
    assert 8 <= waiting <= 10, statuses
    assert set(statuses) <= {None, 429, "closed"}
    assert 429 in statuses
    # Small calls of others are answered meanwhile.
    assert emulator.firestore_call("commit", {"writes": []}).status_code == 200
    for connection in begun:
        connection.socket.close()
    body = json.dumps({"writes": []}) + " " * (10 * MEBIBYTE)
    wait_until(
        lambda: requests.post(emulator.documents(":commit"), data=body, timeout=30).status_code == 200,
        "room for a large request",
    )


def test_a_refused_body_says_what_is_full(emulator):
    connections = [begin_body(emulator.storage, "/batch/storage/v1", "multipart/mixed; boundary=b") for _ in range(9)]
    try:
        url = f"http://{emulator.storage}/storage/v1/b/{BUCKET}/o/a"
        json_answer = requests.patch(url, json={"metadata": {"a": "x" * MEBIBYTE}}, timeout=30)
        firestore_answer = emulator.firestore_call("commit", {"writes": [], "labels": {"x": "y" * 8 * MEBIBYTE}})
    finally:
        for connection in connections:
            connection.socket.close()
    assert firestore_answer.status_code == 429
    error = firestore_answer.json()["error"]
    assert (error["code"], error["status"]) == (429, "RESOURCE_EXHAUSTED")
    assert str(88 * MEBIBYTE) in error["message"] and "try again" in error["message"]
    # Which is not so large, and still fits, or is refused in Storage's words.
    if json_answer.status_code == 429:
        assert json_answer.json()["error"]["errors"][0]["reason"] == "rateLimitExceeded"


def test_a_listener_that_does_not_read_is_told_the_last_state(emulator, client):  # noqa: F811
    collection = client.collection("large")
    collection.document("d00").set({"n": -1, "text": "x" * 900_000})
    with listening(client) as stream, within_memory(emulator, LISTENER_MEBIBYTES):
        stream.add(collection)
        stream.until_current()
        for number in range(100):
            collection.document(f"d{number % 50:02}").set({"n": number, "text": "x" * 900_000})
        seen = {}
        while len(seen) < 50 or min(seen.values()) < 50:
            response = next(stream.responses)
            if response._pb.WhichOneof("response_type") == "document_change":
                document = response.document_change.document
                seen[document.name[-3:]] = document.fields["n"].integer_value
        assert seen == {f"d{number:02}": number + 50 for number in range(50)}
        stream.until("BOUNDARY")

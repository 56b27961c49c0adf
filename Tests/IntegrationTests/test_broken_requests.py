# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Requests that are too large, cut off or not HTTP: on each port the client gets to read a whole answer in JSON."""

import json

import pytest

from harness import BUCKET, DOCUMENTS
from raw_http import RawConnection

PORTS = {
    "firestore": f"/v1/{DOCUMENTS}:commit",
    "storage": f"/upload/storage/v1/b/{BUCKET}/o?uploadType=media&name=a",
    "console": "/_admin/export",
}


def answer(connection):
    """The status and the JSON of the one answer that a connection ends with."""
    head, body = connection.until_end().split(b"\r\n\r\n", 1)
    assert b"content-type: application/json" in head.lower()
    return int(head.split()[1]), json.loads(body)


@pytest.mark.parametrize("port", PORTS)
@pytest.mark.parametrize("version", ["1.1", "1.0"])
def test_a_body_too_large_is_refused_although_all_of_it_is_sent_first(emulator, port, version):
    declared, sent = (6 << 40, 40 << 20) if port == "storage" else (20 << 20, 20 << 20)
    with RawConnection(getattr(emulator, port)) as connection:
        connection.send(
            f"POST {PORTS[port]} HTTP/{version}\r\nHost: h\r\nConnection: close\r\n"
            f"Content-Length: {declared}\r\n\r\n".encode()
        )
        connection.send(bytes(sent))
        status, body = answer(connection)
    # Firestore's status is production's.
    assert status == (400 if port == "firestore" else 413)
    assert body["error"]["code"] == status


CHUNKED = "Transfer-Encoding: chunked"


@pytest.mark.parametrize("port", PORTS)
@pytest.mark.parametrize(
    "field, body",
    [("Content-Length: 50", "{}"), (CHUNKED, "5\r\n{}"), (CHUNKED, "zz\r\n{}\r\n"), (CHUNKED, "2\r\n{}!!\r\n0\r\n\r\n")],
    ids=["cut off", "cut off in a chunk", "no chunk size", "a chunk too long"],
)
def test_a_broken_body_is_the_clients_fault(emulator, port, field, body):
    with RawConnection(getattr(emulator, port)) as connection:
        connection.send(f"POST {PORTS[port]} HTTP/1.1\r\nHost: h\r\n{field}\r\n\r\n{body}".encode())
        connection.end_sending()
        status, body = answer(connection)
    assert status == 400
    # The export answers as Firebase's hub does.
    message = body["message"] if port == "console" else body["error"]["message"]
    assert "body" in message
    if port == "firestore":
        assert body["error"]["status"] == "INVALID_ARGUMENT"
    assert emulator.process.poll() is None


@pytest.mark.parametrize("port", PORTS)
@pytest.mark.parametrize(
    "head, expected",
    [
        ("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n", 400),
        ("GET /%s HTTP/1.1\r\nHost: a\r\n\r\n" % ("x" * 3_000_000), 414),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: %s\r\n\r\n" % ("x" * 3_000_000), 431),
    ],
    ids=["no host", "two hosts", "long target", "long field"],
)
def test_a_bad_head_is_refused_with_its_status(emulator, port, head, expected):
    with RawConnection(getattr(emulator, port)) as connection:
        connection.send(head.encode())
        status, body = answer(connection)
    # Of a head on the console, which meters nothing, it is not known where it was too long.
    assert status == expected or (port, expected, status) == ("console", 414, 431)
    assert body["error"]["code"] == status

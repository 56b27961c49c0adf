# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Law 1 for the whole program: what the meter tells is what an independent relay saw on the sockets."""

import socket
import struct

import pytest
import requests

from harness import BUCKET, DOCUMENTS, wait_until
from raw_http import RawConnection
from relay import CountingRelay, reset
from trials.http2 import PING, Http2Connection, frame

MEDIA = f"/v0/b/{BUCKET}/o/a?alt=media"
DATA = bytes(range(256)) * 4_000


def upload(relay, data=DATA):
    response = requests.post(f"http://{relay.address}/v0/b/{BUCKET}/o?name=a", data=data, timeout=20)
    assert response.status_code == 200


def keep_alive(relay):
    upload(relay)
    with requests.Session() as session:
        for _ in range(10):
            assert session.get(f"http://{relay.address}{MEDIA}", timeout=20).content == DATA
    return 11


def ranges(relay):
    upload(relay)
    for header, status in [("bytes=0-99", 206), ("bytes=-1", 206), ("bytes=5000000-", 416), ("bytes=1-0", 200)]:
        response = requests.get(f"http://{relay.address}{MEDIA}", headers={"Range": header}, timeout=20)
        assert response.status_code == status
    return 5


def answers_without_bodies(relay):
    upload(relay)
    url = f"http://{relay.address}{MEDIA}"
    with requests.Session() as session:
        tag = session.head(url, timeout=20).headers["ETag"]
        assert session.get(url, headers={"If-None-Match": tag}, timeout=20).status_code == 304
        assert session.options(url, headers={"Origin": "http://localhost"}, timeout=20).status_code == 204
        assert session.delete(url, timeout=20).status_code == 204
        assert session.get(url, timeout=20).status_code == 404
        assert session.head(url, timeout=20).status_code == 404
    return 7


def pipelined(relay):
    upload(relay, b"0123456789")
    with RawConnection(relay.address) as connection:
        connection.send(f"GET {MEDIA} HTTP/1.1\r\nHost: h\r\n\r\n".encode() * 5)
        for _ in range(5):
            assert connection.response()[2] == b"0123456789"
    return 6


def uploads_in_pieces(relay):
    url = f"http://{relay.address}/v0/b/{BUCKET}/o"
    pieces = (bytes([number]) * 10_000 for number in range(20))
    assert requests.post(f"{url}?name=chunked", data=pieces, timeout=20).status_code == 200
    with RawConnection(relay.address) as connection:
        fields = ["Expect: 100-continue", "Content-Length: 5"]
        connection.request("POST", f"/v0/b/{BUCKET}/o?name=expect", fields)
        assert connection.head()[0] == 100
        connection.send(b"hello")
        assert connection.response()[0] == 200
    return 2


def garbage(relay):
    with RawConnection(relay.address) as connection:
        connection.request("GET", "/v0/")
        assert connection.response()[0] == 200
        connection.send(b"\1\2 no request at all\r\n\r\n")
        assert connection.until_end().startswith(b"HTTP/1.1 400 ")
    return 2


def half_a_request(relay):
    for half in (f"POST /v0/b/{BUCKET}/o?name=a HTTP/1.1\r\nHost: h\r\nContent-Length: 50\r\n\r\nhello", "GET /v0/ HT"):
        with RawConnection(relay.address) as connection:
            connection.send(half.encode())
            connection.socket.shutdown(socket.SHUT_WR)
            connection.until_end()
    return 2


def refused_upload(relay):
    with RawConnection(relay.address) as connection:
        head = f"POST /v0/b/{BUCKET}/o?name=a HTTP/1.1\r\nHost: h\r\nContent-Length: {6 << 40}\r\n\r\n"
        connection.send(head.encode() + b"x" * 100_000)
        assert connection.response()[0] == 413
        connection.socket.shutdown(socket.SHUT_WR)
        connection.until_end()
    return 1


def denied_download(relay):
    upload(relay)
    assert requests.get(f"http://{relay.address}{MEDIA}&token=wrong", timeout=20).status_code == 403
    return 2


def connection_without_a_request(relay):
    with RawConnection(relay.address) as connection:
        connection.socket.shutdown(socket.SHUT_WR)
        assert connection.until_end() == b""
    return 0


TRAFFIC = [
    keep_alive,
    ranges,
    answers_without_bodies,
    pipelined,
    uploads_in_pieces,
    garbage,
    half_a_request,
    refused_upload,
    denied_download,
    connection_without_a_request,
]


def assert_meter_equals(relay, emulator, request_count):
    """Compares once every connection is over: what was broken off is recorded a moment later."""
    moved = {"received": relay.to_server, "sent": relay.to_client}

    def told():
        usage = emulator.usage()
        return {key: usage["bytes"][key] for key in moved} if usage["requests"] >= request_count else None

    try:
        wait_until(lambda: told() == moved, "the records of all connections", seconds=5)
    except AssertionError:
        assert told() == moved
        raise


@pytest.mark.parametrize("traffic", TRAFFIC, ids=lambda traffic: traffic.__name__)
def test_the_meter_tells_the_bytes_of_the_socket(emulator, traffic):
    with CountingRelay(emulator.storage) as relay:
        request_count = traffic(relay)
    assert_meter_equals(relay, emulator, request_count)


def test_the_meter_adds_up_all_kinds_of_traffic(emulator):
    with CountingRelay(emulator.storage) as relay:
        request_count = sum(traffic(relay) for traffic in TRAFFIC)
    assert_meter_equals(relay, emulator, request_count)


def test_the_meter_tells_firestores_bytes_too(emulator):
    with CountingRelay(emulator.firestore) as relay, requests.Session() as session:
        url = f"http://{relay.address}/v1/{DOCUMENTS}"
        fields = {"fields": {"text": {"stringValue": "x" * 100_000}}}
        assert session.patch(f"{url}/posts/p1", json=fields, timeout=20).status_code == 200
        assert session.get(f"{url}/posts/p1", timeout=20).status_code == 200
        assert session.get(f"{url}/posts/p2", timeout=20).status_code == 404
        assert session.post(f"{url}:commit", data=b"{", timeout=20).status_code == 400
        session.close()
    assert_meter_equals(relay, emulator, 4)


@pytest.mark.parametrize("read", [0, 100_000, 20_000_000], ids=["nothing read", "100 KB read", "20 MB read"])
def test_the_meter_tells_what_left_of_a_broken_off_download(emulator, read):
    size = 64 << 20
    with CountingRelay(emulator.storage) as relay:
        upload(relay, b"\0" * size)
        download = RawConnection(relay.address)
        download.request("GET", MEDIA)
        assert download.head()[0] == 200
        download.body(read)
        reset(download.socket)
    assert relay.to_client < size
    assert_meter_equals(relay, emulator, 2)


@pytest.mark.parametrize("ping_count", [10, 2_000])
def test_the_bytes_of_clients_that_have_gone_before_they_are_served_are_counted(emulator, ping_count):
    # The kernel completes connections, and resets them, before the emulator accepts them.
    for _ in range(20):
        with Http2Connection(emulator.firestore) as connection:
            connection.send(frame(PING, payload=bytes(8)) * ping_count)
            connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    wait_until(lambda: kernel_sums(emulator)["connections"] >= 20, "the connections have ended")
    assert kernel_sums(emulator)["difference"] == 0


def kernel_sums(emulator):
    return requests.get(f"http://{emulator.console}/usage/kernel", timeout=20).json()

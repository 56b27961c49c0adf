# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The meter against the packets on the wire: HTTP/1.1 and HTTP/2, well-behaved and broken off; no byte differs."""

import os
import socket

import pytest
import requests
from google.auth.credentials import AnonymousCredentials
from google.cloud import storage

from capture import CaptureRefused, PacketCapture
from firestore_clients import Snapshots, client_of
from harness import BUCKET, wait_until
from raw_http import RawConnection
from relay import reset

IMAGE = f"/v0/b/{BUCKET}/o/ann%2Fp1%2F0"


def use_storage(emulator):
    """HTTP/1.1 of all kinds: kept alive, pipelined, chunked, HEAD, 100-continue, half-closed, refused, cancelled."""
    emulator.put("ann/p1/0", b"x" * 300_000)
    emulator.put("small", b"0123456789")
    with requests.Session() as session:
        for _ in range(20):
            assert session.get(f"http://{emulator.storage}{IMAGE}?alt=media", timeout=10).ok
            assert session.head(f"http://{emulator.storage}{IMAGE}?alt=media", timeout=10).ok
        chunks = iter([b"piece"] * 1_000)
        session.post(f"http://{emulator.storage}/v0/b/{BUCKET}/o", params={"name": "chunked"}, data=chunks, timeout=10)
    endpoint = {"api_endpoint": f"http://{emulator.storage}"}
    client = storage.Client(project="demo", credentials=AnonymousCredentials(), client_options=endpoint)
    blob = client.bucket(BUCKET).blob("by-google")
    blob.upload_from_string(b"z" * 100_000)
    assert len(blob.download_as_bytes()) == 100_000
    client._http.close()
    with RawConnection(emulator.storage) as connection:
        connection.send(f"GET {IMAGE} HTTP/1.1\r\nHost: emulator\r\n\r\n".encode() * 50)
        for _ in range(50):
            assert connection.response()[0] == 200
        connection.request("POST", f"/v0/b/{BUCKET}/o?name=waiting", ["Expect: 100-continue", "Content-Length: 4"])
        assert connection.head()[0] == 100
        connection.send(b"data")
        assert connection.response()[0] == 200
        connection.socket.shutdown(socket.SHUT_WR)
        connection.until_end()
    with RawConnection(emulator.storage) as connection:
        connection.send(b"garbage\r\n\r\n")
        connection.until_end()
    for byte_count in [0, 1_000, 200_000]:
        download = RawConnection(emulator.storage, receive_buffer=8 << 10)
        download.request("GET", f"{IMAGE}?alt=media")
        assert download.head()[0] == 200
        download.body(byte_count)
        reset(download.socket)
    upload = RawConnection(emulator.storage)
    upload.request("POST", f"/v0/b/{BUCKET}/o?name=never", ["Content-Length: 1000000"])
    upload.send(b"y" * 50_000)
    reset(upload.socket)


def use_firestore(emulator):
    """HTTP/2 by Google's client, with a listener and a large answer that is cancelled; and REST."""
    client = client_of(emulator.firestore, "demo", own_connection=True)
    posts = client.collection("posts")
    snapshots = Snapshots(posts)
    try:
        snapshots.next()
        for number in range(30):
            posts.document(f"p{number}").set({"likes": number, "text": "t" * 10_000})
        assert len(list(posts.stream())) == 30
        endless = iter(posts.stream())
        next(endless)
        del endless
    finally:
        snapshots.close()
        client._firestore_api.transport.close()
    assert requests.get(emulator.documents("posts/p1"), timeout=10).ok
    with RawConnection(emulator.firestore) as connection:
        connection.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"no frames at all")
        connection.until_end()


def ended_connections(emulator):
    return requests.get(f"http://{emulator.console}/usage/kernel", timeout=10).json()["connections"]


@pytest.mark.parametrize("use", [use_storage, use_firestore])
def test_the_meter_counts_what_passes_on_the_wire(emulator, use):
    try:
        with PacketCapture(emulator.firestore, emulator.storage) as capture:
            use(emulator)
            capture.catch_up()
            wait_until(lambda: ended_connections(emulator) == capture.connection_count, "the end of all connections")
            capture.catch_up()
            seen = {"firestore": capture.bytes_of(emulator.firestore), "storage": capture.bytes_of(emulator.storage)}
    except CaptureRefused as refusal:
        assert os.geteuid() != 0, refusal  # root may capture
        pytest.skip(f"no packets may be captured here: {refusal}")
    usage = {key: group["bytes"] for key, group in emulator.usage(by="service").items()}
    told = {key: (bytes_of["received"], bytes_of["sent"]) for key, bytes_of in usage.items()}
    assert told == {service: bytes_of for service, bytes_of in seen.items() if any(bytes_of)}

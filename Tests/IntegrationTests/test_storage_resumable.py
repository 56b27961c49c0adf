# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Resumable uploads by the protocol of the Firebase SDKs, over a crash of the server and with broken connections."""

import hashlib

import pytest
import requests
from harness import BUCKET, Emulator, wait_until
from raw_http import RawConnection

GRANULE = 256 << 10
DATA = bytes(range(256)) * 3 * (GRANULE // 256) + b"the end"


def start(emulator, name="big.bin", size=len(DATA)):
    response = requests.post(
        f"http://{emulator.storage}/v0/b/{BUCKET}/o",
        params={"name": name},
        json={"name": name, "contentType": "video/mp4", "metadata": {"k": "v"}},
        headers={
            "X-Goog-Upload-Protocol": "resumable",
            "X-Goog-Upload-Command": "start",
            "X-Goog-Upload-Header-Content-Length": str(size),
            "X-Goog-Upload-Header-Content-Type": "video/mp4",
        },
        timeout=10,
    )
    assert response.status_code == 200
    assert response.content == b""
    assert response.headers["X-Goog-Upload-Status"] == "active"
    assert response.headers["X-Goog-Upload-Chunk-Granularity"] == str(GRANULE)
    assert response.headers["X-Goog-Upload-Control-URL"] == response.headers["X-Goog-Upload-URL"]
    return response.headers["X-Goog-Upload-URL"]


def command(address, text, offset=None, data=b""):
    headers = {"X-Goog-Upload-Command": text}
    if offset is not None:
        headers["X-Goog-Upload-Offset"] = str(offset)
    return requests.post(address, data=data, headers=headers, timeout=30)


def received(address):
    response = command(address, "query")
    assert response.headers["X-Goog-Upload-Status"] == "active"
    return int(response.headers["X-Goog-Upload-Size-Received"])


def test_chunks_become_an_object(emulator):
    address = start(emulator)
    assert received(address) == 0
    for offset in range(0, 3 * GRANULE, GRANULE):
        response = command(address, "upload", offset, DATA[offset : offset + GRANULE])
        assert (response.status_code, response.content) == (200, b"")
        assert response.headers["X-Goog-Upload-Status"] == "active"
    assert received(address) == 3 * GRANULE
    last = command(address, "upload, finalize", 3 * GRANULE, DATA[3 * GRANULE :])
    assert last.headers["X-Goog-Upload-Status"] == "final"
    assert last.json()["size"] == str(len(DATA))
    assert last.json()["metadata"] == {"k": "v"}
    assert last.json()["contentType"] == "video/mp4"
    assert last.json()["downloadTokens"]
    assert emulator.get("big.bin").content == DATA
    # The answer may have been lost on its way: the client asks again.
    assert command(address, "upload, finalize", 3 * GRANULE, DATA[3 * GRANULE :]).json() == last.json()
    assert command(address, "query").headers["X-Goog-Upload-Status"] == "final"
    assert command(address, "cancel").status_code == 400


def test_a_wrong_offset_changes_nothing(emulator):
    address = start(emulator)
    response = command(address, "upload", 1, b"x")
    assert response.status_code == 400
    assert response.text == "Client uploaded to the wrong offset (1 instead of 0)."
    assert received(address) == 0


def test_a_cancelled_upload_is_over(emulator):
    address = start(emulator)
    command(address, "upload", 0, DATA[:GRANULE])
    for _ in range(2):
        response = command(address, "cancel")
        assert (response.status_code, response.headers["X-Goog-Upload-Status"]) == (200, "cancelled")
    assert command(address, "query").headers["X-Goog-Upload-Status"] == "cancelled"
    assert command(address, "upload", GRANULE, b"x").status_code == 400
    assert emulator.get("big.bin").status_code == 404


def test_what_came_before_a_broken_connection_is_kept(emulator):
    address = start(emulator)
    path = address.split(emulator.storage, 1)[1]
    with RawConnection(emulator.storage) as connection:
        connection.send(
            f"POST {path} HTTP/1.1\r\nHost: {emulator.storage}\r\nX-Goog-Upload-Command: upload\r\n"
            f"X-Goog-Upload-Offset: 0\r\nContent-Length: {GRANULE}\r\n\r\n".encode()
            + DATA[:100_000]
        )
    wait_until(lambda: received(address) == 100_000, "all the bytes that arrived")
    rest = command(address, "upload, finalize", 100_000, DATA[100_000:])
    assert rest.json()["size"] == str(len(DATA))
    assert emulator.get("big.bin").content == DATA


@pytest.mark.parametrize("protocol", ["firebase", "json"])
def test_an_upload_goes_on_after_kill_9(tmp_path, protocol):
    emulator = Emulator("--data", tmp_path / "data")
    try:
        address = start(emulator) if protocol == "firebase" else start_chunks(emulator)
        send = command_chunk if protocol == "firebase" else put_chunk
        send(address, 0, DATA[:GRANULE])
        former = emulator.storage
        emulator.kill()
        emulator = Emulator("--data", tmp_path / "data")
        address = address.replace(former, emulator.storage)
        if protocol == "firebase":
            assert received(address) == GRANULE
        else:
            status = requests.put(address, headers={"Content-Range": "bytes */*"}, timeout=10)
            assert (status.status_code, status.headers["Range"]) == (308, f"bytes=0-{GRANULE - 1}")
        resource = send(address, GRANULE, DATA[GRANULE:], is_last=True).json()
        assert resource["size"] == str(len(DATA))
        assert hashlib.md5(emulator.get("big.bin").content).digest() == hashlib.md5(DATA).digest()
    finally:
        emulator.close()


def command_chunk(address, offset, data, is_last=False):
    response = command(address, "upload, finalize" if is_last else "upload", offset, data)
    assert response.status_code == 200
    return response


def start_chunks(emulator):
    response = requests.post(
        f"http://{emulator.storage}/upload/storage/v1/b/{BUCKET}/o?uploadType=resumable&name=big.bin", timeout=10
    )
    assert response.status_code == 200
    return response.headers["Location"]


def put_chunk(address, offset, data, is_last=False):
    total = offset + len(data) if is_last else "*"
    fields = {"Content-Range": f"bytes {offset}-{offset + len(data) - 1}/{total}"}
    response = requests.put(address, data=data, headers=fields, timeout=10)
    assert response.status_code == (200 if is_last else 308)
    return response

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Many clients at once; nothing is lost, nothing is counted twice."""

import asyncio
import resource

from harness import BUCKET

CLIENTS = 200
GETS = 20
IMAGE = bytes(range(256)) * 200
UPLOADS = 200
MEBIBYTE = 1 << 20


async def response(reader):
    """Reads a response: (status, body)."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = next(line for line in head.split("\r\n") if line.startswith("content-length: "))
    return int(head.split()[1]), await reader.readexactly(int(length.split()[1]))


async def connect(address):
    host, port = address.rsplit(":", 1)
    return await asyncio.open_connection(host, int(port))


async def download_repeatedly(address, target):
    reader, writer = await connect(address)
    for _ in range(GETS):
        writer.write(f"GET {target} HTTP/1.1\r\nHost: h\r\n\r\n".encode())
        assert await response(reader) == (200, IMAGE)
    writer.close()
    await writer.wait_closed()


async def upload(address, number):
    reader, writer = await connect(address)
    head = f"POST /v0/b/{BUCKET}/o?name=up/{number:03} HTTP/1.1\r\nHost: h\r\nContent-Length: {MEBIBYTE}\r\n\r\n"
    writer.write(head.encode() + bytes([number]) * MEBIBYTE)
    assert (await response(reader))[0] == 200
    writer.close()
    await writer.wait_closed()


async def together(calls):
    await asyncio.gather(*calls)


def test_two_hundred_clients_download_at_once(emulator):
    emulator.put("a", IMAGE)
    mark = emulator.mark()
    target = f"/v0/b/{BUCKET}/o/a?alt=media"
    asyncio.run(together(download_repeatedly(emulator.storage, target) for _ in range(CLIENTS)))
    usage = emulator.usage(since=mark)
    assert usage["requests"] == usage["billed"]["classB"] == CLIENTS * GETS
    assert usage["bytes"]["bodySent"] == CLIENTS * GETS * len(IMAGE)


def test_two_hundred_clients_upload_while_as_many_download(emulator):
    emulator.put("a", IMAGE)
    mark = emulator.mark()
    target = f"/v0/b/{BUCKET}/o/a?alt=media"
    uploads = [upload(emulator.storage, number) for number in range(UPLOADS)]
    downloads = [download_repeatedly(emulator.storage, target) for _ in range(CLIENTS)]
    asyncio.run(together(uploads + downloads))
    billed = emulator.usage(since=mark)["billed"]
    assert (billed["classA"], billed["classB"]) == (UPLOADS, CLIENTS * GETS)
    items = emulator.list(prefix="up/").json()["items"]
    assert [item["name"] for item in items] == [f"up/{number:03}" for number in range(UPLOADS)]
    for number in range(UPLOADS):
        assert emulator.get(f"up/{number:03}").content == bytes([number]) * MEBIBYTE


def test_clients_that_write_one_name_leave_one_whole_object(emulator):
    async def overwrite(number):
        reader, writer = await connect(emulator.storage)
        for _ in range(5):
            body = bytes([number]) * (100_000 + number)
            head = f"POST /v0/b/{BUCKET}/o?name=one HTTP/1.1\r\nHost: h\r\nContent-Length: {len(body)}\r\n\r\n"
            writer.write(head.encode() + body)
            assert (await response(reader))[0] == 200
        writer.close()
        await writer.wait_closed()

    asyncio.run(together(overwrite(number) for number in range(30)))
    data = emulator.get("one").content
    assert data == bytes([data[0]]) * (100_000 + data[0])


def test_the_limit_of_the_shell_does_not_limit_connections(serve):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, hard), hard))
    try:
        emulator = serve()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert resource.prlimit(emulator.process.pid, resource.RLIMIT_NOFILE) == (hard, hard)

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Eight kinds of hostile clients. Each repeats a round of bounded work, with a pause, for a bounded time."""

import gzip
import random
import socket
import struct
import time
from contextlib import ExitStack, suppress

from harness import DATABASE

from .http2 import (
    CONTINUATION,
    DATA,
    END_HEADERS,
    END_STREAM,
    HEADERS,
    INITIAL_WINDOW_SIZE,
    PING,
    RST_STREAM,
    SETTINGS,
    Http2Connection,
    frame,
    grpc_head,
    grpc_message,
    setting,
    window_update,
)
from .victims import BIG_COLLECTION, BIG_OBJECT

MEBIBYTE = 1 << 20
ROUNDS_MAX = 100_000


def connect(address, receive_buffer=None, timeout=2):
    host, port = address.rsplit(":", 1)
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.settimeout(timeout)
    try:
        connection.connect((host, int(port)))
    except OSError:
        connection.close()
        raise
    return connection


def head(method, target, *fields):
    return "\r\n".join([f"{method} {target} HTTP/1.1", "Host: emulator", *fields, "", ""]).encode()


class Attack:
    """One kind of hostile client."""

    pause_seconds = 0.5

    def __init__(self, addresses, seed=1):
        assert all(address.startswith("127.0.0.1:") for address in addresses.values()), "only this machine is attacked"
        self.addresses = addresses
        self.chance = random.Random(seed)
        self.kept = []

    def run(self, seconds):
        """Attacks for some time; returns the number of rounds."""
        end = time.monotonic() + seconds
        for number in range(ROUNDS_MAX):
            if time.monotonic() >= end:
                break
            # The server may end a connection at any time.
            with suppress(OSError):
                self.round(number)
            time.sleep(min(self.pause_seconds, max(0, end - time.monotonic())))
        for connection in self.kept:
            connection.close()
        return number

    def round(self, number):
        raise NotImplementedError

    def keep(self, wanted, make):
        """Replaces the kept connections that have ended; makes a tenth of the wanted ones a round."""
        for _ in range(min(wanted - len(self.kept), 1 + wanted // 10)):
            self.kept.append(make())

    def send_to_kept(self, data):
        for connection in list(self.kept):
            try:
                connection.send(data)
            except OSError:
                self.drop(connection)

    def drop(self, connection):
        self.kept.remove(connection)
        connection.close()


class SlowHeads(Attack):
    """Two hundred connections whose heads come a byte a second and never end."""

    pause_seconds = 1

    def round(self, number):
        addresses = list(self.addresses.values())
        self.keep(200, lambda: self.begin(self.chance.choice(addresses)))
        self.send_to_kept(b"x")

    def begin(self, address):
        connection = connect(address)
        connection.send(b"GET / HTTP/1.1\r\nHost: emulator\r\nX-Slow: ")
        return connection


class SlowReaders(Attack):
    """Big downloads and big queries over HTTP/1.1 and gRPC, of which a few hundred bytes are read a second."""

    pause_seconds = 0.5
    reopened_after = 60

    def round(self, number):
        if number % self.reopened_after == 0:
            for connection in list(self.kept):
                self.drop(connection)
        self.keep(12, self.begin)
        for connection in list(self.kept):
            try:
                connection.settimeout(0.01)
                if not connection.recv(200):
                    self.drop(connection)
            except TimeoutError:
                pass
            except OSError:
                self.drop(connection)

    def begin(self):
        kind = self.chance.randrange(3)
        if kind == 0:
            connection = connect(self.addresses["storage"], receive_buffer=4_096)
            connection.send(head("GET", BIG_OBJECT))
            return connection
        if kind == 1:
            body = b'{"structuredQuery":{"from":[{"collectionId":"%s"}]}}' % BIG_COLLECTION.encode()
            connection = connect(self.addresses["firestore"], receive_buffer=4_096)
            target = f"/v1/{DATABASE}/documents:runQuery"
            connection.send(head("POST", target, f"Content-Length: {len(body)}") + body)
            return connection
        return self.begin_streams()

    def begin_streams(self):
        """Several queries on one connection, whose windows are never opened again."""
        connection = Http2Connection(self.addresses["firestore"], receive_buffer=4_096)
        for stream in range(1, 9, 2):
            connection.open_stream(stream, grpc_head("RunQuery"))
            connection.send(frame(DATA, END_STREAM, stream, grpc_message(big_query())))
        return connection.socket


def big_query():
    from google.cloud.firestore_v1 import types

    source = types.StructuredQuery.CollectionSelector(collection_id=BIG_COLLECTION)
    query = types.StructuredQuery(from_=[source])
    return types.RunQueryRequest.serialize(
        types.RunQueryRequest(parent=f"{DATABASE}/documents", structured_query=query)
    )


class Http2Floods(Attack):
    """Floods of one kind of frame after the other."""

    pause_seconds = 0.25

    def round(self, number):
        floods = [
            lambda: frame(SETTINGS, payload=setting(INITIAL_WINDOW_SIZE, 1 << 16)) * 5_000,
            lambda: frame(PING, payload=bytes(8)) * 10_000,
            lambda: b"".join(self.opened_and_reset(stream) for stream in range(1, 4_000, 2)),
            lambda: frame(HEADERS, 0, 1, grpc_head("Commit")) + frame(CONTINUATION, 0, 1, b"\x00\x01a\x01b" * 200) * 500,
            lambda: frame(HEADERS, END_HEADERS, 1, grpc_head("Commit")) + frame(DATA, 0, 1) * 10_000,
            lambda: window_update(0, 1) * 10_000,
            lambda: window_update(0, 0x7FFF_FFFF) * 2,
            self.window_games,
            lambda: b"".join(frame(kind, 0, 0, bytes(4)) for kind in range(16, 256)) * 10,
        ]
        with Http2Connection(self.addresses["firestore"]) as connection:
            with suppress(OSError):
                connection.send(floods[number % len(floods)]())
            connection.read(0.2)

    @staticmethod
    def opened_and_reset(stream):
        return frame(HEADERS, END_HEADERS, stream, grpc_head("RunQuery")) + frame(
            RST_STREAM, 0, stream, struct.pack(">I", 8)
        )

    @staticmethod
    def window_games():
        """Many queries with a window of nothing, which opens by a byte and closes again."""
        streams = b"".join(
            frame(HEADERS, END_HEADERS, stream, grpc_head("RunQuery"))
            + frame(DATA, END_STREAM, stream, grpc_message(big_query()))
            for stream in range(1, 40, 2)
        )
        sizes = b"".join(frame(SETTINGS, payload=setting(INITIAL_WINDOW_SIZE, size)) for size in (0, 1) * 200)
        return frame(SETTINGS, payload=setting(INITIAL_WINDOW_SIZE, 0)) + streams + sizes


class Giants(Attack):
    """Heads and bodies beyond every limit."""

    def round(self, number):
        address = self.chance.choice(list(self.addresses.values()))
        commit = f"/v1/{DATABASE}/documents:commit"
        giants = [
            head("GET", "/" + "a" * MEBIBYTE),
            head("GET", "/", "X-Giant: " + "a" * MEBIBYTE),
            head("GET", "/", *[f"X-{field}: y" for field in range(20_000)]),
            head("POST", commit, f"Content-Length: {1 << 40}") + bytes(MEBIBYTE),
            head("POST", commit, f"Content-Length: {20 * MEBIBYTE}") + bytes(20 * MEBIBYTE),
            head("POST", commit, "Transfer-Encoding: chunked") + (b"100000\r\n" + bytes(MEBIBYTE) + b"\r\n") * 16,
            head("POST", "/v0/b/x/o?name=giant", f"Content-Length: {1 << 40}") + bytes(4 * MEBIBYTE),
        ]
        with connect(address) as connection:
            with suppress(OSError):
                connection.sendall(giants[number % len(giants)])
            with suppress(OSError):
                connection.recv(4_096)


class GzipBombs(Attack):
    """Messages of gRPC that become a hundred MiB when they are decompressed."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.bomb = gzip.compress(bytes(100 * MEBIBYTE), 9)

    def round(self, number):
        with Http2Connection(self.addresses["firestore"]) as connection:
            connection.read(0.05)
            for stream in range(1, 17, 2):
                connection.open_stream(stream, grpc_head("Commit", ("grpc-encoding", "gzip")))
                data = grpc_message(self.bomb, is_compressed=True)
                while data and stream in connection.stream_windows:
                    sent = connection.send_data(stream, data)
                    data = data[sent:]
                    if not sent and not connection.read(0.5, lambda: connection.window > 0):
                        return
            connection.read(0.3)


class UnfinishedMessages(Attack):
    """Messages of nine MiB, on many streams and in many bodies of REST, whose last byte never comes."""

    pause_seconds = 3
    stream_count, body_count = 100, 20
    byte_count = 9 * MEBIBYTE

    def round(self, number):
        with ExitStack() as stack:
            connection = stack.enter_context(Http2Connection(self.addresses["firestore"]))
            connection.read(0.05)
            for index in range(self.stream_count):
                connection.open_stream(2 * index + 1, grpc_head("Commit"))
            self.fill(connection)
            for _ in range(self.body_count):
                body = stack.enter_context(connect(self.addresses["firestore"]))
                target = f"/v1/{DATABASE}/documents:commit"
                with suppress(OSError):
                    body.sendall(head("POST", target, f"Content-Length: {self.byte_count}"))
                    body.sendall(bytes(self.byte_count - 1))
            time.sleep(2)

    def fill(self, connection):
        """Sends as much as the server takes, on all streams in turn, for ten seconds at most."""
        prefix, piece = grpc_message(b"", claimed=self.byte_count), bytes(MEBIBYTE)
        left = {2 * index + 1: self.byte_count for index in range(self.stream_count)}
        for stream in left:
            if connection.send_data(stream, prefix) < len(prefix):
                return
        end = time.monotonic() + 10
        while time.monotonic() < end:
            sent = 0
            for stream in [stream for stream in left if left[stream] > 1 and stream in connection.stream_windows]:
                count = connection.send_data(stream, piece[: left[stream] - 1])
                left[stream] -= count
                sent += count
            if not sent and not connection.read(0.5, lambda: connection.window > 0):
                return
            if not sent and connection.window <= 0:
                return


class RefusedListens(Attack):
    """Listeners that must be refused, left open by the client, and given up on later."""

    pause_seconds = 0.25

    def round(self, number):
        connection = Http2Connection(self.addresses["firestore"])
        self.kept.append(connection.socket)
        connection.read(0.05)
        for index, message in enumerate(self.messages()):
            stream = 2 * index + 1
            connection.open_stream(stream, grpc_head("Listen"))
            if message is not None:
                connection.send_data(stream, message)
        connection.read(0.1)
        while len(self.kept) > 20:
            self.drop(self.kept[0])

    @staticmethod
    def messages():
        from google.cloud.firestore_v1 import types

        def listen(database=DATABASE, **target):
            return grpc_message(
                types.ListenRequest.serialize(types.ListenRequest(database=database, add_target=types.Target(**target)))
            )

        documents = types.Target.DocumentsTarget(documents=[f"{DATABASE}/documents/a/b"])
        return [
            None,
            grpc_message(b""),
            grpc_message(b"\xff\xff\xff"),
            grpc_message(b"", claimed=1_000),
            listen(database="nonsense", target_id=1, documents=documents),
            listen(target_id=-1, documents=documents),
            listen(target_id=1),
            listen(target_id=1, documents=documents) + listen("projects/other/databases/x", target_id=2),
        ]


class Garbage(Attack):
    """Random bytes, and connections that end as soon as they have begun."""

    pause_seconds = 0.2
    connection_count = 40

    def round(self, number):
        addresses = list(self.addresses.values())
        for index in range(self.connection_count):
            with connect(self.chance.choice(addresses)) as connection:
                if index % 4 == 0:
                    connection.send(self.chance.randbytes(self.chance.choice([1, 100, 10_000])))
                if index % 4 == 1:
                    connection.send(b"GET / HTTP/1.1\r\n")
                # Ended by a reset, so that no port waits for a minute.
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


ATTACKS = [SlowHeads, SlowReaders, Http2Floods, Giants, GzipBombs, UnfinishedMessages, RefusedListens, Garbage]

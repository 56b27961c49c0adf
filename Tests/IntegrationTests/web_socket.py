# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""A client of a WebSocket (RFC 6455) on a bare socket: frames as they are, nothing answered by itself."""

import base64
import hashlib
import os
import struct
from typing import NamedTuple

from raw_http import connected_socket

TEXT, BINARY, CLOSE, PING, PONG = 0x1, 0x2, 0x8, 0x9, 0xA
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
FINAL = 0x80
MASKED = 0x80
# Lengths that follow the first two bytes, by the length that stands there.
LONG_LENGTHS = {126: ">H", 127: ">Q"}


class Frame(NamedTuple):
    opcode: int
    payload: bytes
    is_final: bool = True


class WebSocket:
    """A connection that asks for a WebSocket; `status` says whether it became one."""

    def __init__(self, address, path, headers=(), receive_buffer=None):
        self.socket = connected_socket(address, receive_buffer)
        self.unread = b""
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
        if not any(header.startswith("Host:") for header in headers):
            lines.append(f"Host: {address}")
        self.socket.sendall("\r\n".join([*lines, f"Sec-WebSocket-Key: {key}", *headers, "", ""]).encode())
        status, *fields = self.head().split("\r\n")
        self.status = int(status.split()[1])
        self.headers = {name.lower(): value for name, value in (field.split(": ", 1) for field in fields)}
        digest = hashlib.sha1((key + GUID).encode()).digest()
        self.accepts = self.headers.get("sec-websocket-accept") == base64.b64encode(digest).decode()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def head(self):
        while b"\r\n\r\n" not in self.unread:
            self.receive()
        head, self.unread = self.unread.split(b"\r\n\r\n", 1)
        return head.decode()

    def text(self):
        """The next message, which must be a text in one frame."""
        frame = self.frame()
        assert (frame.opcode, frame.is_final) == (TEXT, True), frame
        return frame.payload.decode()

    def frame(self):
        """The next frame."""
        first, second = self.bytes(2)
        assert not second & MASKED, "a server masks nothing"
        length = second
        if length in LONG_LENGTHS:
            form = LONG_LENGTHS[length]
            (length,) = struct.unpack(form, self.bytes(struct.calcsize(form)))
        return Frame(first & 0x0F, self.bytes(length), bool(first & FINAL))

    def send(self, opcode, payload=b"", is_masked=True):
        """Sends a frame of at most 125 bytes."""
        mask = os.urandom(4) if is_masked else b"\0\0\0\0"
        head = bytes([FINAL | opcode, (MASKED if is_masked else 0) | len(payload)])
        masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))
        self.socket.sendall(head + (mask if is_masked else b"") + masked)

    def is_ended(self):
        """Whether the server closes the connection; it may send more before."""
        try:
            while self.socket.recv(1 << 20):
                pass
        except ConnectionError:
            pass
        return True

    def bytes(self, count):
        parts, missing = [], count
        while missing > 0:
            if not self.unread:
                self.receive()
            part, self.unread = self.unread[:missing], self.unread[missing:]
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)

    def receive(self):
        received = self.socket.recv(1 << 20)
        assert received, "the server has closed the connection"
        self.unread += received

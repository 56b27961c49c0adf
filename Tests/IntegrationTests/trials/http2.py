# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""HTTP/2 frames by hand, for requests that well-behaved clients do not send (RFC 9113)."""

import struct
import time

from raw_http import connected_socket

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM, ACK, END_HEADERS = 0x1, 0x1, 0x4
INITIAL_WINDOW_SIZE = 4
WINDOW_BYTE_COUNT = 65_535
FRAME_BYTE_COUNT = 16_384
FIRESTORE = "/google.firestore.v1.Firestore/"


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def setting(identifier, value):
    return struct.pack(">HI", identifier, value)


def window_update(stream, increment):
    return frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", increment))


def header_block(fields):
    """Header fields as literals that are in no table and not compressed (RFC 7541 §6.2.2); each part below 127 bytes."""
    return b"".join(b"\x00" + _string(name) + _string(value) for name, value in fields)


def _string(text):
    data = text.encode()
    if len(data) < 127:
        return bytes([len(data)]) + data
    length, rest = b"\x7f", len(data) - 127
    while rest > 127:
        length, rest = length + bytes([rest & 127 | 128]), rest >> 7
    return length + bytes([rest]) + data


def grpc_head(method, *extra):
    return header_block(
        [
            *[(":method", "POST"), (":scheme", "http"), (":path", FIRESTORE + method), (":authority", "emulator")],
            *[("content-type", "application/grpc"), ("te", "trailers"), *extra],
        ]
    )


def grpc_message(data, is_compressed=False, claimed=None):
    """A message with its prefix, which may claim another length."""
    return struct.pack(">BI", is_compressed, len(data) if claimed is None else claimed) + data


class Http2Connection:
    """A connection whose windows are kept, and nothing else; every wait is bounded."""

    def __init__(self, address, settings=b"", receive_buffer=None, timeout=2):
        self.socket = connected_socket(address, receive_buffer, timeout)
        self.window = WINDOW_BYTE_COUNT
        self.stream_windows = {}
        self.frames_by_kind = {}
        self.initial_window = WINDOW_BYTE_COUNT
        self._unread = b""
        try:
            self.send(PREFACE + frame(SETTINGS, payload=settings))
        except OSError:
            self.socket.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def open_stream(self, number, head, flags=END_HEADERS):
        self.stream_windows[number] = self.initial_window
        self.send(frame(HEADERS, flags, number, head))

    def send_data(self, number, data):
        """Sends as much of some data as the windows allow; returns how much."""
        count = max(0, min(len(data), self.window, self.stream_windows.get(number, 0)))
        for start in range(0, count, FRAME_BYTE_COUNT):
            self.send(frame(DATA, 0, number, data[start : min(count, start + FRAME_BYTE_COUNT)]))
        self.window -= count
        self.stream_windows[number] -= count
        return count

    def read(self, seconds, is_over=lambda: False):
        """Reads for some time, or until something is over; false once the server has ended the connection."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not is_over():
            self.socket.settimeout(left)
            try:
                data = self.socket.recv(1 << 18)
            except TimeoutError:
                break
            except OSError:
                return False
            finally:
                self.socket.settimeout(2)
            if not data:
                return False
            self._unread += data
            self._take_frames()
        return True

    def _take_frames(self):
        while len(self._unread) >= 9:
            length = int.from_bytes(self._unread[:3], "big")
            if len(self._unread) < 9 + length:
                return
            kind, flags, stream = struct.unpack(">BBI", self._unread[3:9])
            payload, self._unread = self._unread[9 : 9 + length], self._unread[9 + length :]
            self._take(kind, flags, stream, payload)

    def _take(self, kind, flags, stream, payload):
        self.frames_by_kind[kind] = self.frames_by_kind.get(kind, 0) + 1
        if kind == SETTINGS and not flags & ACK:
            for offset in range(0, len(payload), 6):
                identifier, value = struct.unpack_from(">HI", payload, offset)
                if identifier == INITIAL_WINDOW_SIZE:
                    change, self.initial_window = value - self.initial_window, value
                    self.stream_windows = {number: size + change for number, size in self.stream_windows.items()}
            self.send(frame(SETTINGS, ACK))
        elif kind == WINDOW_UPDATE:
            increment = struct.unpack(">I", payload)[0]
            if stream == 0:
                self.window += increment
            elif stream in self.stream_windows:
                self.stream_windows[stream] += increment
        elif kind == RST_STREAM:
            self.stream_windows.pop(stream, None)

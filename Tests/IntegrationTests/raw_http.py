# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""HTTP/1.1 on a bare socket, for what no well-behaved client sends."""

import socket


def split_address(address):
    """The host and the port of `host:port`, in which IPv6 is in brackets."""
    host, port = address.rsplit(":", 1)
    return host.strip("[]"), int(port)


def connected_socket(address, receive_buffer=None, timeout=20):
    """A socket connected to `host:port`, perhaps with a small buffer for what comes."""
    host, port = split_address(address)
    connected = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    if receive_buffer:
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connected.settimeout(timeout)
    try:
        connected.connect((host, port))
    except OSError:
        connected.close()
        raise
    return connected


class RawConnection:
    """A connection on which a test decides over every byte."""

    def __init__(self, address, receive_buffer=None, timeout=20):
        self.socket = connected_socket(address, receive_buffer, timeout)
        self._unread = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def request(self, method, target, headers=(), body=b""):
        lines = [f"{method} {target} HTTP/1.1", "Host: emulator", *headers]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        self.send("\r\n".join([*lines, "", ""]).encode() + body)

    def end_sending(self):
        self.socket.shutdown(socket.SHUT_WR)

    def head(self):
        """Reads a response's status and header fields; their names in lower case."""
        while b"\r\n\r\n" not in self._unread:
            self._receive()
        head, self._unread = self._unread.split(b"\r\n\r\n", 1)
        status, *lines = head.decode().split("\r\n")
        fields = dict(line.split(": ", 1) for line in lines)
        return int(status.split()[1]), {name.lower(): value for name, value in fields.items()}

    def body(self, byte_count):
        while len(self._unread) < byte_count:
            self._receive()
        body, self._unread = self._unread[:byte_count], self._unread[byte_count:]
        return body

    def response(self, has_body=True):
        """Reads a response of a known length: (status, fields, body)."""
        status, fields = self.head()
        return status, fields, self.body(int(fields.get("content-length", 0)) if has_body else 0)

    def until_end(self):
        """Reads until the server ends the connection, in whatever way."""
        data, self._unread = [self._unread], b""
        try:
            while piece := self.socket.recv(1 << 18):
                data.append(piece)
        except ConnectionResetError:
            pass
        return b"".join(data)

    def _receive(self):
        piece = self.socket.recv(1 << 18)
        if not piece:
            raise EOFError("the server ended the connection")
        self._unread += piece

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""A TCP relay that counts, on its own, the bytes of both directions: the witness against the meter."""

import array
import contextlib
import fcntl
import socket
import struct
import termios
import threading
import time

PIECE = 64 << 10


def reset(connection):
    """Ends a connection with a reset, which throws away what is unread and unsent."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def accepted(listener, target):
    """Each connection that a listener accepts, and one to the target for it, until the listener is shut down."""
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        yield client, socket.create_connection(target)


class CountingRelay:
    """Relays connections to a port of this machine; `to_server` and `to_client` are the bytes so far."""

    def __init__(self, target):
        host, port = target.rsplit(":", 1)
        self._target = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self._lock = threading.Lock()
        self._threads = []
        self.to_server = 0
        self.to_client = 0
        self.address = "127.0.0.1:%d" % self._listener.getsockname()[1]
        self._start(self._accept)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.finish()

    def finish(self):
        """Stops accepting and returns when every relayed connection has ended."""
        try:
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            return
        self._threads[0].join(20)
        self._listener.close()
        for thread in self._threads[1:]:
            thread.join(20)
            assert not thread.is_alive(), "a relayed connection does not end"

    def _start(self, target, *arguments):
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self):
        for client, server in accepted(self._listener, self._target):
            pair = _Pair(client, server)
            self._start(self._pump_to_server, pair)
            self._start(self._pump_to_client, pair)

    def _pump_to_server(self, pair):
        try:
            while data := pair.client.recv(PIECE):
                pair.server.sendall(data)
                with self._lock:
                    self.to_server += len(data)
            pair.server.shutdown(socket.SHUT_WR)
        except OSError:
            self._end_when_calm(pair)
        pair.leave()

    def _pump_to_client(self, pair):
        try:
            while data := pair.server.recv(PIECE):
                with self._lock:
                    self.to_client += len(data)
                try:
                    pair.client.sendall(data)
                except OSError:
                    self._break_off(pair)
                    break
            else:
                pair.client.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        pair.leave()

    def _end_when_calm(self, pair):
        """The client reset the connection: while the server sends, the other direction notices too, and breaks it off. Where it has
        nothing to send, it is told that no more comes, as by a client that closes."""
        calm = 0
        while calm < 25 and not pair.is_half_ended:
            calm = calm + 1 if _unread_byte_count(pair.server) == 0 else 0
            time.sleep(0.02)
        with contextlib.suppress(OSError):
            pair.server.shutdown(socket.SHUT_WR)

    def _break_off(self, pair):
        """The client is gone: counts what the kernel still received from the server, then resets the connection."""
        unread, calm = -1, 0
        # The server stalls on our full receive buffer; only then is nothing under way between the two kernels.
        while calm < 5:
            now = _unread_byte_count(pair.server)
            calm = calm + 1 if now == unread else 0
            unread = now
            time.sleep(0.02)
        with self._lock:
            self.to_client += unread
        pair.is_broken = True


class _Pair:
    """The two sockets of a relayed connection, closed when both directions have ended."""

    def __init__(self, client, server):
        self.client = client
        self.server = server
        self.is_broken = False
        self._open = 2
        self._lock = threading.Lock()

    @property
    def is_half_ended(self):
        return self._open < 2

    def leave(self):
        with self._lock:
            self._open -= 1
            if self._open:
                return
        if self.is_broken:
            reset(self.server)
        self.client.close()
        self.server.close()


def _unread_byte_count(connection):
    count = array.array("i", [0])
    fcntl.ioctl(connection, termios.FIONREAD, count)
    return count[0]

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""What passes on the loopback interface, as tshark sees it: a witness that asks neither us nor our sockets."""

import socket
import subprocess
import threading
from collections import defaultdict

from harness import wait_until

START_SECONDS = 30
FIELDS = ["tcp.stream", "tcp.srcport", "tcp.dstport", "tcp.seq", "tcp.len"]


class CaptureRefused(Exception):
    """This machine does not let us see packets."""


class PacketCapture:
    """Follows the TCP streams to some ports of this machine.

    `bytes_of(port)` are the bytes of their payload in both directions, each counted once however often it was sent.
    """

    def __init__(self, *addresses):
        ports = [int(address.rsplit(":", 1)[1]) for address in addresses]
        self._probe = socket.create_server(("127.0.0.1", 0))
        self._probe_port = self._probe.getsockname()[1]
        self._lock = threading.Lock()
        self._ends = defaultdict(int)
        self._probes_seen = set()
        seen = " or ".join(f"tcp port {port}" for port in [*ports, self._probe_port])
        # Heads are enough, and a large buffer loses none of them.
        capture = ["tshark", "-n", "-l", "-i", "lo", "-B", "128", "-s", "128", "-f", seen]
        shown = ["-o", "tcp.relative_sequence_numbers:TRUE", "-T", "fields"]
        fields = [option for field in FIELDS for option in ("-e", field)]
        self._process = subprocess.Popen(
            [*capture, *shown, *fields], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self._errors = []
        self._readers = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=lambda: self._errors.extend(self._process.stderr), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self):
        wait_until(self._sees_a_probe, "the first packet", START_SECONDS)
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait(timeout=START_SECONDS)
        for reader in self._readers:
            reader.join(START_SECONDS)
        self._probe.close()

    def catch_up(self):
        """Returns when all packets up to now have been seen."""
        probe = self._send_probe()
        wait_until(lambda: probe in self._probes_seen, "the last packet", START_SECONDS)

    @property
    def connection_count(self):
        """The connections on which payload was seen."""
        with self._lock:
            return len({stream for stream, _, _ in self._ends})

    def bytes_of(self, address):
        """The payload to and from a server: (received, sent)."""
        port = int(address.rsplit(":", 1)[1])
        with self._lock:
            ends = dict(self._ends)
        received = sum(end for (_, _, destination), end in ends.items() if destination == port)
        return received, sum(end for (_, source, _), end in ends.items() if source == port)

    def _sees_a_probe(self):
        if self._process.poll() is not None:
            raise CaptureRefused("".join(self._errors))
        self._send_probe()
        return self._probes_seen

    def _send_probe(self):
        """Connects from a port that it returns."""
        with socket.create_connection(("127.0.0.1", self._probe_port)) as probe:
            return probe.getsockname()[1]

    def _read(self):
        for line in self._process.stdout:
            stream, source, destination, sequence, length = map(int, line.split("\t"))
            with self._lock:
                if destination == self._probe_port:
                    self._probes_seen.add(source)
                elif length:
                    direction = (stream, source, destination)
                    # Payload begins behind the SYN, which takes the number 0.
                    self._ends[direction] = max(self._ends[direction], sequence - 1 + length)

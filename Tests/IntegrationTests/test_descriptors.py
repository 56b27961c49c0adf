# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Out of descriptors: connections wait without costing anything, and are served when others have ended."""

import os
import resource
import subprocess

import pytest
import requests

from harness import BUCKET, FREE_PORTS, limited, run_emulator, wait_until
from raw_http import RawConnection


def descriptor_count(emulator):
    return len(os.listdir(f"/proc/{emulator.process.pid}/fd"))


def waiting_count(address):
    """The connections to a port that the emulator has not accepted yet."""
    port = f":{int(address.rsplit(':', 1)[1]):04X}"
    with open("/proc/net/tcp") as table:
        rows = [line.split() for line in table]
    # Of a listening socket (0A), the queue to be read is of connections.
    return sum(int(row[4].split(":")[1], 16) for row in rows if row[1].endswith(port) and row[3] == "0A")


def cpu_seconds(emulator):
    with open(f"/proc/{emulator.process.pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("limit", [64, 256])
@pytest.mark.parametrize("port", ["storage", "firestore", "console"])
def test_connections_beyond_the_limit_wait_and_are_served_later(serve, port, limit):
    emulator = serve("--ephemeral", preexec=limited(resource.RLIMIT_NOFILE, limit))
    emulator.put("a", b"before")
    address = getattr(emulator, port)
    idle = descriptor_count(emulator)
    crowd = [RawConnection(address) for _ in range(limit)]
    try:
        wait_until(lambda: descriptor_count(emulator) >= limit - 1, "the descriptors to be used up")
        assert waiting_count(address) > 0
        before = cpu_seconds(emulator)
        with pytest.raises(subprocess.TimeoutExpired):
            emulator.process.wait(timeout=1)
        assert cpu_seconds(emulator) - before < 0.3
    finally:
        for connection in crowd:
            connection.__exit__()
    # Until the crowd is closed, a connection that is accepted leaves no descriptor for the object's file; those that waited
    # are accepted when others have gone.
    wait_until(lambda: waiting_count(address) == 0 and descriptor_count(emulator) <= idle + 4, "the crowd to be gone")
    assert emulator.get("a").content == b"before"
    emulator.put("b", b"after")
    assert emulator.get("b").content == b"after"
    assert requests.get(emulator.documents("c"), timeout=20).status_code == 200
    assert emulator.usage()["requests"] >= 4
    assert emulator.stop() == 0


def test_when_few_are_left_connections_take_one_each(serve):
    emulator = serve("--ephemeral", preexec=limited(resource.RLIMIT_NOFILE, 256))
    emulator.put("a", b"byte" * 1_000)
    mark = emulator.mark()
    # With two for each of them, as the meter takes otherwise, there would be room for some 110.
    crowd = [RawConnection(emulator.storage) for _ in range(140)]
    try:
        for connection in crowd:
            connection.request("GET", f"/v0/b/{BUCKET}/o/a?alt=media")
            assert connection.response()[2] == b"byte" * 1_000
    finally:
        for connection in crowd:
            connection.__exit__()
    assert emulator.usage_of(140, since=mark)["billed"]["egressBytes"] == 140 * 4_000
    assert emulator.stop() == 0


def test_a_limit_that_leaves_no_room_for_connections_is_refused_in_words():
    ended = run_emulator(*FREE_PORTS, "--ephemeral", preexec=limited(resource.RLIMIT_NOFILE, 32))
    assert ended.returncode == 69
    assert "32 files and connections" in ended.stderr and "ulimit -n" in ended.stderr

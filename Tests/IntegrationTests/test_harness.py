# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The harness asserts of every emulator that SIGTERM ends it within ten seconds, with exit code 0."""

from harness import BUCKET, Emulator
from raw_http import RawConnection
from relay import CountingRelay, reset


def test_an_emulator_that_does_not_end_by_a_signal_fails_its_test(monkeypatch):
    monkeypatch.setattr("harness.STOP_SECONDS", 0.5)
    emulator = Emulator("--ephemeral")
    emulator.put("big", bytes(32 << 20))
    with RawConnection(emulator.storage, receive_buffer=64 << 10) as download:
        # A download in flight is given time to finish.
        download.request("GET", f"/v0/b/{BUCKET}/o/big?alt=media")
        assert download.head()[0] == 200
        failure = emulator.failure_to_end()
    assert failure.startswith("SIGTERM did not end the emulator within 0.5 s")


def test_a_client_that_resets_an_idle_connection_does_not_hold_the_relay(serve):
    emulator = serve("--ephemeral")
    with CountingRelay(emulator.storage) as relay:
        connection = RawConnection(relay.address)
        connection.request("GET", f"/v0/b/{BUCKET}/o")
        assert connection.head()[0] == 200
        reset(connection.socket)
        relay.finish()


def test_an_emulator_that_ended_by_itself_fails_its_test():
    emulator = Emulator("--ephemeral")
    emulator.process.kill()
    emulator.process.wait()
    assert emulator.failure_to_end().startswith("the emulator ended with -9")

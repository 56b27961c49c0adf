# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Streams that are refused: each ends at once, while the client could still send, and none outlives its server."""

import queue
import signal

import grpc
import pytest
from google.cloud.firestore_v1.types import ListenRequest, Target, WriteRequest

from harness import DATABASE, DOCUMENTS

ANSWER_SECONDS = 15
STOP_SECONDS = 10
OWNER = [("authorization", "Bearer owner")]


def adding(target_id, database=DATABASE):
    query = Target.QueryTarget(parent=DOCUMENTS, structured_query={"from_": [{"collection_id": "cities"}]})
    target = Target(target_id=target_id, query=query)
    return ListenRequest.serialize(ListenRequest(database=database, add_target=target))


INVALID = grpc.StatusCode.INVALID_ARGUMENT
OTHER_DATABASE = "projects/demo/databases/other"


def opening(database=DATABASE, **options):
    return WriteRequest.serialize(WriteRequest(database=database, **options))


# By name: the method, the messages of which the last is refused, and the status.
REFUSED = {
    "empty": ("Listen", [b""], INVALID),
    "no-protobuf": ("Listen", [b"\xff\xff\xff"], grpc.StatusCode.INTERNAL),
    "a-bad-database": ("Listen", [adding(1, database="nonsense")], INVALID),
    "no-target": ("Listen", [ListenRequest.serialize(ListenRequest(database=DATABASE))], INVALID),
    "a-negative-id": ("Listen", [adding(-1)], INVALID),
    "an-id-after-assigned-ones": ("Listen", [adding(0), adding(5)], INVALID),
    "another-database": ("Listen", [adding(1), adding(2, database=OTHER_DATABASE)], INVALID),
    "empty-writes": ("Write", [b""], INVALID),
    "writes-at-first": ("Write", [opening(writes=[{"delete": f"{DOCUMENTS}/cities/rome"}])], INVALID),
    "writes-to-another-database": ("Write", [opening(), opening(database=OTHER_DATABASE)], INVALID),
}


class Call:
    """A stream of raw messages, whose client ends its side only when the call has ended."""

    def __init__(self, channel, method, messages):
        self.messages = queue.Queue()
        for message in messages:
            self.messages.put(message)
        stream = channel.stream_stream(f"/google.firestore.v1.Firestore/{method}")
        self.answers = stream(iter(self.messages.get, None), metadata=OWNER, timeout=ANSWER_SECONDS)

    def status(self):
        """The status with which the call ends."""
        try:
            for _ in self.answers:
                pass
        except grpc.RpcError:
            pass
        self.messages.put(None)
        return self.answers.code()

    def cancel(self):
        self.answers.cancel()
        self.messages.put(None)


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_stream_ends_at_once_and_does_not_hold_up_the_stop(serve, name, tmp_path):
    emulator = serve("--ephemeral", "--export-on-exit", tmp_path / "export")
    emulator.put("kept.bin", b"kept")
    method, messages, status = REFUSED[name]
    with grpc.insecure_channel(emulator.firestore) as channel:
        assert Call(channel, method, messages).status() == status
        expect_to_stop(emulator)
    files = [file for file in (tmp_path / "export").rglob("*") if file.is_file()]
    assert b"kept" in [file.read_bytes() for file in files]


@pytest.mark.parametrize("method", ["Listen", "Write"])
def test_a_client_that_leaves_before_its_first_message_does_not_hold_up_the_stop(serve, method):
    emulator = serve("--ephemeral")
    with grpc.insecure_channel(emulator.firestore) as channel:
        for _ in range(20):
            call = Call(channel, method, [])
            # The head of the first has come when the second is answered.
            assert Call(channel, method, [b""]).status() == INVALID
            call.cancel()
        expect_to_stop(emulator)


def test_hundreds_of_refused_streams_do_not_hold_up_the_stop(serve):
    emulator = serve("--ephemeral")
    names = list(REFUSED)
    with grpc.insecure_channel(emulator.firestore) as channel:
        for number in range(500):
            method, messages, status = REFUSED[names[number % len(names)]]
            assert Call(channel, method, messages).status() == status
        expect_to_stop(emulator)


def expect_to_stop(emulator):
    emulator.process.send_signal(signal.SIGTERM)
    assert emulator.process.wait(timeout=STOP_SECONDS) == 0

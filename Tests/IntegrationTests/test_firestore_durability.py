# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Law 5 over gRPC: kill -9 while clients commit; FIREMETER_CRASH_ROUNDS=200 for a long run."""

import os
import threading

import pytest
from google.api_core.exceptions import GoogleAPICallError
from google.cloud.firestore_v1.base_query import FieldFilter

from firestore_clients import client_of
from harness import wait_until

ROUNDS = int(os.environ.get("FIREMETER_CRASH_ROUNDS", "6"))
WORKERS = 4
KINDS = 5
PROJECT = "demo-crash"


def commits(client, round_number, worker, acknowledged):
    """Commits of three documents each: a pair of new ones, and one that every commit of the worker writes."""
    entries = client.collection("entries")
    for step in range(100_000):
        name = f"{round_number:03}-{worker}-{step:05}"
        data = {"round": round_number, "kind": step % KINDS, "step": step}
        batch = client.batch()
        batch.set(entries.document(f"{name}-a"), data)
        batch.set(entries.document(f"{name}-b"), data)
        batch.set(client.document(f"latest/{worker}"), {"name": name, "step": step})
        try:
            batch.commit(retry=None, timeout=10)
        except GoogleAPICallError:
            return
        acknowledged[worker] = step


def commit_until_killed(emulator, round_number):
    """Returns the last step that each worker knows to be committed."""
    clients = [client_of(emulator.firestore, PROJECT, own_connection=True) for _ in range(WORKERS)]
    acknowledged = {}
    threads = [
        threading.Thread(target=commits, args=(client, round_number, worker, acknowledged))
        for worker, client in enumerate(clients)
    ]
    enough = 10 + 13 * round_number % 60
    for thread in threads:
        thread.start()
    try:
        wait_until(lambda: sum(acknowledged.values()) >= enough, "commits are acknowledged", seconds=30)
    finally:
        emulator.kill()
        for thread in threads:
            thread.join()
        for client in clients:
            client._firestore_api.transport.close()
    return acknowledged


def assert_holds(client, round_number, acknowledged):
    entries = client.collection("entries")
    of_round = entries.where(filter=FieldFilter("round", "==", round_number))
    found = {entry.id: entry.to_dict() for entry in of_round.stream()}
    for worker, last_step in acknowledged.items():
        steps = [data["step"] for name, data in found.items() if name.split("-")[1] == str(worker)]
        # One commit more may have been made whose answer was lost; each has both documents of its pair.
        assert sorted(steps) == sorted(2 * list(range(len(steps) // 2)))
        assert len(steps) // 2 - 1 in (last_step, last_step + 1)
        assert client.document(f"latest/{worker}").get().get("name") == f"{round_number:03}-{worker}-{max(steps):05}"
    for kind in range(KINDS):
        by_kind = of_round.where(filter=FieldFilter("kind", "==", kind))
        assert {entry.id for entry in by_kind.stream()} == {n for n, d in found.items() if d["kind"] == kind}
    return set(found)


@pytest.mark.timeout(60 + 2 * ROUNDS)
def test_acknowledged_commits_survive_kill_9(serve, tmp_path):
    names = set()
    for round_number in range(ROUNDS):
        emulator = serve("--data", tmp_path / "data")
        acknowledged = commit_until_killed(emulator, round_number)
        emulator = serve("--data", tmp_path / "data")
        client = client_of(emulator.firestore, PROJECT, own_connection=True)
        names |= assert_holds(client, round_number, acknowledged)
        emulator.kill()
        client._firestore_api.transport.close()
    client = client_of(serve("--data", tmp_path / "data").firestore, PROJECT, own_connection=True)
    entries = client.collection("entries")
    assert {entry.id for entry in entries.stream()} == names
    assert {entry.id for entry in entries.order_by("step").order_by("round").stream()} == names
    assert entries.count().get()[0][0].value == len(names)
    client._firestore_api.transport.close()

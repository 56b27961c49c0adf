# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Kills under mixed load: each acknowledged change is there after the restart, and nothing is half-done."""

import random
import statistics
import threading
import time
from dataclasses import dataclass, field

from firestore_clients import client_of
from harness import Emulator

from . import directory_watch
from .calls import Caller, Gone
from .contents import KINDS, DigestMemory
from .directory_watch import DirectoryWatch
from .expectations import Expectations
from .exports import broken_parts_of, leftovers_in
from .found import found_documents, found_objects
from .mixed_load import MixedLoad
from .storage_workers import BUCKET

PROJECT = "demo"
LOAD_SECONDS = (0.02, 0.2)
# How long before and after a rename a kill comes.
RENAME_SECONDS = 0.002
RENAMES_SKIPPED_MAX = 12
WAIT_SECONDS = 10


@dataclass
class KillCounts:
    """Findings of a trial so far."""

    kills: dict = field(default_factory=dict)
    acknowledged: int = 0
    # Changes without an answer that were made all the same.
    made_unanswered: int = 0
    lost: list = field(default_factory=list)
    half_done: list = field(default_factory=list)
    failures: list = field(default_factory=list)
    restart_milliseconds: list = field(default_factory=list)

    @property
    def holds(self):
        return not (self.lost or self.half_done or self.failures)

    def __str__(self):
        kills = ", ".join(f"{count} {kind}" for kind, count in self.kills.items())
        restarts = statistics.median(self.restart_milliseconds) if self.restart_milliseconds else 0
        return (
            f"kills: {kills}; acknowledged {self.acknowledged:,}, made without an answer {self.made_unanswered:,}, "
            f"lost {len(self.lost)}, half-done {len(self.half_done)}, other failures {len(self.failures)}; "
            f"ready again after {restarts:.0f} ms (median)"
        )


class KillTrial:
    """Rounds of: start, compare with the acknowledged changes, load, kill."""

    def __init__(self, folder, seed=1):
        self.counts = KillCounts()
        self._data, self._exports = folder / "data", folder / "exports"
        self._exports.mkdir(parents=True)
        self._chance = random.Random(seed)
        self._expectations = Expectations()
        self._digests = DigestMemory()
        self._round = 0
        self._export_seconds = 0.1

    def kill_at_any_moment(self):
        self._kill_under_load("at any moment", lambda emulator: time.sleep(self._chance.uniform(*LOAD_SECONDS)))

    def kill_around_a_commit(self):
        """Kills around the instant at which an upload gets its name among the stored objects."""
        self._kill_under_load("around a commit's rename", self._wait_for_commit)

    def kill_around_an_export(self):
        """Kills around the instant at which an export takes the place of the one before."""
        self._kill_under_load("around an export's rename", self._wait_for_export)
        self._note_half_done(broken_parts_of(self._exports))

    def finish(self):
        """Compares everything once more, each byte of it, and stops the emulator by SIGTERM."""
        emulator = self._start()
        try:
            self._compare(emulator, is_whole=True)
            emulator.expect_honest_meter()
        finally:
            emulator.close()
        return self.counts

    def _start(self):
        emulator = Emulator("--data", self._data, "--export-below", self._exports)
        self.counts.restart_milliseconds.append(emulator.ready["startupMilliseconds"])
        return emulator

    def _kill_under_load(self, kind, wait):
        self._round += 1
        emulator = self._start()
        client = client_of(emulator.firestore, PROJECT, own_connection=True)
        try:
            self._compare(emulator)
            load = MixedLoad(emulator, client, self._expectations, seed=self._round)
            try:
                wait(emulator)
            finally:
                emulator.kill()
                load.join()
            self.counts.failures += load.failures
            self.counts.kills[kind] = self.counts.kills.get(kind, 0) + 1
        finally:
            emulator.close()
            client._firestore_api.transport.close()

    def _compare(self, emulator, is_whole=False):
        if self._round == 1:
            self._create_bucket(emulator)
        with Caller(emulator.storage) as storage, Caller(emulator.firestore) as firestore:
            objects, broken_objects = found_objects(storage, self._expectations, self._digests, is_whole)
            documents, broken_documents = found_documents(firestore, kind=self._round % KINDS)
        lost, half_done = self._expectations.settle({**objects, **documents})
        half_done += broken_objects + broken_documents
        self.counts.lost += [f"round {self._round}: {sentence}" for sentence in lost]
        self._note_half_done(half_done)
        self.counts.acknowledged = self._expectations.acknowledged
        self.counts.made_unanswered = self._expectations.made_unanswered

    def _note_half_done(self, sentences):
        self.counts.half_done += [f"round {self._round}: {sentence}" for sentence in sentences]

    def _create_bucket(self, emulator):
        # Soft deletion would fill the disk.
        settings = {"name": BUCKET, "softDeletePolicy": {"retentionDurationSeconds": "0"}}
        with Caller(emulator.storage) as caller:
            status, answer = caller.json("POST", "/storage/v1/b?project=demo", settings)
        assert status == 200, answer

    # Instants

    def _wait_for_commit(self, emulator):
        mask = directory_watch.MODIFY | directory_watch.MOVED_FROM
        is_after = self._chance.random() < 0.5
        awaited = directory_watch.MOVED_FROM if is_after else directory_watch.MODIFY
        skipped = self._chance.randrange(RENAMES_SKIPPED_MAX)
        with DirectoryWatch(self._data / "storage/uploads", mask) as watch:
            while skipped >= 0:
                events = watch.events(WAIT_SECONDS)
                assert events, "nothing is uploaded"
                skipped -= sum(bool(event & awaited) for event, _ in events)
        pause(self._chance.uniform(0, RENAME_SECONDS))

    def _wait_for_export(self, emulator):
        target = self._exports / "export"
        with Caller(emulator.console) as console:
            begin = time.monotonic()
            status, answer = console.json("POST", "/_admin/export", {"path": str(target)})
            self._export_seconds = time.monotonic() - begin
        assert status == 200, answer
        self._note_half_done(f"an export that ended left {name}" for name in leftovers_in(self._exports))
        is_after = self._chance.random() < 0.5
        exporting = threading.Thread(target=export_until_killed, args=(emulator.console, target), daemon=True)
        mask = directory_watch.CREATE | directory_watch.MOVED_FROM | directory_watch.MOVED_TO
        with DirectoryWatch(self._exports, mask) as watch:
            begin = time.monotonic()
            exporting.start()
            while is_after:
                events = watch.events(WAIT_SECONDS)
                assert events, "nothing is exported"
                if any(event & directory_watch.MOVED_TO for event, _ in events):
                    break
        if is_after:
            return pause(self._chance.uniform(0, RENAME_SECONDS))
        pause(begin + self._export_seconds * self._chance.uniform(0.5, 1) - time.monotonic())


def export_until_killed(address, target):
    with Caller(address) as caller:
        try:
            caller.json("POST", "/_admin/export", {"path": str(target)})
        except (Gone, ValueError):
            pass


def pause(seconds):
    """Waits more exactly than the scheduler."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if end - time.monotonic() > 0.001:
            time.sleep(0.0005)

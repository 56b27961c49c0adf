# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""A well-behaved client beside eight hostile ones: its waits, and the emulator's memory."""

import multiprocessing
import os
import statistics
import time
from dataclasses import dataclass, field
from types import SimpleNamespace

import requests

from harness import Emulator

from . import victims
from .attacks import ATTACKS
from .process_figures import KIBIBYTES_PER_MEBIBYTE, resident_kibibytes
from .steady_load import UserCalls

WAIT_RATIO_MAX = 3
MEMORY_MEBIBYTES_MAX = 256
GOOD_KINDS = ["get_document", "read_metadata", "download", "query", "query_over_grpc", "commit", "upload"]
GOOD_PAUSE_SECONDS = 0.02
MEMORY_SAMPLE_SECONDS = 0.5
# Hostile clients have machines of their own: here they leave the processor to the emulator and the good client.
ATTACK_NICENESS = 10
# Processes need this to start; attacks begin before the good client's waits are measured.
WARM_UP_SECONDS = 3


@dataclass
class HostileResult:
    """Findings of a trial."""

    # Milliseconds by the kind of call.
    quiet: dict = field(default_factory=dict)
    attacked: dict = field(default_factory=dict)
    failures: list = field(default_factory=list)
    rounds: dict = field(default_factory=dict)
    memory_mebibytes_max: float = 0
    meter_difference: int | None = None
    # Why SIGTERM did not end the emulator as it should; `None` where it did.
    end_failure: str | None = None

    @property
    def wait_ratio(self):
        return percentile(all_of(self.attacked), 99) / percentile(all_of(self.quiet), 99)

    def verdicts(self):
        """Sentences, and whether each holds."""
        ratio, memory = self.wait_ratio, self.memory_mebibytes_max
        return [
            (f"the good client's p99 is {ratio:.2f} times that of a quiet server", ratio <= WAIT_RATIO_MAX),
            (f"at most {memory:.0f} MiB resident", memory <= MEMORY_MEBIBYTES_MAX),
            (f"{len(self.failures)} calls of the good client failed", not self.failures),
            (f"meter and kernel differ by {self.meter_difference} bytes", self.meter_difference == 0),
            (self.end_failure or "SIGTERM ended it within 10 s, with exit 0", self.end_failure is None),
        ]

    @property
    def holds(self):
        return all(verdict for _, verdict in self.verdicts())

    def table(self):
        """Lines of the good client's waits, and of the attacks' rounds."""
        for kind in [*GOOD_KINDS, "all"]:
            pairs = [all_of(waits) if kind == "all" else waits.get(kind, []) for waits in (self.quiet, self.attacked)]
            shown = [f"p50 {percentile(waits, 50):7.2f} ms, p99 {percentile(waits, 99):7.2f} ms" for waits in pairs]
            yield f"{kind:<16} quiet: {shown[0]}   attacked: {shown[1]}   ({len(pairs[0])}, {len(pairs[1])} calls)"
        yield "rounds of attacks: " + ", ".join(f"{name} {count:,}" for name, count in self.rounds.items())


def all_of(waits):
    return [wait for of_kind in waits.values() for wait in of_kind]


def percentile(values, percent):
    if len(values) < 2:
        return values[0] if values else float("nan")
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def be_good(addresses, seconds, answers):
    """Makes one call after the other; puts (waits by kind, failures) into a queue."""
    user = UserCalls(SimpleNamespace(**addresses))
    waits, failures = {kind: [] for kind in GOOD_KINDS}, []
    end, number = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        kind = GOOD_KINDS[number % len(GOOD_KINDS)]
        number += 1
        begin = time.perf_counter()
        try:
            getattr(user, kind)()
            waits[kind].append(1_000 * (time.perf_counter() - begin))
        except Exception as error:  # noqa: BLE001 (reported by the trial)
            failures.append(f"{kind}: {type(error).__name__}: {error}")
        time.sleep(GOOD_PAUSE_SECONDS)
    user.close()
    answers.put((waits, failures))


def be_hostile(attack, addresses, seconds, rounds):
    os.nice(ATTACK_NICENESS)
    rounds.put((attack.__name__, attack(addresses).run(seconds)))


class HostileTrial:
    def __init__(self, attacks=tuple(ATTACKS)):
        self._attacks = attacks
        self._context = multiprocessing.get_context("spawn")
        self._answers, self._rounds = self._context.Queue(), self._context.Queue()

    def run(self, seconds, quiet_seconds, say=print):
        """Measures a quiet server, then one under attack; the emulator must end by SIGTERM afterwards."""
        result = HostileResult()
        emulator = Emulator("--ephemeral")
        try:
            addresses = {name: getattr(emulator, name) for name in ("firestore", "storage", "console")}
            self._fill(addresses)
            say(f"quiet for {quiet_seconds:.0f} s")
            result.quiet, failures = self._measure(addresses, quiet_seconds, emulator, result)
            result.failures += failures
            say(f"{len(self._attacks)} hostile clients for {seconds:.0f} s")
            hostile = [self._start(be_hostile, attack, addresses, seconds, self._rounds) for attack in self._attacks]
            try:
                time.sleep(min(WARM_UP_SECONDS, seconds / 4))
                measured = max(1, seconds - 2 * WARM_UP_SECONDS)
                result.attacked, failures = self._measure(addresses, measured, emulator, result)
                result.failures += failures
                result.rounds = dict(sorted(self._rounds.get(timeout=seconds + 60) for _ in hostile))
            finally:
                self._end(hostile)
            result.meter_difference = meter_difference(emulator)
        finally:
            result.end_failure = emulator.failure_to_end()
        return result

    def _start(self, work, *arguments):
        process = self._context.Process(target=work, args=arguments, daemon=True)
        process.start()
        return process

    @staticmethod
    def _end(processes):
        for process in processes:
            process.join(timeout=30)
            if process.is_alive():
                process.kill()

    @staticmethod
    def _fill(addresses):
        victims.fill(addresses)
        user = UserCalls(SimpleNamespace(**addresses))
        user.fill()
        user.close()

    def _measure(self, addresses, seconds, emulator, result):
        """The good client's waits; meanwhile the emulator's memory is watched."""
        good = self._start(be_good, addresses, seconds, self._answers)
        try:
            while good.is_alive() and self._answers.empty():
                assert emulator.process.poll() is None, f"the emulator ended: {emulator.errors()}"
                resident = resident_kibibytes(emulator.process.pid) / KIBIBYTES_PER_MEBIBYTE
                result.memory_mebibytes_max = max(result.memory_mebibytes_max, resident)
                time.sleep(MEMORY_SAMPLE_SECONDS)
            return self._answers.get(timeout=10)
        finally:
            self._end([good])


def meter_difference(emulator, settle_seconds=30):
    """Bytes by which the meter and the kernel differ, once broken connections have ended."""
    end = time.monotonic() + settle_seconds
    while True:
        answer = requests.get(f"http://{emulator.console}/usage/kernel", timeout=60)
        difference = answer.json()["difference"]
        if difference == 0 or time.monotonic() > end:
            return difference
        time.sleep(0.5)

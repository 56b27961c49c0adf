# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Moderate load for an hour: memory, descriptors and threads in time, and the meter beside the kernel at the end."""

import csv
import statistics
import time
from dataclasses import dataclass, field

import requests

from harness import Emulator

from .process_figures import KIBIBYTES_PER_MEBIBYTE, ProcessSample, sample
from .steady_load import SteadyLoad

REFERENCE_SECONDS = (540, 660)
MEMORY_GROWTH_MAX = 1.10
DESCRIPTOR_GROWTH_MAX = 8
# Connections to SQLite are opened when they are needed, and kept.
IDLE_DESCRIPTOR_GROWTH_MAX = 24
LAST_SECONDS = 60
SETTLE_SECONDS = 3


@dataclass
class SoakResult:
    """Findings of a soak; `None` where it was too short for a verdict."""

    samples: list = field(default_factory=list)
    calls: int = 0
    failures: list = field(default_factory=list)
    meter_difference: int | None = None
    idle_descriptors: tuple = ()
    # Why SIGTERM did not end the emulator as it should; `None` where it did.
    end_failure: str | None = None

    @property
    def memory_growth(self):
        """Resident memory in the last minute, divided by that in the tenth."""
        first, last = self._around(*REFERENCE_SECONDS), self._last
        if not first or self.samples[-1].seconds < 2 * REFERENCE_SECONDS[0]:
            return None
        return median_of(last, "resident_kibibytes") / median_of(first, "resident_kibibytes")

    @property
    def descriptor_growth(self):
        """Descriptors under load in the last minute more than in the tenth, or than in the first half of a short soak."""
        first = self._around(*REFERENCE_SECONDS) or self.samples[: len(self.samples) // 2]
        return round(median_of(self._last, "descriptors") - median_of(first, "descriptors"))

    @property
    def idle_descriptor_growth(self):
        """Descriptors after the load more than before it."""
        return self.idle_descriptors[1] - self.idle_descriptors[0]

    def verdicts(self):
        """Sentences, and whether each holds; `None` where that cannot be judged."""
        growth = self.memory_growth
        memory = "too short a soak" if growth is None else f"{growth:.3f} times that of the tenth minute"
        return [
            (f"{self.calls:,} calls, {len(self.failures)} failed", not self.failures),
            (f"meter and kernel differ by {self.meter_difference} bytes", self.meter_difference == 0),
            (f"memory at the end: {memory}", None if growth is None else growth <= MEMORY_GROWTH_MAX),
            (f"descriptors under load: {self.descriptor_growth:+}", self.descriptor_growth <= DESCRIPTOR_GROWTH_MAX),
            (
                f"descriptors when idle: {self.idle_descriptor_growth:+}",
                self.idle_descriptor_growth <= IDLE_DESCRIPTOR_GROWTH_MAX,
            ),
            (self.end_failure or "SIGTERM ended it within 10 s, with exit 0", self.end_failure is None),
        ]

    @property
    def holds(self):
        return all(verdict is not False for _, verdict in self.verdicts())

    def _around(self, start, end):
        return [sample for sample in self.samples if start <= sample.seconds <= end]

    @property
    def _last(self):
        end = self.samples[-1].seconds
        return self._around(max(end - LAST_SECONDS, end / 2), end)


def median_of(samples, name):
    return statistics.median(getattr(sample, name) for sample in samples)


def soak(folder, seconds, sample_seconds=10, samples_path=None, say=print):
    """Loads an emulator for some seconds; samples go to a file of CSV as they are taken."""
    result = SoakResult()
    emulator = Emulator("--data", folder / "data")
    try:
        process = emulator.process.pid
        idle = sample(process, 0).descriptors
        load = SteadyLoad(emulator)
        try:
            take_samples(process, result, seconds, sample_seconds, samples_path, say)
        finally:
            load.stop()
        time.sleep(SETTLE_SECONDS)
        result.idle_descriptors = (idle, sample(process, seconds).descriptors)
        result.calls, result.failures = sum(load.counts.values()), load.failures
        answer = requests.get(f"http://{emulator.console}/usage/kernel", timeout=60)
        result.meter_difference = answer.json()["difference"]
    finally:
        result.end_failure = emulator.failure_to_end()
    return result


def take_samples(process, result, seconds, sample_seconds, samples_path, say):
    begin = time.monotonic()
    with open(samples_path, "w", newline="", encoding="ascii") if samples_path else open("/dev/null", "w") as file:
        rows = csv.writer(file)
        rows.writerow(ProcessSample.names())
        while (now := time.monotonic() - begin) < seconds:
            latest = sample(process, now)
            result.samples.append(latest)
            rows.writerow(latest.values())
            file.flush()
            say(
                f"{now:6.0f} s: {latest.resident_kibibytes / KIBIBYTES_PER_MEBIBYTE:6.1f} MiB resident, "
                f"{latest.proportional_kibibytes / KIBIBYTES_PER_MEBIBYTE:6.1f} MiB of its own, "
                f"{latest.descriptors} descriptors, {latest.threads} threads"
            )
            time.sleep(max(0, begin + len(result.samples) * sample_seconds - time.monotonic()))

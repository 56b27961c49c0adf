# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Sample images with faults in them, read by Imaging in a program that ends at the first wrong access."""

import collections
import json
import os
import random
import shutil
import subprocess
import zlib

from harness import BINARIES
from trials.sample_images import samples

SAMPLE_BYTES_MAX = 100_000
BATCH = 100
# Under the sanitizer, not optimised, and beside other programs.
SECONDS_MAX = 20
BATCH_SECONDS_MAX = 900
EXTREMES = [0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
FORMATS = {"jpg": "jpeg", "jpe": "jpeg", "jfif": "jpeg", "heif": "heic", "hif": "heic", "apng": "png"}
# A leak is the system's libraries' affair; memory is bounded, so that a hostile size shows.
SANITIZER = "detect_leaks=0:abort_on_error=0:exitcode=99:allocator_may_return_null=1:hard_rss_limit_mb=8000"


class MutationTrial:
    def __init__(self, folder, seed, formats):
        self.folder = folder
        self.dice = random.Random(seed)
        self.bytes_by_format = collections.defaultdict(list)
        for _, path in samples():
            form = path.suffix.lower()[1:]
            form = FORMATS.get(form, form)
            if path.stat().st_size <= SAMPLE_BYTES_MAX and (not formats or form in formats):
                self.bytes_by_format[form].append(path.read_bytes())
        self.outcomes = collections.Counter()
        self.slowest = (0, "")
        self.failure = None
        self.count = 0

    def run(self, count, show):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        while self.count < count and self.failure is None:
            paths = [self._mutant(self.count + number) for number in range(min(BATCH, count - self.count))]
            self._read(paths)
            if self.count % 1000 < BATCH:
                show(f"{self.count} files, the slowest took {self.slowest[0]:.0f} ms")

    def _mutant(self, number):
        form = self.dice.choice(sorted(self.bytes_by_format))
        path = self.folder / f"{number}.{form}"
        path.write_bytes(mutated(self.dice, self.dice.choice(self.bytes_by_format[form]), self.bytes_by_format[form]))
        return path

    def _read(self, paths):
        names = "".join(f"{path}\n" for path in paths)
        environment = {**os.environ, "ASAN_OPTIONS": SANITIZER, "SWIFT_BACKTRACE": "enable=no"}
        try:
            result = subprocess.run(
                [str(BINARIES / "FeedTrial"), "images"],
                input=names,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=BATCH_SECONDS_MAX,
                env=environment,
            )
            output, ended = result.stdout, f"status {result.returncode}: {result.stderr[-4000:]}"
        except subprocess.TimeoutExpired as stopped:
            output, ended = (stopped.stdout or b"").decode(), f"no end within {BATCH_SECONDS_MAX} s"
        reports = [json.loads(line) for line in output.splitlines(keepends=True) if line.endswith("\n")]
        for path, report in zip(paths, reports):
            outcome = report["error"].split(":")[0].split(" file")[0] if "error" in report else "decoded"
            self.outcomes[path.suffix[1:], outcome.removeprefix("this ").split(" of ")[0]] += 1
            self.slowest = max(self.slowest, (report["milliseconds"], path.name))
            if report["milliseconds"] <= SECONDS_MAX * 1000:
                path.unlink()
        self.count += len(reports)
        if len(reports) < len(paths):
            self.failure = f"{paths[len(reports)]}: {ended}"

    def table(self):
        lines = []
        for form in sorted(self.bytes_by_format):
            found = collections.Counter({outcome: n for (f, outcome), n in self.outcomes.items() if f == form})
            lines.append(f"{form:5} {found.total():6}   decoded {found['decoded']}, refused {found.total() - found['decoded']}")
        return lines

    def verdicts(self):
        failed = f" at {self.failure}" if self.failure else ""
        return [
            (f"{self.count} mutated files were decoded or refused with a typed error{failed}", self.failure is None),
            (
                f"none takes longer than {SECONDS_MAX} s ({self.slowest[0] / 1000:.1f} s: {self.slowest[1]})",
                self.slowest[0] <= SECONDS_MAX * 1000,
            ),
        ]


def mutated(dice, data, others):
    """A copy with one to four faults."""
    data = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        dice.choice([flipped, flipped, cut, spliced, replaced, replaced, repeated])(dice, data, others)
    if data.startswith(PNG_SIGNATURE) and dice.random() < 0.8:
        mend_checksums(data)
    return bytes(data)


def mend_checksums(data):
    """Has a PNG's chunks pass their checks, so that faults come to what is behind them."""
    start = len(PNG_SIGNATURE)
    while start + 12 <= len(data):
        end = start + 8 + int.from_bytes(data[start : start + 4], "big")
        if end + 4 > len(data):
            return
        data[end : end + 4] = zlib.crc32(data[start + 4 : end]).to_bytes(4, "big")
        start = end + 4


def place(dice, data):
    """Headers are where most faults matter: half of the places are among the first bytes."""
    return dice.randrange(max(1, min(len(data), 600) if dice.random() < 0.5 else len(data)))


def flipped(dice, data, others):
    for _ in range(dice.choice([1, 1, 2, 8, 40])):
        if data:
            data[place(dice, data)] ^= 1 << dice.randrange(8)


def cut(dice, data, others):
    del data[place(dice, data) :]


def spliced(dice, data, others):
    other = dice.choice(others)
    start = place(dice, other)
    part = other[start : start + dice.choice([4, 16, 200, 5000])]
    at = place(dice, data)
    data[at : at + dice.choice([0, len(part)])] = part


def replaced(dice, data, others):
    size = dice.choice([1, 2, 4])
    at = place(dice, data)
    value = dice.choice(EXTREMES) & (1 << 8 * size) - 1
    data[at : at + size] = value.to_bytes(size, dice.choice(["big", "little"]))


def repeated(dice, data, others):
    at = place(dice, data)
    data[at:at] = data[at : at + dice.choice([1, 8, 64, 1000])] * dice.choice([1, 2, 20])

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Memory, descriptors and threads of a process, from /proc."""

import os
from dataclasses import astuple, dataclass, fields

KIBIBYTES_PER_MEBIBYTE = 1 << 10


@dataclass
class ProcessSample:
    """A process at a moment, in seconds since the trial began."""

    seconds: float
    resident_kibibytes: int
    proportional_kibibytes: int
    descriptors: int
    threads: int

    @classmethod
    def names(cls):
        return [field.name for field in fields(cls)]

    def values(self):
        return astuple(self)


def sample(pid, seconds):
    status = _numbers(f"/proc/{pid}/status")
    return ProcessSample(
        seconds=round(seconds, 1),
        resident_kibibytes=status["VmRSS"],
        proportional_kibibytes=_numbers(f"/proc/{pid}/smaps_rollup")["Pss"],
        descriptors=len(os.listdir(f"/proc/{pid}/fd")),
        threads=status["Threads"],
    )


def resident_kibibytes(pid):
    return _numbers(f"/proc/{pid}/status")["VmRSS"]


def _numbers(path):
    """The lines `Name: 12 kB` of a file."""
    found = {}
    with open(path, encoding="ascii", errors="replace") as lines:
        for line in lines:
            name, _, rest = line.partition(":")
            first = rest.split()[:1]
            if first and first[0].isdigit():
                found[name] = int(first[0])
    return found

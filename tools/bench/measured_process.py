# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0
"""The time and the memory of a whole process."""
import subprocess
import sys

# A small process of its own, since what a child's parent has at the fork counts as the child's.
MEASURE = """
import os, subprocess, sys, time
start = time.perf_counter()
process = subprocess.Popen(sys.argv[1:])
_, status, usage = os.wait4(process.pid, 0)
print(time.perf_counter() - start, usage.ru_maxrss, file=sys.stderr)
sys.exit(status != 0)
"""


def measure(command):
    """Runs a command, whose output is not shown; the seconds that it took, and the most memory that it had, in MiB."""
    measured = subprocess.run([sys.executable, "-c", MEASURE, *command], capture_output=True, text=True)
    if measured.returncode:
        sys.exit(f"{' '.join(map(str, command))}:\n{measured.stderr}")
    seconds, memory = measured.stderr.split()[-2:]
    return float(seconds), int(memory) / 1024

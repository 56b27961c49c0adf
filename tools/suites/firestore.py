# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Runs Google's system tests of its Python Firestore client and compares them with the lists of known failures."""

import argparse
import collections
import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import servers
from verdicts import KnownFailures, Outcomes, complaints

ROOT = servers.ROOT
PLUGINS = pathlib.Path(__file__).resolve().parent / "plugins"
TEST_SECONDS = 60
SUITE_SECONDS = 480
EX_UNAVAILABLE = 69

# The suites read these; those of the caller must not change what is measured.
FOREIGN_VARIABLES = ["SYSTEM_TESTS_DATABASE", "ENTERPRISE_DATABASE", "FIRESTORE_APPLICATION_CREDENTIALS"]


@dataclasses.dataclass(frozen=True)
class Suite:
    name: str
    environment: str
    file: str
    passed_min: int = 0
    plugins: tuple = ("outcomes",)


SUITES = [
    Suite("sync", ".venv-firestore", "test_system.py", passed_min=123),
    Suite("async", ".venv-firestore-async", "test_system_async.py", passed_min=97),
]
UNSKIPPED = [
    Suite("unskipped-sync", ".venv-firestore", "test_system.py", plugins=("outcomes", "unskipped")),
    Suite("unskipped-async", ".venv-firestore-async", "test_system_async.py", plugins=("outcomes", "unskipped")),
]


def options():
    parser = argparse.ArgumentParser(
        prog="tools/suites/firestore",
        description="Google's own Firestore suites against Firemeter (FIREMETER_BIN, .build/debug), freshly started.",
    )
    parser.add_argument("--source", type=pathlib.Path, help=argparse.SUPPRESS)
    server = parser.add_mutually_exclusive_group()
    server.add_argument("--official", action="store_true", help="against the official emulator, with its own lists")
    server.add_argument("--host", metavar="HOST:PORT", help="against a Firemeter that runs already")
    parser.add_argument(
        "--unskipped", action="store_true", help="also run what the suites skip where they know an emulator"
    )
    parser.add_argument(
        "-k", dest="expression", help="only tests that match, as pytest's -k; shows them and judges nothing"
    )
    return parser.parse_args()


def run(suite, address, source, expression):
    """Runs a suite and returns its outcomes, and pytest's own words as a file."""
    log = ROOT / ".suites" / f"{suite.name}.log"
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as outcomes, log.open("wb") as output:
        environment = {name: value for name, value in os.environ.items() if name not in FOREIGN_VARIABLES}
        environment |= {
            "FIRESTORE_EMULATOR_HOST": address,
            "GCLOUD_PROJECT": "demo-test",
            "OUTCOMES": outcomes.name,
            "PYTHONPATH": str(PLUGINS),
        }
        command = [ROOT / suite.environment / "bin/python", "-m", "pytest", f"tests/system/{suite.file}"]
        command += ["-q", "--no-header", "-p", "no:cacheprovider", "--timeout", str(TEST_SECONDS)]
        for plugin in suite.plugins:
            command += ["-p", plugin]
        if expression:
            command += ["-k", expression]
        try:
            subprocess.run(
                command, cwd=source, env=environment, stdout=output, stderr=subprocess.STDOUT, timeout=SUITE_SECONDS
            )
        except subprocess.TimeoutExpired:
            output.write(f"\nended after {SUITE_SECONDS} s\n".encode())
        return Outcomes(outcomes), log


def report(suite, address, arguments):
    """Runs and judges a suite; returns whether all is well."""
    start = time.monotonic()
    outcomes, log = run(suite, address, arguments.source, arguments.expression)
    print(f"{suite.name}: {outcomes}, {time.monotonic() - start:.0f} s; details in {log.relative_to(ROOT)}")
    if arguments.expression:
        for test in sorted(outcomes.failed):
            print(f"  failed: {test}: {outcomes.messages[test]}")
        return not outcomes.failed
    known = KnownFailures.read(f"official-{suite.name}" if arguments.official else suite.name)
    reasons = collections.Counter(known[test] for test in outcomes.failed & known.keys())
    for reason, count in reasons.most_common():
        print(f"  {count} known to fail: {reason}")
    found = list(complaints(outcomes, known, suite.passed_min))
    for complaint in found:
        print(f"  WRONG: {complaint}")
    return not found


def main():
    arguments = options()
    if arguments.official:
        server, name = servers.official(), "the official emulator"
    elif arguments.host:
        server, name = servers.elsewhere(arguments.host), "Firemeter"
    else:
        server, name = servers.firemeter(), "Firemeter"
    try:
        with server as address:
            print(f"{arguments.source.name} against {name} at {address}", flush=True)
            suites = SUITES + (UNSKIPPED if arguments.unskipped else [])
            verdicts = [report(suite, address, arguments) for suite in suites]
    except servers.ServerError as error:
        print(f"tools/suites/firestore: {error}", file=sys.stderr)
        sys.exit(EX_UNAVAILABLE)
    sys.exit(0 if all(verdicts) else 1)


if __name__ == "__main__":
    main()

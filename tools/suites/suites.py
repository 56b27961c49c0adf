# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Runs suites of Google's with pytest and compares what became of their tests with the lists of known failures."""

import argparse
import collections
import dataclasses
import os
import pathlib
import subprocess
import tempfile
import time

import servers
from verdicts import Outcomes, Reasons, complaints

ROOT = servers.ROOT
PLUGINS = pathlib.Path(__file__).resolve().parent / "plugins"
TEST_SECONDS = 60
EX_UNAVAILABLE = 69


@dataclasses.dataclass(frozen=True)
class Suite:
    """What pytest runs, in which virtual environment, and how many tests must pass."""

    name: str
    environment: str
    tests: str
    passed_min: int = 0
    plugins: tuple = ("outcomes",)
    options: tuple = ()
    time_max_seconds: int = 480


def parser(program, description):
    """The options that all scripts have."""
    parser = argparse.ArgumentParser(prog=program, description=description)
    parser.add_argument("--source", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument(
        "-k", dest="expression", help="only tests that match, as pytest's -k; shows them and judges nothing"
    )
    return parser


def run(suite, variables, source, expression):
    """Runs a suite and returns its outcomes, and pytest's own words as a file."""
    log = ROOT / ".suites" / f"{suite.name}.log"
    log.parent.mkdir(exist_ok=True)
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as outcomes, log.open("wb") as output:
        environment = variables | {"OUTCOMES": outcomes.name, "PYTHONPATH": str(PLUGINS)}
        try:
            subprocess.run(
                command(suite, expression),
                cwd=source,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=suite.time_max_seconds,
            )
        except subprocess.TimeoutExpired:
            output.write(f"\nended after {suite.time_max_seconds} s\n".encode())
        return Outcomes(outcomes), log


def command(suite, expression):
    command = [ROOT / suite.environment / "bin/python", "-m", "pytest", suite.tests]
    command += ["-q", "--no-header", "-p", "no:cacheprovider", "--timeout", str(TEST_SECONDS), *suite.options]
    for plugin in suite.plugins:
        command += ["-p", plugin]
    for test in Reasons.left_out(suite.name):
        command += ["--deselect" if "::" in test else "--ignore", test]
    if expression:
        command += ["-k", expression]
    return command


def report(suite, variables, source, expression=None, known=None):
    """Runs and judges a suite; returns whether all is well. `known` names another list of known failures."""
    start = time.monotonic()
    outcomes, log = run(suite, variables, source, expression)
    print(f"{suite.name}: {outcomes}, {time.monotonic() - start:.0f} s; details in {log.relative_to(ROOT)}")
    if expression:
        for test in sorted(outcomes.failed):
            print(f"  failed: {test}: {outcomes.messages[test]}")
        return not outcomes.failed
    known = Reasons.known_failures(known or suite.name)
    for test, reason in Reasons.left_out(suite.name).items():
        print(f"  left out: {test}: {reason}")
    reasons = collections.Counter(known[test] for test in outcomes.failed & known.keys())
    for reason, count in reasons.most_common():
        print(f"  {count} known to fail: {reason}")
    found = list(complaints(outcomes, known, suite.passed_min))
    for complaint in found:
        print(f"  WRONG: {complaint}")
    return not found


def environment_without(names):
    """The caller's variables, but for those which would change what is measured."""
    return {name: value for name, value in os.environ.items() if name not in names}

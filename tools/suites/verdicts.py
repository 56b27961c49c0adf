# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""What became of a suite's tests, and whether that is as the list of known failures says."""

import json
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent


class Reasons(dict):
    """Reasons by test. One test per line: its name, a tab, the reason; lines with # are for the reader."""

    @classmethod
    def known_failures(cls, suite):
        return cls.read(FOLDER / "known-failures" / f"{suite}.txt")

    @classmethod
    def left_out(cls, suite):
        """What is not run at all, as pytest names it: files, or tests with their file. Mostly nothing."""
        file = FOLDER / "left-out" / f"{suite}.txt"
        return cls.read(file) if file.exists() else cls()

    @classmethod
    def read(cls, file):
        reasons = cls()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            if not line.strip() or line.startswith("#"):
                continue
            test, tab, reason = line.partition("\t")
            if not tab or not reason.strip() or test in reasons:
                raise ValueError(f"{file}:{number}: wants a test that is not listed yet, a tab and a reason")
            reasons[test] = reason.strip()
        return reasons


class Outcomes:
    """The tests of one run by outcome. A test with a failed subtest has failed."""

    def __init__(self, lines):
        self.messages = {}
        self.failed_subtest_count = 0
        passed, skipped = set(), set()
        for outcome in map(json.loads, lines):
            test = outcome["test"]
            if outcome["outcome"] == "failed":
                self.messages.setdefault(test, outcome["message"])
                self.failed_subtest_count += outcome["subtest"]
            elif not outcome["subtest"]:
                (passed if outcome["outcome"] == "passed" else skipped).add(test)
        self.failed = set(self.messages)
        self.passed = passed - self.failed
        self.skipped = skipped - self.failed

    def __str__(self):
        counts = f"{len(self.passed)} passed, {len(self.failed)} failed, {len(self.skipped)} skipped"
        return counts + (f" ({self.failed_subtest_count} subtests failed)" if self.failed_subtest_count else "")


def complaints(outcomes, known, floor):
    """What is wrong with a whole run: an empty list where everything is as it should be."""
    for test in sorted(outcomes.failed - known.keys()):
        yield f"failed: {test}: {outcomes.messages[test]}"
    for test in sorted(known.keys() & outcomes.passed):
        yield f"passed: {test}: remove it from the list of known failures, which may only shrink"
    for test in sorted(known.keys() - outcomes.passed - outcomes.failed):
        yield f"did not run: {test}: remove it from the list of known failures"
    if len(outcomes.passed) < floor:
        yield f"{len(outcomes.passed)} tests passed; at least {floor} must"

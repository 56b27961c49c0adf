# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""A pytest plugin: writes what became of each test, as JSON lines, to the file that OUTCOMES names."""

import json
import os


def pytest_configure(config):
    # pytest-xdist: its workers report to the process that started them, which writes.
    if hasattr(config, "workerinput"):
        config.pluginmanager.unregister(name="outcomes")


def pytest_runtest_logreport(report):
    if report.when != "call" and report.outcome == "passed":
        return
    outcome = {
        "test": report.nodeid.split("::", 1)[-1],
        # SubtestReport is pytest 9's own, SubTestReport the one of pytest-subtests.
        "subtest": type(report).__name__.lower() == "subtestreport",
        "outcome": report.outcome,
        "message": message(report) if report.failed else "",
    }
    with open(os.environ["OUTCOMES"], "a", encoding="utf-8") as file:
        file.write(json.dumps(outcome) + "\n")


def message(report):
    """The first line of what went wrong."""
    crash = getattr(report.longrepr, "reprcrash", None)
    return (crash.message if crash else str(report.longrepr)).strip().partition("\n")[0]

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Runs Google's system tests of its Python Firestore client and compares them with the lists of known failures."""

import sys

import servers
import suites
from suites import Suite

FOREIGN_VARIABLES = ["SYSTEM_TESTS_DATABASE", "ENTERPRISE_DATABASE", "FIRESTORE_APPLICATION_CREDENTIALS"]

SYNC, ASYNC = "tests/system/test_system.py", "tests/system/test_system_async.py"
SUITES = [
    Suite("sync", ".venv-firestore", SYNC, passed_min=123),
    Suite("async", ".venv-firestore-async", ASYNC, passed_min=97),
]
UNSKIPPED = [
    Suite("unskipped-sync", ".venv-firestore", SYNC, plugins=("outcomes", "unskipped")),
    Suite("unskipped-async", ".venv-firestore-async", ASYNC, plugins=("outcomes", "unskipped")),
]


def options():
    parser = suites.parser(
        "tools/suites/firestore",
        "Google's own Firestore suites against Firemeter (FIREMETER_BIN, .build/debug), freshly started.",
    )
    server = parser.add_mutually_exclusive_group()
    server.add_argument("--official", action="store_true", help="against the official emulator, with its own lists")
    server.add_argument("--host", metavar="HOST:PORT", help="against a Firemeter that runs already")
    parser.add_argument(
        "--unskipped", action="store_true", help="also run what the suites skip where they know an emulator"
    )
    return parser.parse_args()


def report(suite, address, arguments):
    """Runs and judges a suite; returns whether all is well."""
    variables = suites.environment_without(FOREIGN_VARIABLES)
    variables |= {"FIRESTORE_EMULATOR_HOST": address, "GCLOUD_PROJECT": "demo-test"}
    known = f"official-{suite.name}" if arguments.official else suite.name
    return suites.report(suite, variables, arguments.source, arguments.expression, known)


def main():
    arguments = options()
    if arguments.official:
        server, name = servers.official(), "the official emulator"
    elif arguments.host:
        server, name = servers.elsewhere(arguments.host), "Firemeter"
    else:
        server, name = servers.firemeter("firestore"), "Firemeter"
    try:
        with server as address:
            print(f"{arguments.source.name} against {name} at {address}", flush=True)
            chosen = SUITES + (UNSKIPPED if arguments.unskipped else [])
            verdicts = [report(suite, address, arguments) for suite in chosen]
    except servers.ServerError as error:
        print(f"tools/suites/firestore: {error}", file=sys.stderr)
        sys.exit(suites.EX_UNAVAILABLE)
    sys.exit(0 if all(verdicts) else 1)


if __name__ == "__main__":
    main()

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Runs the integration tests of Google's Python Admin SDK that concern Authentication, against Firemeter, and compares
them with the lists of known failures.

The SDK is PyPI's. Its source distribution lacks these tests, which are in its repository:

    git clone https://github.com/firebase/firebase-admin-python      (Apache-2.0)
    tools/suites/auth --checkout firebase-admin-python
"""

import argparse
import io
import pathlib
import subprocess
import sys
import tarfile
import tempfile

import servers
import suites
from suites import Suite

# The release with the tests. Authentication's part of the SDK is the same in it and in the SDK of requirements-auth.txt.
REVISION = "v7.5.0"
ENVIRONMENT = ".venv-auth"
# A request to production fails: there is no proxy at this address.
CLOSED = "http://127.0.0.1:1"

FOREIGN_VARIABLES = [
    "FIREBASE_CONFIG",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_CLOUD_PROJECT",
    "HTTP_PROXY",
    "http_proxy",
]

PLUGINS = ("outcomes", "admin_sdk")
SUITES = [
    Suite("auth", ENVIRONMENT, "integration/test_auth.py", passed_min=47, plugins=PLUGINS),
    Suite("auth-tenants", ENVIRONMENT, "integration/test_tenant_mgt.py", passed_min=28, plugins=PLUGINS),
]


def options():
    parser = suites.parser("tools/suites/auth", __doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "--checkout", type=pathlib.Path, default=pathlib.Path("firebase-admin-python"), help="a clone of the repository"
    )
    parser.add_argument("--host", metavar="HOST:PORT", help="against a server that runs already")
    parser.add_argument("--project", metavar="ID", default="demo-test", help="the server's project (%(default)s)")
    return parser.parse_args()


def unpack(checkout, folder):
    """Puts the tests into a folder, without the checkout's SDK, which Python would prefer to PyPI's."""
    command = ["git", "-C", checkout, "archive", "--format=tar", REVISION, "integration"]
    archive = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")


def report(suite, address, arguments, source):
    """Runs and judges a suite; returns whether all is well."""
    variables = suites.environment_without(FOREIGN_VARIABLES)
    variables |= {"FIREBASE_AUTH_EMULATOR_HOST": address, "GCLOUD_PROJECT": arguments.project}
    variables |= {"HTTPS_PROXY": CLOSED, "https_proxy": CLOSED, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
    return suites.report(suite, variables, source, arguments.expression)


def main():
    arguments = options()
    if arguments.host:
        server = servers.elsewhere(arguments.host)
    else:
        server = servers.firemeter("auth", "--project", arguments.project)
    try:
        with tempfile.TemporaryDirectory(prefix="suites-") as source, server as address:
            unpack(arguments.checkout, source)
            print(f"the Admin SDK's tests of {REVISION} against the server at {address}", flush=True)
            verdicts = [report(suite, address, arguments, source) for suite in SUITES]
    except (servers.ServerError, subprocess.CalledProcessError) as error:
        print(f"tools/suites/auth: {error}", file=sys.stderr)
        sys.exit(suites.EX_UNAVAILABLE)
    sys.exit(0 if all(verdicts) else 1)


if __name__ == "__main__":
    main()

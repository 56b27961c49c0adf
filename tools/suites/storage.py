# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Runs Google's suites of its Python Cloud Storage client and compares them with the lists of known failures.

The system suite runs as against production: with a service account's key, which signs URLs, and with the real client's
own way to another endpoint. `--anonymous` also runs it with STORAGE_EMULATOR_HOST, which takes the client's credentials
away: tests that want a service account are skipped, and nothing can be signed.
"""

import contextlib
import pathlib
import sys
import tempfile
import urllib.error
import urllib.request

import servers
import suites
from suites import Suite

STUBS = pathlib.Path(__file__).resolve().parent / "stubs"
STAND_INS = pathlib.Path(__file__).resolve().parent / "stand_ins.py"
ENVIRONMENT = ".venv-storage"
PROJECT = "demo-test"
# The bucket of the system suite that is public in production; the suite reads any one object of it.
PUBLIC_BUCKET = "gcp-public-data-landsat"

FOREIGN_VARIABLES = [
    "API_ENDPOINT_OVERRIDE",
    "API_VERSION_OVERRIDE",
    "DISABLE_GCS_PYTHON_CLIENT_OTEL_BUCKET_METADATA",
    "DUAL_REGION_LOC_1",
    "DUAL_REGION_LOC_2",
    "ENABLE_GCP_TRACE_EXPORTER",
    "GOOGLE_API_USE_CLIENT_CERTIFICATE",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_CLOUD_TESTS_USER_PROJECT",
    "HTTP_PROXY",
    "PUBSUB_EMULATOR_HOST",
    "RUN_SYSTEM_TESTS_ON_PREPROD",
    "STORAGE_EMULATOR_HOST",
    "TEST_UNIVERSE_DOMAIN",
    "http_proxy",
]
# Google's libraries ask Google's servers about a service account, whatever endpoint they have. Nothing leaves this
# machine: there is no proxy at this address.
CLOSED = "http://127.0.0.1:1"

# The tests of one file share a bucket, and files in the working directory. Python 3.11 may fail to parse the source for
# pytest's own tracebacks, and ends the run then ("AST constructor recursion depth mismatch").
BY_FILE = ("--numprocesses", "2", "--dist", "loadfile", "--tb", "native")
# The client waits for about two seconds between two tries, so that both sides are idle most of the time.
BY_TEST = ("--numprocesses", "6", "--tb", "native")

SYSTEM = Suite(
    "storage-system", ENVIRONMENT, "tests/system", passed_min=183, plugins=("outcomes", "endpoint"), options=BY_FILE
)
CONFORMANCE = Suite(
    "storage-conformance",
    ENVIRONMENT,
    "tests/conformance/test_conformance.py",
    passed_min=565,
    options=BY_TEST,
    time_max_seconds=900,
)
ANONYMOUS = Suite("storage-anonymous", ENVIRONMENT, "tests/system", options=BY_FILE)


def options():
    parser = suites.parser(
        "tools/suites/storage",
        "Google's own Cloud Storage suites against Firemeter (FIREMETER_BIN, .build/debug), freshly started.",
    )
    parser.add_argument("--host", metavar="HOST:PORT", help="against a server that runs already")
    parser.add_argument("--anonymous", action="store_true", help="also run the system suite with STORAGE_EMULATOR_HOST")
    parser.add_argument("--only", choices=["system", "conformance", "anonymous"], help="only this suite")
    return parser.parse_args()


def chosen(arguments):
    if arguments.only:
        return [suite for suite in [SYSTEM, CONFORMANCE, ANONYMOUS] if suite.name == f"storage-{arguments.only}"]
    return [SYSTEM, CONFORMANCE] + ([ANONYMOUS] if arguments.anonymous else [])


def variables(suite, address, stand_ins):
    """What a suite finds in its environment."""
    own = {"GOOGLE_CLOUD_PROJECT": PROJECT, "GOOGLE_CLOUD_TESTS_USER_PROJECT": PROJECT}
    own |= {"HTTPS_PROXY": CLOSED, "https_proxy": CLOSED, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
    own["PUBSUB_EMULATOR_HOST"] = stand_ins["pubsub"]
    if suite is SYSTEM:
        own["GOOGLE_APPLICATION_CREDENTIALS"] = stand_ins["key"]
        own["SUITE_ENDPOINT"] = f"http://{address}"
    else:
        own["STORAGE_EMULATOR_HOST"] = f"http://{address}"
    environment = suites.environment_without(FOREIGN_VARIABLES)
    own["PATH"] = f"{STUBS}:{environment['PATH']}"
    return environment | own


@contextlib.contextmanager
def stand_ins():
    """Stand-ins for Google's other services; yields their addresses and a service account's key."""
    with tempfile.TemporaryDirectory(prefix="suites-") as folder:
        command = [suites.ROOT / ENVIRONMENT / "bin/python", STAND_INS, PROJECT, f"{folder}/key.json"]
        with servers.announcing(command) as announcement:
            yield announcement


def server(suite, host, others):
    """The server for a suite, freshly started unless one runs already.

    It knows the key that the system suite signs with, so that wrong signatures would be refused. The conformance suite's fixtures delete the objects of buckets whose retention policy they have locked, which only
    a server that takes no notice of retention lets them do, as Google's testbench.
    """
    if host:
        return servers.elsewhere(host)
    options = ["--ignore-retention"] if suite is CONFORMANCE else ["--signing-key", others["key"]]
    return servers.firemeter("storage", *options)


def run(suite, arguments, others):
    """Runs a suite; says whether all went as the list of known failures has it."""
    with server(suite, arguments.host, others) as address:
        print(f"{arguments.source.name} against the server at {address}", flush=True)
        prepare(address)
        environment = variables(suite, address, others)
        return suites.report(suite, environment, arguments.source, arguments.expression)


def prepare(address):
    """Makes what the system suite expects to be there already."""
    base = f"http://{address}"
    post(f"{base}/storage/v1/b?project={PROJECT}", "application/json", f'{{"name":"{PUBLIC_BUCKET}"}}'.encode())
    post(f"{base}/upload/storage/v1/b/{PUBLIC_BUCKET}/o?uploadType=media&name=scene.txt", "text/plain", b"scene\n")


def post(url, content_type, body):
    request = urllib.request.Request(url, data=body, headers={"Content-Type": content_type}, method="POST")
    # Whatever the environment says of proxies, the server is on this machine.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        opener.open(request, timeout=20).close()
    except urllib.error.HTTPError as error:
        if error.code != 409:
            print(f"tools/suites/storage: {url} answers {error.code}", file=sys.stderr)


def main():
    arguments = options()
    try:
        with stand_ins() as others:
            verdicts = [run(suite, arguments, others) for suite in chosen(arguments)]
    except servers.ServerError as error:
        print(f"tools/suites/storage: {error}", file=sys.stderr)
        sys.exit(suites.EX_UNAVAILABLE)
    sys.exit(0 if verdicts and all(verdicts) else 1)


if __name__ == "__main__":
    main()

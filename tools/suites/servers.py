# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Servers for the suites: ours, the official emulator, or one that runs already."""

import contextlib
import http.client
import json
import os
import pathlib
import select
import shutil
import socket
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
OFFICIAL_JAR = pathlib.Path("/usr/lib/google-cloud-sdk/platform/cloud-firestore-emulator/cloud-firestore-emulator.jar")
START_SECONDS = 60
STOP_SECONDS = 20


class ServerError(Exception):
    """A server is missing or did not get ready."""


@contextlib.contextmanager
def firemeter(service, *options):
    """Our own emulator on free ports, keeping nothing; yields the address of its `service`, firestore or storage."""
    with firemeter_services(*options) as addresses:
        yield addresses[service]


@contextlib.contextmanager
def firemeter_services(*options):
    """Our own emulator, likewise; yields the addresses of all its services by name."""
    binary = ROOT / os.environ.get("FIREMETER_BIN", ".build/debug") / "firemeter"
    if not binary.exists():
        raise ServerError(f"{binary} is missing: build it, or name its folder in FIREMETER_BIN")
    ports = ["--firestore-port", "0", "--storage-port", "0", "--console-port", "0"]
    with announcing([binary, "serve", "--ephemeral", *ports, *options, "--json"]) as announcement:
        yield announcement


@contextlib.contextmanager
def announcing(command):
    """A server that prints one line of JSON when it is ready; yields that."""
    with running(command, stdout=subprocess.PIPE) as process:
        readable, _, _ = select.select([process.stdout], [], [], START_SECONDS)
        line = process.stdout.readline() if readable else b""
        if not line:
            raise ServerError(f"{command[0]} did not get ready")
        yield json.loads(line)


@contextlib.contextmanager
def official(*options):
    """The official emulator, from Debian's google-cloud-cli-firestore-emulator; yields its address."""
    if not OFFICIAL_JAR.exists() or shutil.which("java") is None:
        raise ServerError("the official emulator is not installed (google-cloud-cli-firestore-emulator and a JVM)")
    port = free_port()
    main = "com.google.cloud.datastore.emulator.firestore.CloudFirestore"
    command = ["java", "-cp", OFFICIAL_JAR, main, "start", "--host=127.0.0.1", f"--port={port}", *options]
    with running(command, stdout=subprocess.DEVNULL) as process:
        wait_until_answered(f"127.0.0.1:{port}", process)
        yield f"127.0.0.1:{port}"


@contextlib.contextmanager
def elsewhere(address):
    """A server that somebody else has started."""
    wait_until_answered(address, statuses=range(100, 600))
    yield address


@contextlib.contextmanager
def running(command, stdout):
    process = subprocess.Popen(
        list(map(str, command)), stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.communicate(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def wait_until_answered(address, process=None, statuses=(200,)):
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and (process is None or process.poll() is None):
        connection = http.client.HTTPConnection(address, timeout=5)
        try:
            connection.request("GET", "/")
            if connection.getresponse().status in statuses:
                return
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)
        finally:
            connection.close()
    raise ServerError(f"nothing answers at {address}")

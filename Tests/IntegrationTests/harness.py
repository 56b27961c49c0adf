# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Runs the commands as a user would: whole processes, free ports, bounded waits."""

import contextlib
import json
import os
import resource
import select
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
import requests

ROOT = Path(__file__).resolve().parents[2]
BINARIES = ROOT / os.environ.get("FIREMETER_BIN", ".build/debug")
FIREMETER = str(BINARIES / "firemeter")
AUDIT = [FIREMETER, "audit"]

FREE_PORTS = ["--firestore-port", "0", "--storage-port", "0", "--console-port", "0"]
START_SECONDS = 40
# Docker sends SIGKILL ten seconds after SIGTERM.
STOP_SECONDS = 10
KILL_SECONDS = 30

BUCKET = "demo.appspot.com"
DATABASE = "projects/demo/databases/(default)"
DOCUMENTS = f"{DATABASE}/documents"

# What `GET /usage?by=` takes.
DIMENSIONS = [
    *["object", "feed", "user", "client", "operation", "query", "service", "bucket", "database", "collection"],
    *["variant", "cache", "status", "outcome", "tag"],
]


def called(name, folder):
    """Returns a link in a folder by which the program answers to another name."""
    link = folder / name
    link.symlink_to(FIREMETER)
    return link


def run_emulator(*arguments, preexec=None):
    """Runs an emulator that is expected to end by itself; `preexec` runs in its process first."""
    return _run("serve", *arguments, preexec=preexec)


def run_audit(*arguments, cwd=None, input="", environment={}):
    """Runs the auditor to its end; `environment` has variables besides those that there are."""
    return _run("audit", *arguments, cwd=cwd, input=input, environment=environment)


def _run(*arguments, cwd=None, preexec=None, input="", environment={}):
    return subprocess.run(
        [FIREMETER, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        cwd=cwd,
        input=input,
        env=os.environ | environment,
        preexec_fn=preexec,
    )


def wait_until(condition, what, seconds=15):
    """Polls until the condition is true and returns its value."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds} s in vain: {what}")
        time.sleep(0.02)


@contextlib.contextmanager
def small_disk(path, mebibytes):
    """A directory on a disk of its own, where this process may mount one; else the test is skipped."""
    path.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs", path]
    mounted = subprocess.run(command, capture_output=True, text=True)
    if mounted.returncode != 0:
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
    yield path
    subprocess.run(["umount", "--lazy", path], check=True)


def limited(kind, count):
    """For `preexec`: limits a resource of the process, without the right to raise it again."""
    return lambda: resource.setrlimit(kind, (count, count))


class Emulator:
    """A running `firemeter serve`; `firestore`, `storage`, `console` and `auth` are its addresses as host:port.

    `websocket` is that of the feed of requests, `None` without `--websocket-port`.
    """

    def __init__(self, *arguments, preexec=None):
        self._errors = tempfile.TemporaryFile()
        self._may_have_failed = False
        self.process = subprocess.Popen(
            [FIREMETER, "serve", *FREE_PORTS, "--json", *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=self._errors,
            stdin=subprocess.DEVNULL,
            preexec_fn=preexec,
        )
        try:
            self.ready_line = self._first_line()
            self.ready = json.loads(self.ready_line)
        except BaseException:
            self._discard()
            raise
        self.firestore = self.ready["firestore"]
        self.storage = self.ready["storage"]
        self.console = self.ready["console"]
        self.auth = self.ready["auth"]
        self.websocket = self.ready.get("websocket")

    def _first_line(self):
        readable, _, _ = select.select([self.process.stdout], [], [], START_SECONDS)
        line = self.process.stdout.readline() if readable else b""
        if not line:
            raise AssertionError(f"the emulator did not get ready: {self.errors()}")
        return line.decode()

    def errors(self):
        """What the emulator wrote to standard error so far."""
        self._errors.seek(0)
        return self._errors.read().decode()

    def rest_of_output(self):
        """What a stopped emulator wrote to standard output after its first line."""
        return self.process.stdout.read().decode()

    def stop(self, signal_number=signal.SIGTERM):
        """Asks the emulator to stop and returns its exit code; fails where that takes more than ten seconds."""
        self.process.send_signal(signal_number)
        try:
            return self.process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            name = signal.Signals(signal_number).name
            raise AssertionError(f"{name} did not end the emulator within {STOP_SECONDS} s: {self.errors()}") from None

    def kill(self):
        """Ends the emulator with kill -9."""
        self._may_have_failed = True
        self.process.kill()
        self.process.wait(timeout=KILL_SECONDS)

    def close(self):
        """Stops the emulator, however it is, and forgets its output.

        Fails where the emulator does not end within ten seconds, or ended with another code than 0, unless it was killed.
        """
        try:
            code = self.stop() if self.process.poll() is None else self.process.returncode
            assert code == 0 or self._may_have_failed, f"the emulator ended with {code}: {self.errors()}"
        finally:
            self._discard()

    def failure_to_end(self):
        """Closes; returns what is wrong with the emulator's end, `None` where nothing is."""
        try:
            self.close()
        except AssertionError as failure:
            return str(failure)
        return None

    def _discard(self):
        if self.process.poll() is None:
            self.kill()
        self.process.stdout.close()
        self._errors.close()

    # Usage

    def usage(self, by=None, since=None, **parameters):
        """`GET /usage`; a breakdown comes as {key: totals}."""
        parameters.update(by=by, since=since)
        response = requests.get(f"http://{self.console}/usage", params=parameters, timeout=20)
        assert response.status_code == 200, response.text
        answer = response.json()
        return {group["key"]: group for group in answer["groups"]} if by else answer

    def mark(self):
        """A mark of the present moment of the meter."""
        response = requests.post(f"http://{self.console}/usage/marks", timeout=20)
        assert response.status_code == 200, response.text
        return response.json()["mark"]

    def expect_honest_meter(self):
        """What is recorded of every connection that has ended is what the kernel counted on its socket."""
        if self.process.poll() is not None:
            return
        response = requests.get(f"http://{self.console}/usage/kernel", timeout=20)
        if response.status_code != 409:  # nothing is metered
            assert response.json()["difference"] == 0, response.text

    def usage_of(self, request_count, since=None):
        """The usage once this many requests are recorded: what was broken off is recorded when it is over."""
        wait_until(
            lambda: self.usage(since=since)["requests"] >= request_count, f"{request_count} requests on record"
        )
        return self.usage(since=since)

    # Everyday calls

    def object_url(self, name, bucket=BUCKET):
        return f"http://{self.storage}/v0/b/{bucket}/o/{requests.utils.quote(name, safe='')}"

    def put(self, name, data, content_type="application/octet-stream", bucket=BUCKET, **options):
        """Uploads an object and returns its metadata."""
        response = requests.post(
            f"http://{self.storage}/v0/b/{bucket}/o",
            params={"name": name},
            data=data,
            headers={"Content-Type": content_type, **options.pop("headers", {})},
            timeout=30,
            **options,
        )
        assert response.status_code == 200, response.text
        return response.json()

    def get(self, name, bucket=BUCKET, headers=None, **parameters):
        """Asks for the bytes of an object."""
        return requests.get(
            self.object_url(name, bucket), params={"alt": "media", **parameters}, headers=headers, timeout=30
        )

    def list(self, bucket=BUCKET, **parameters):
        """Lists a bucket."""
        return requests.get(f"http://{self.storage}/v0/b/{bucket}/o", params=parameters, timeout=30)

    def documents(self, path=""):
        """The URL of a document, a collection or (with a colon first) a call on the database."""
        separator = "" if path.startswith(":") or not path else "/"
        return f"http://{self.firestore}/v1/{DOCUMENTS}{separator}{path}"

    def firestore_call(self, verb, body):
        """Calls such as runQuery and commit."""
        return requests.post(self.documents(f":{verb}"), json=body, timeout=30)

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""A project of Firebase in a directory, and `firemeter start` and `firemeter exec` in it."""

import contextlib
import fcntl
import json
import os
import random
import select
import signal
import socket
import subprocess
import time

import requests

from harness import FIREMETER, KILL_SECONDS, START_SECONDS, STOP_SECONDS, wait_until
from raw_http import split_address

OWNER = {"Authorization": "Bearer owner"}
PROJECT = "demo-suite"
BUCKET = f"{PROJECT}.appspot.com"
READY = "All emulators ready! It is now safe to connect your app."
ALL_SERVICES = {"auth": {}, "firestore": {}, "storage": {}}
EXPORT_LIST = "firebase-export-metadata.json"

FIRESTORE_RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /open/{id} { allow read, write; }
  }
}
"""
STORAGE_RULES = """rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o {
    match /open/{id} { allow read, write; }
  }
}
"""


def unused_port():
    """A port on which nothing listens, outside of the range from which the kernel takes those for port 0."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def is_listening(address):
    """Whether a TCP address, `host:port`, accepts connections."""
    host, port = split_address(address)
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        return probe.connect_ex((host, port)) == 0


class Project:
    """A project's directory; the processes in it have directories of their own for temporary files and settings."""

    def __init__(self, directory, stack):
        self.directory = directory / "project"
        self.temporary = directory / "tmp"
        self.stack = stack
        home = directory / "home"
        for path in [self.directory, self.temporary, home]:
            path.mkdir()
        strange = ("FIREBASE_", "XDG_CONFIG")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(strange)}
        self.environment = inherited | {"TMPDIR": str(self.temporary), "HOME": str(home)}
        self.write(".firebaserc", {"projects": {"default": PROJECT}})
        self.configure(emulators=ALL_SERVICES)

    def write(self, name, content):
        """Writes a file of the project, of text or of JSON."""
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def configure(self, **sections):
        self.write("firebase.json", sections)

    @property
    def locator(self):
        return self.temporary / f"hub-{PROJECT}.json"

    def process(self, command, *arguments, cwd=None, environment={}, **options):
        """Starts a command of the emulator; its outputs are pipes, unless options say otherwise."""
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = subprocess.Popen(
            [FIREMETER, command, *map(str, arguments)],
            cwd=cwd or self.directory,
            env=self.environment | environment,
            **streams | options,
        )
        self.stack.callback(discard, process)
        return process

    def run(self, command, *arguments, cwd=None, environment={}, **options):
        """Runs a command of the emulator to its end."""
        return subprocess.run(
            [FIREMETER, command, *map(str, arguments)],
            cwd=cwd or self.directory,
            env=self.environment | environment,
            text=True,
            timeout=START_SECONDS,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "input": ""} | options,
        )

    def exec(self, *arguments, **options):
        """Runs `firemeter exec` on free ports to its end."""
        return self.run("exec", "--free-ports", *arguments, **options)

    def start(self, *arguments, ports=("--free-ports",), **options):
        """Starts `firemeter start`, and returns it when it is ready."""
        suite = Suite(self, [*ports, *arguments], **options)
        self.stack.callback(suite.close)
        return suite


def discard(process):
    """Ends a process, however it is, and closes its pipes."""
    if process.poll() is None:
        process.kill()
        process.wait(timeout=KILL_SECONDS)
    for stream in [process.stdin, process.stdout, process.stderr]:
        if stream is not None and not stream.closed:
            stream.close()


class Suite:
    """A running `firemeter start --json`; `ready` is the line by which it says where its services are."""

    def __init__(self, project, arguments, **options):
        self.error_path = project.temporary / f"errors-{time.monotonic_ns()}"
        with self.error_path.open("wb") as errors:
            self.process = project.process("start", "--json", *arguments, stderr=errors, **options)
        self.may_have_failed = False
        line = first_line(self.process)
        assert line, f"the emulator did not get ready: {self.errors()}"
        self.ready = json.loads(line)

    def __getattr__(self, name):
        if name == "ready" or name not in self.ready:
            raise AttributeError(name)
        return self.ready[name]

    @property
    def addresses(self):
        return [value for name, value in self.ready.items() if isinstance(value, str)]

    def errors(self):
        """The lines on standard error so far."""
        return self.error_path.read_text()

    def stop(self, signal_number=signal.SIGTERM):
        """Asks the emulator to stop, and returns its exit code."""
        self.process.send_signal(signal_number)
        return self.process.wait(timeout=STOP_SECONDS)

    def kill(self):
        """Ends the emulator with kill -9."""
        self.may_have_failed = True
        self.process.kill()
        self.process.wait(timeout=KILL_SECONDS)

    def close(self):
        """Stops the emulator if it runs; fails where it ended with another code than 0, unless it was killed."""
        code = self.stop() if self.process.poll() is None else self.process.returncode
        assert code == 0 or self.may_have_failed, f"the emulator ended with {code}: {self.errors()}"

    # Calls

    def document(self, path, headers={}, database="(default)", project=PROJECT, fields={}):
        """Writes a document; the response."""
        url = f"http://{self.firestore}/v1/projects/{project}/databases/{database}/documents/{path}"
        return requests.patch(url, json={"fields": fields}, headers=headers, timeout=20)

    def documents(self, collection, database="(default)"):
        """The fields of a collection's documents by their names."""
        url = f"http://{self.firestore}/v1/projects/{PROJECT}/databases/{database}/documents/{collection}"
        response = requests.get(url, headers=OWNER, timeout=20)
        assert response.status_code == 200, response.text
        return {document["name"]: document.get("fields", {}) for document in response.json().get("documents", [])}

    def put(self, name, data=b"x", headers={}, bucket=BUCKET):
        """Uploads an object; the response."""
        url = f"http://{self.storage}/v0/b/{bucket}/o"
        headers = {"Content-Type": "text/plain"} | headers
        return requests.post(url, params={"name": name}, data=data, headers=headers, timeout=20)

    def get(self, name, bucket=BUCKET):
        """The bytes of an object; `None` where there is none."""
        url = f"http://{self.storage}/v0/b/{bucket}/o/{requests.utils.quote(name, safe='')}"
        response = requests.get(url, params={"alt": "media"}, headers=OWNER, timeout=20)
        assert response.status_code in [200, 404], response.text
        return response.content if response.status_code == 200 else None

    def metadata(self, name, bucket=BUCKET):
        """The metadata of an object."""
        url = f"http://{self.storage}/v0/b/{bucket}/o/{requests.utils.quote(name, safe='')}"
        response = requests.get(url, headers=OWNER, timeout=20)
        assert response.status_code == 200, response.text
        return response.json()

    def ask_auth(self, path, body):
        """Calls Authentication as the project's owner; the answer."""
        url = f"http://{self.auth}/identitytoolkit.googleapis.com/v1/{path}"
        response = requests.post(url, json=body, headers=OWNER, timeout=20)
        assert response.status_code == 200, response.text
        return response.json()

    def sign_up(self, email, password="secret-1"):
        """Creates a user, and returns the id."""
        url = f"http://{self.auth}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any"
        response = requests.post(url, json={"email": email, "password": password}, timeout=20)
        assert response.status_code == 200, response.text
        return response.json()["localId"]

    def sign_in(self, email, password="secret-1"):
        """Signs a user in by password; the response."""
        url = f"http://{self.auth}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any"
        return requests.post(url, json={"email": email, "password": password}, timeout=20)

    def users(self):
        """The users by their ids."""
        users = self.ask_auth(f"projects/{PROJECT}/accounts:query", {}).get("userInfo", [])
        return {user["localId"]: user for user in users}

    def ask_hub(self, method, path, **options):
        return requests.request(method, f"http://{self.hub}{path}", timeout=20, **options)

    def export(self, path, headers={}, **members):
        """Asks the hub for an export; the response."""
        return self.ask_hub("POST", "/_admin/export", json={"path": str(path), **members}, headers=headers)


def first_line(process):
    """The first line of a process on standard output; empty where it ends or takes too long."""
    readable, _, _ = select.select([process.stdout], [], [], START_SECONDS)
    return process.stdout.readline().decode() if readable else ""


def wait_for_line(process, text):
    """Reads standard output up to a line that holds a text; all lines so far."""
    lines = ""
    deadline = time.monotonic() + START_SECONDS
    while text not in lines:
        left = deadline - time.monotonic()
        readable, _, _ = select.select([process.stdout], [], [], max(left, 0))
        piece = os.read(process.stdout.fileno(), 1 << 16).decode() if readable else ""
        assert piece, f"no {text!r} in {lines!r}"
        lines += piece
    return lines


def wait_for_silence(addresses):
    """Waits until nothing accepts connections any more."""
    wait_until(lambda: not any(map(is_listening, addresses)), "nothing listens", seconds=5)


@contextlib.contextmanager
def waiting_exports(directory):
    """Has exports into a directory wait, as another emulator that writes one there does."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)

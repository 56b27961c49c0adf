# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Runs every command of README and docs, in the order in which a reader meets them."""

import csv
import json
import os
import re
import shlex
import signal
import subprocess

import pytest

from harness import BINARIES, FIREMETER, KILL_SECONDS, ROOT, STOP_SECONDS
from recorded_apps import PythonApp
from test_audit_import import COLUMNS, downloads

# Run elsewhere: by CI as a whole, or as trials and benchmarks of their own.
LEFT_OUT = ("git clone", "tools/")
COMMANDS = ("firemeter ", "curl ", "seq ", ".build/ready/firemeter ")


def commands(text):
    """The lines of indented blocks that a reader would type, without their comments."""
    for line in re.findall(r"^    (\S.*)$", text, re.MULTILINE):
        line = re.sub(r"\s+# .*$", "", line)
        if line.startswith(COMMANDS):
            yield line
        else:
            words = line.split()
            assert line.startswith(LEFT_OUT) or words[0] not in {"cd", "export", "bash", "python3"}, line


def write_usage_log(path):
    """A usage log of Cloud Storage with the first downloads of the bundled session."""
    with open(path, "w") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(COLUMNS)
        for number, (user, now, name, size) in zip(range(100), downloads()):
            uri = f"/v0/b/b/o/{name.replace('/', '%2F')}?alt=media"
            row = [now, f"10.0.0.{user[1:]}", "GET", uri, 200, size, "App/1", f"r{number}", "GET_Object", "b", name]
            writer.writerow(row)


OPEN_RULES = {
    "firestore": "service cloud.firestore { match /databases/{d}/documents/{p=**} { allow read, write; } }",
    "firebase.storage": "service firebase.storage { match /b/{b}/o/{p=**} { allow read, write; } }",
}


def write_project(folder):
    """The files of a project of Firebase, those of the example in docs/emulator-suite.md, and what stands in for other programs."""
    text = (ROOT / "docs/emulator-suite.md").read_text()
    example = json.loads(re.search(r"^```json\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)[1])
    emulators = {name: {} for name in ["auth", "firestore", "storage"]}
    (folder / "firebase.json").write_text(json.dumps(example | {"emulators": emulators}))
    targets = {"demo-test": {"storage": {"images": ["demo-test.appspot.com"]}}}
    (folder / ".firebaserc").write_text(json.dumps({"projects": {"default": "demo-test"}, "targets": targets}))
    for service, rules in [("firestore", example["firestore"]), ("firebase.storage", example["storage"])]:
        for entry in rules:
            (folder / entry["rules"]).write_text(OPEN_RULES[service])
    (folder / "firestore.indexes.json").write_text('{"indexes": []}')
    (folder / "bin").mkdir()
    # The app's tests need the emulators; firebase-tools runs a script beside its functions.
    write_program(folder / "bin/npm", 'test -n "$FIRESTORE_EMULATOR_HOST" && test -n "$FIREBASE_AUTH_EMULATOR_HOST"')
    script = 'if [ "$1" = emulators:exec ]; then shift $(($# - 1)); exec sh -c "$1"; fi'
    write_program(folder / "bin/firebase", f'test "$2 $3" = "--only functions" || exit 1\n{script}')


def write_program(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def folder(tmp_path, request):
    """A directory as the documents assume it."""
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    write_usage_log(tmp_path / "usage_2026_11_20_00.csv")
    budget = re.search(r"^    (\{\"schema\".*?\}\})$", (ROOT / "docs/audit.md").read_text(), re.DOTALL | re.MULTILINE)
    # A bound on a former report needs one, which only docs/audit.md makes.
    has_former = request.node.callspec.params["document"] == "docs/audit.md"
    (tmp_path / "budget.json").write_text(budget[1] if has_former else budget[1].replace(', "<=1.05x former"', ""))
    write_project(tmp_path)
    return tmp_path


class Reader:
    """Types commands; an emulator that is started stays until the end, on ports of its own.

    One that records is used with an app, and stopped before its log is read.
    """

    def __init__(self, folder, serve):
        self.folder, self.serve, self.emulator, self.is_recording = folder, serve, None, False
        # Others on this machine have a hub of the project, too.
        variables = {"PATH": f"{folder / 'bin'}:{BINARIES}:{os.environ['PATH']}", "TMPDIR": str(folder)}
        self.environment = os.environ | variables
        self.started = None

    def start(self, command):
        """Starts `firemeter start`, as in a terminal in which another one ran before."""
        self.stop()
        self.started = subprocess.Popen(
            [FIREMETER, *shlex.split(command)[1:], "--free-ports", "--json"],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
        )
        self.addresses = json.loads(self.started.stdout.readline())

    def stop(self):
        """Ends `firemeter start`, if it runs, by Ctrl-C."""
        if self.started is None:
            return
        self.started.send_signal(signal.SIGINT)
        try:
            assert self.started.wait(STOP_SECONDS) == 0
        finally:
            self.started.kill()
            self.started.wait(KILL_SECONDS)
            self.started.stdout.close()
            self.started = None

    def type(self, command):
        if re.match(r"\S*firemeter start", command):
            self.start(command)
            return
        if re.match(r"\S*firemeter serve", command):
            arguments = command.split(" serve ")[1].split()
            self.emulator = self.serve(*[a if a.startswith("--") else self.folder / a for a in arguments])
            self.is_recording = "--record" in arguments
            if self.is_recording:
                app = PythonApp()
                app.put(self.emulator)
                app.play(self.emulator, loads_all=True)
            return
        if self.is_recording and command.startswith("firemeter audit"):
            assert self.emulator.stop() == 0
            self.is_recording = False
        if self.emulator:
            for port, address in [(4000, self.emulator.console), (9199, self.emulator.storage)]:
                command = command.replace(f"127.0.0.1:{port}", address)
        if self.started:
            for port, service in [(4000, "console"), (4400, "hub")]:
                command = command.replace(f"127.0.0.1:{port}", self.addresses[service])
        command = re.sub(r"^firemeter exec", "firemeter exec --free-ports", command)
        command = command.replace("curl -s", "curl -sfS")
        ended = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=110,
        )
        assert ended.returncode == 0, f"{command}\n{ended.stdout[-500:]}{ended.stderr}"


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    "document", ["README.md", "docs/emulator.md", "docs/emulator-suite.md", "docs/audit.md", "docs/your-app.md"]
)
def test_every_command_of_a_document_does_what_it_says(document, folder, serve):
    text = (ROOT / document).read_text()
    reader = Reader(folder, serve)
    typed = list(commands(text))
    assert len(typed) > 5
    try:
        for command in typed:
            reader.type(command)
    finally:
        reader.stop()


def test_readme_is_short():
    assert len((ROOT / "README.md").read_text().splitlines()) <= 140


def test_links_of_documents_lead_somewhere():
    documents = ["README.md", "CONTRIBUTING.md", "docs/*.md", "tools/*/README.md", "Sources/*/README.md"]
    for document in (path for pattern in documents for path in ROOT.glob(pattern)):
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text()):
            assert target.startswith("http") or (document.parent / target).exists(), f"{document}: {target}"


def sources(*suffixes):
    folders = [ROOT / "Sources", ROOT / "Tests"]
    files = (path for folder in folders for path in folder.rglob("*") if path.suffix in suffixes)
    return "\n".join(path.read_text() for path in files)


def test_every_file_type_and_test_that_the_page_of_seeds_names_is_there():
    swift, python = sources(".swift"), sources(".py")
    tests = set(re.findall(r"func `([^`]+)`", swift)) | set(re.findall(r"^def (test_\w+)", python, re.MULTILINE))
    declared = set(re.findall(r"\b(?:struct|class|enum|actor|protocol|typealias|func|case|let|var) (\w+)", swift))
    rows = 0
    for line in (ROOT / "docs/seeds.md").read_text().splitlines():
        row = re.fullmatch(r"\| (.+) \| (.+) \| (.+) \|", line)
        named = re.findall(r"`([^`]+)`", row[3] if row else "")
        if named:
            rows += 1
            assert set(named) <= tests, line
            line = row[2]
        for name in re.findall(r"`([^`]+)`", line):
            if re.fullmatch(r"[A-Za-z]\w+", name):
                assert name in declared, f"{line}: {name}"
            elif re.match(r"(Sources|Tests|tools|docs)/\S+$", name):
                assert (ROOT / name).exists(), f"{line}: {name}"
    assert rows > 30

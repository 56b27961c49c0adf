# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The GitHub Action: its file, and its step as a runner would call it, with a server on this machine in the place of GitHub's."""

import hashlib
import http.server
import io
import json
import os
import platform
import re
import subprocess
import sys
import tarfile
import threading

import pytest
import yaml

from harness import ROOT

VERSION = re.search(r'number = "(.+)"', (ROOT / "Sources/Basics/ProgramVersion.swift").read_text())[1]
NAME = f"firemeter-{VERSION}-linux-{platform.machine()}.tar.gz"
RELEASES = f"/o/firemeter/releases/download/v{VERSION}"
COMMENTS = "/repos/o/app/issues/7/comments"
MARK = "<!-- firemeter: session.log -->"
#: Writes the reports, and notes how it was called.
PROGRAM = """#!/bin/sh
echo "$*" >>"$RUNNER_TEMP/calls"
while [ $# -gt 0 ]; do
  if [ "$1" = --output ]; then echo "| strategy | ${2##*.} |" >"$2"; fi
  shift
done
exit ${CODE:-0}
"""


def archive():
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as tar:
        entry = tarfile.TarInfo(f"firemeter-{VERSION}/firemeter")
        entry.size = len(PROGRAM)
        tar.addfile(entry, io.BytesIO(PROGRAM.encode()))
    return data.getvalue()


class GitHub(http.server.BaseHTTPRequestHandler):
    def answer(self, status, data):
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        if self.path in self.server.files:
            return self.answer(200, self.server.files[self.path])
        page = int(re.search(r"[?&]page=(\d+)", self.path)[1]) if self.path.startswith(COMMENTS) else 0
        comments = self.server.comments[100 * (page - 1) : 100 * page]
        return self.answer(200 if page else 404, json.dumps(comments).encode())

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.calls.append((self.command, self.path, self.headers["Authorization"], body["body"]))
        self.answer(self.server.status, b"{}")

    do_PATCH = do_POST

    def log_message(self, *arguments):
        pass


@pytest.fixture
def github():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), GitHub)
    server.calls, server.comments, server.status = [], [], 201
    digest = hashlib.sha256(archive()).hexdigest()
    server.files = {f"{RELEASES}/{NAME}": archive(), f"{RELEASES}/SHA256SUMS": f"{digest}  {NAME}\n".encode()}
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def step(github, tmp_path):
    """Runs the action's step for inputs, as a runner does."""
    steps = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]
    (tmp_path / "event.json").write_text(json.dumps({"pull_request": {"number": 7}}))
    address = f"http://127.0.0.1:{github.server_port}"

    def run(code=0, **inputs):
        declared = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]
        values = {name: str(each.get("default", "")) for name, each in declared.items()}
        values |= {"log": "session.log", "token": "secret"} | {name.replace("_", "-"): value for name, value in inputs.items()}
        context = {f"inputs.{name}": value for name, value in values.items()}
        context |= {"github.action_repository": "o/firemeter", "github.action_path": str(ROOT)}
        environment = {name: context[re.fullmatch(r"\$\{\{ (\S+) \}\}", value)[1]] for name, value in steps[0]["env"].items()}
        environment |= {"GITHUB_SERVER_URL": address, "GITHUB_API_URL": address, "GITHUB_REPOSITORY": "o/app", "CODE": str(code)}
        environment |= {"GITHUB_EVENT_PATH": str(tmp_path / "event.json"), "RUNNER_TEMP": str(tmp_path)}
        environment |= {name: str(tmp_path / name) for name in ["GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"]}
        environment |= {"PATH": f"{os.path.dirname(sys.executable)}:/usr/bin:/bin"}
        command = ["bash", "-e", "-c", steps[0]["run"]]
        return subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=30)

    run.folder = tmp_path
    return run


def test_the_file_has_what_github_asks_for():
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert action["runs"]["using"] == "composite" and {"name", "description", "inputs", "outputs"} <= action.keys()
    assert all("${{" not in step["run"] for step in action["runs"]["steps"])
    used = {value[len("${{ inputs.") : -len(" }}")] for value in action["runs"]["steps"][0]["env"].values() if "inputs." in value}
    assert used == action["inputs"].keys()


def test_a_log_is_replayed_by_the_release_and_commented_on(step, github):
    ended = step(budget="budget.json", arguments="--mode simulate --network 'slow-4g'")
    assert ended.returncode == 0, ended.stderr
    (call,) = (step.folder / "calls").read_text().splitlines()
    files = [f"--output {step.folder}/firemeter/{name}" for name in ("comment.md", "junit.xml")]
    assert call == f"audit replay session.log --mode simulate --network slow-4g --budget budget.json {' '.join(files)}"
    assert github.calls == [("POST", COMMENTS, "Bearer secret", f"{MARK}\n| strategy | md |\n")]
    assert "exit-code=0\n" in (step.folder / "GITHUB_OUTPUT").read_text()
    assert "| strategy | md |" in (step.folder / "GITHUB_STEP_SUMMARY").read_text()


def test_an_earlier_comment_on_the_log_is_replaced(step, github):
    others = [{"id": number, "body": "Looks good"} for number in range(130)]
    github.comments = others + [{"id": 9, "body": f"{MARK}\nformer"}]
    assert step().returncode == 0
    assert [call[:2] for call in github.calls] == [("PATCH", "/repos/o/app/issues/comments/9")]


def test_a_broken_bound_fails_after_the_comment(step, github):
    assert step(code=99, budget="budget.json").returncode == 99
    assert len(github.calls) == 1 and "exit-code=99\n" in (step.folder / "GITHUB_OUTPUT").read_text()


def test_a_token_that_only_reads_is_a_warning(step, github):
    github.status = 403
    ended = step()
    assert ended.returncode == 0 and ended.stdout.startswith("::warning::Firemeter could not comment on the pull request: HTTP Error 403")


@pytest.mark.parametrize("event", ["{}", None])
def test_there_is_no_comment_without_a_pull_request(step, github, event):
    (step.folder / "event.json").unlink()
    if event:
        (step.folder / "event.json").write_text(event)
    assert (step().returncode, github.calls) == (0, [])


def test_no_comment_where_none_is_asked_for(step, github):
    assert (step(comment="false").returncode, github.calls) == (0, [])


def test_an_archive_that_is_not_the_released_one_is_not_run(step, github):
    github.files[f"{RELEASES}/SHA256SUMS"] = f"{'0' * 64}  {NAME}\n".encode()
    ended = step()
    assert ended.returncode == 1 and "not the file that SHA256SUMS names" in ended.stderr
    assert not (step.folder / "calls").exists()

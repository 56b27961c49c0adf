# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""How far imports and exports have come, and how they ended, on standard error: at a terminal and elsewhere."""

import os
import pty
import re
import signal

import pytest

from harness import STOP_SECONDS, wait_until
from suite import OWNER, wait_for_line, waiting_exports

ERASING = "\r\x1b[K"
IMPORTED = r"imported 1 user, 2 documents, 1 bucket, 1 object, 0\.0 MB from {path} in \d+ ms"
EXPORTED = r"exported 1 user, 2 documents, 1 bucket, 1 object, 0\.0 MB to {path} in \d+ ms"


@pytest.fixture
def saved(project):
    """An export of a user, two documents and an object."""
    suite = project.start("--export-on-exit", "saved")
    suite.sign_up("ann@example.com")
    for name in ["c/a", "c/b"]:
        assert suite.document(name, OWNER).status_code == 200
    assert suite.put("open/a").status_code == 200
    assert suite.stop() == 0
    return project.directory / "saved"


class Terminal:
    """A terminal that stands in the place of standard error."""

    def __init__(self):
        self.reader, self.device = pty.openpty()
        self.text = ""

    def read(self):
        """All that has been written so far."""
        os.set_blocking(self.reader, False)
        try:
            while piece := os.read(self.reader, 1 << 16):
                self.text += piece.decode().replace("\r\n", "\n")
        except (BlockingIOError, OSError):
            pass
        return self.text

    def close(self):
        os.close(self.reader)
        os.close(self.device)


@pytest.fixture
def terminal():
    terminal = Terminal()
    yield terminal
    terminal.close()


def shown(text):
    """The texts of the line that is rewritten."""
    return [piece for piece in text.split(ERASING)[1:] if piece and "\n" not in piece]


def assert_ends(lines, imported, exported):
    """Of imports and exports there is one line each."""
    found = [line for line in lines if line.startswith(("imported", "exported", "importing", "exporting"))]
    assert len(found) == 2, lines
    assert re.fullmatch(IMPORTED.format(path=imported), found[0]), lines
    assert re.fullmatch(EXPORTED.format(path=exported), found[1]), lines


def test_a_terminal_has_one_line_that_is_rewritten_and_then_replaced(project, saved, terminal):
    options = ["--free-ports", "--import", "saved", "--export-on-exit"]
    process = project.process("start", *options, stderr=terminal.device)
    wait_for_line(process, "  Hub ")
    with waiting_exports(project.directory):
        process.send_signal(signal.SIGTERM)
        # A line is rewritten four times a second.
        wait_until(lambda: terminal.read().count(f"{ERASING}exporting") > 2, "progress", seconds=STOP_SECONDS)
    assert process.wait(timeout=STOP_SECONDS) == 0
    text = terminal.read()
    texts = {piece for piece in shown(text) if not piece.startswith("today: ")}
    assert texts <= {"exporting", "exporting users: 1", "exporting documents: 2", "exporting objects: 1"}
    lines = [line.rpartition(ERASING)[2] for line in text.split("\n")]
    assert_ends(lines, "saved", "saved")


def test_elsewhere_the_ends_are_shown_alone(project, saved):
    ended = project.exec("--import", "saved", "--export-on-exit", "other", "exit 0")
    assert ended.returncode == 0, ended.stderr
    assert_ends(ended.stderr.splitlines(), "saved", "other")
    assert "\x1b" not in ended.stderr and "importing" not in ended.stderr


def test_elsewhere_work_that_lasts_has_a_line_each_ten_seconds(project, saved):
    errors = project.temporary / "errors"
    with errors.open("wb") as stream:
        process = project.process("start", "--free-ports", "--export-on-exit", "saved", stderr=stream)
        wait_for_line(process, "  Hub ")
        with waiting_exports(project.directory):
            process.send_signal(signal.SIGTERM)
            wait_until(lambda: "exporting\n" in errors.read_text(), "a line", seconds=15)
        assert process.wait(timeout=STOP_SECONDS) == 0
    assert errors.read_text().count("exporting\n") == 1


def test_json_shows_nothing_at_a_terminal_either(project, saved, terminal):
    options = ["--free-ports", "--json", "--import", "saved", "--export-on-exit"]
    process = project.process("start", *options, stderr=terminal.device)
    wait_for_line(process, "ready")
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=STOP_SECONDS) == 0
    assert ERASING not in terminal.read() and "ported" not in terminal.read()

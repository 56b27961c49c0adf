# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""A second signal ends everything at once, whatever there is yet to do; the export that was there stays whole."""

import contextlib
import json
import os
import pty
import signal
import sys
import time

import pytest

from harness import STOP_SECONDS, wait_until
from suite import EXPORT_LIST, is_listening, wait_for_line, wait_for_silence, waiting_exports

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]
# More than the time within which a second signal does not count.
PAUSE = 0.15
IGNORE_SIGNALS = """
import os, signal
for number in [signal.SIGINT, signal.SIGTERM]: signal.signal(number, signal.SIG_IGN)
print(os.environ["FIREBASE_EMULATOR_HUB"], os.getpid(), flush=True)
while True: signal.pause()
"""


def everything(directory):
    """The files of a directory."""
    return {path.relative_to(directory): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def is_running(process):
    """Whether there is a process of a number that has not ended."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture
def saved(project):
    """An export of one user."""
    suite = project.start("--export-on-exit", "saved")
    suite.sign_up("ann@example.com")
    assert suite.stop() == 0
    return project.directory / "saved"


def errors_of(project):
    path = project.temporary / f"errors-{time.monotonic_ns()}"
    return path, path.open("wb")


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_a_second_signal_gives_up_the_export_and_leaves_the_old_one_whole(project, saved, number):
    before = everything(saved)
    suite = project.start("--import", "saved", "--export-on-exit")
    suite.may_have_failed = True
    suite.sign_up("bob@example.com")
    with waiting_exports(project.directory):
        suite.process.send_signal(signal.SIGTERM)
        wait_for_silence(suite.addresses)
        time.sleep(PAUSE)
        assert suite.stop(number) == 128 + number
        assert everything(saved) == before
    assert f"a second {number.name} ends everything at once: the export to saved is given up" in suite.errors()
    assert "data that are not in it are lost" in suite.errors()
    # The next emulator is not hindered.
    again = project.start("--import", "saved", "--export-on-exit")
    assert len(again.users()) == 1
    assert again.stop() == 0
    names = sorted(path.name for path in project.directory.iterdir() if path.name.startswith((".saved", "saved")))
    assert names == ["saved"] and json.loads((saved / EXPORT_LIST).read_text())["auth"]
    assert not list(project.temporary.glob("firemeter-*"))


def test_the_first_signal_says_how_to_end_at_once_and_the_second_what_is_given_up(project):
    path, errors = errors_of(project)
    with errors:
        process = project.process("start", "--free-ports", "--data", "data", "--export-on-exit", "saved", stderr=errors)
    wait_for_line(process, "  Hub ")
    with waiting_exports(project.directory):
        process.send_signal(signal.SIGTERM)
        first = "SIGTERM: what is in flight is finished, then the export to saved; the signal once more"
        wait_until(lambda: first in path.read_text(), "the first line")
        time.sleep(PAUSE)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=STOP_SECONDS) == 128 + signal.SIGTERM
    assert path.read_text().endswith(
        "is given up unless it is in place; what is there is whole; the data stay in data\n"
    )


def test_two_signals_of_one_key_are_one(project):
    suite = project.start("--export-on-exit", "saved")
    with waiting_exports(project.directory):
        for _ in range(3):
            suite.process.send_signal(signal.SIGINT)
            time.sleep(0.02)
        wait_for_silence(suite.addresses)
    assert suite.process.wait(timeout=STOP_SECONDS) == 0
    assert (project.directory / "saved" / EXPORT_LIST).exists()


def test_a_second_signal_kills_the_command_and_exports_nothing(project):
    path, errors = errors_of(project)
    command = ["--", sys.executable, "-c", IGNORE_SIGNALS]
    with errors:
        process = project.process("exec", "--free-ports", "--export-on-exit", "saved", *command, stderr=errors)
    hub, script = wait_for_line(process, "\n").split()
    process.send_signal(signal.SIGINT)
    time.sleep(PAUSE)
    assert process.poll() is None and is_listening(hub)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=STOP_SECONDS) == 128 + signal.SIGINT
    wait_until(lambda: not is_running(script), "the command's end", seconds=5)
    wait_for_silence([hub])
    assert "at once: the command is killed; the export to saved is given up" in path.read_text()
    assert not (project.directory / "saved").exists() and not project.locator.exists()


def test_a_signal_during_an_import_is_not_forgotten(project, saved):
    seeds = project.directory / "seeds"
    seeds.mkdir()
    saved.rename(seeds / "saved")
    path, errors = errors_of(project)
    with waiting_exports(seeds):
        with errors:
            process = project.process("start", "--free-ports", "--import", "seeds/saved", stderr=errors)
        wait_until(lambda: list(project.temporary.glob("firemeter-*")), "the import to begin")
        time.sleep(PAUSE)
        process.send_signal(signal.SIGTERM)
        wait_until(lambda: "SIGTERM: what is in flight" in path.read_text(), "the signal to be heard")
    assert process.wait(timeout=STOP_SECONDS) == 0
    assert b"ready" not in process.stdout.read()


@pytest.mark.parametrize("count", [1, 2])
def test_standard_error_that_is_not_read_hinders_no_end(project, count):
    reader, writer = os.pipe()
    try:
        process = project.process("start", "--free-ports", stderr=writer)
        wait_for_line(process, "  Hub ")
        os.set_blocking(writer, False)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(writer, b"." * 4096)
        # Both ends of the pipe have one mode.
        os.set_blocking(writer, True)
        for _ in range(count):
            process.send_signal(signal.SIGTERM)
            time.sleep(PAUSE)
        assert process.wait(timeout=STOP_SECONDS) in [0, 128 + signal.SIGTERM]
    finally:
        os.close(reader)
        os.close(writer)


def test_ctrl_c_at_a_terminal_begins_a_line_of_its_own(project):
    reader, terminal = pty.openpty()
    try:
        process = project.process("start", "--free-ports", stderr=terminal)
        wait_for_line(process, "  Hub ")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=STOP_SECONDS) == 0
        text = os.read(reader, 1 << 16).decode()
        assert "\r\nSIGINT: what is in flight is finished; the signal once more ends everything at once\r\n" in text
    finally:
        os.close(reader)
        os.close(terminal)

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""`firemeter exec`: a command runs against a project's emulators, and ends them with its exit code."""

import fcntl
import json
import os
import pty
import signal
import sys
import termios
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness import STOP_SECONDS
from suite import PROJECT, READY, wait_for_line, wait_for_silence

# Hosts by the variables that lead to them; Google's own clients of Storage need the scheme.
HOSTS = {
    "FIRESTORE_EMULATOR_HOST": "firestore", "FIREBASE_FIRESTORE_EMULATOR_ADDRESS": "firestore",
    "FIREBASE_STORAGE_EMULATOR_HOST": "storage", "FIREBASE_AUTH_EMULATOR_HOST": "auth", "FIREBASE_EMULATOR_HUB": "hub",
}  # fmt: skip
PRINT_ENVIRONMENT = "import json, os; print(json.dumps(dict(os.environ)))"
# Creates a user by standard library alone, and prints the environment.
SIGN_UP = """
import json, os, urllib.request
url = f"http://{os.environ['FIREBASE_AUTH_EMULATOR_HOST']}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any"
body = json.dumps({"email": "ann@example.com", "password": "secret-1"}).encode()
urllib.request.urlopen(urllib.request.Request(url, body, {"Content-Type": "application/json"})).read()
print(json.dumps(dict(os.environ)), flush=True)
"""

PRINT_SERVICES = """
import os, urllib.request
print(urllib.request.urlopen("http://" + os.environ["FIREBASE_EMULATOR_HUB"] + "/emulators").read().decode())
"""
END_WITH_9 = """
import signal, sys
signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))
print("waiting", flush=True)
signal.pause()
"""
IGNORE_SIGTERM = f"""{SIGN_UP}
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("waiting", flush=True)
while True: signal.pause()
"""
END_WITH_7_ON_CTRL_C = f"""{SIGN_UP}
import signal
signal.signal(signal.SIGINT, lambda *_: os._exit(7))
signal.signal(signal.SIGTERM, lambda *_: None)
print("waiting", flush=True)
while True: signal.pause()
"""
# Ends with 7 if it is not asked to end again within a second.
TIDY_UP_ON_CTRL_C = """
import signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
signal.signal(signal.SIGINT, lambda *_: sys.exit(1 if signal.sigtimedwait([signal.SIGTERM], 1) else 7))
print("waiting", flush=True)
signal.pause()
"""
PRINT_SIGNALS = """
import signal
ignored = [int(number) for number in signal.valid_signals() if signal.getsignal(number) == signal.SIG_IGN]
print(ignored, signal.pthread_sigmask(0, []))
"""
PRINT_DESCRIPTORS = """
import os
places = [f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd")]
print(sorted(os.readlink(place) for place in places if os.path.lexists(place)))
"""


def python(code):
    """The words of a command that runs Python."""
    return ["--", sys.executable, "-c", code]


def all_of(project, lines):
    """Runs several lines of the shell at a time; how each ended."""
    with ThreadPoolExecutor() as pool:
        return list(pool.map(project.exec, lines))


def variables_of(output):
    return json.loads(output.splitlines()[0])


def exported_emails(directory):
    return [user["email"] for user in json.loads((directory / "auth_export" / "accounts.json").read_text())["users"]]


# Exit codes


def test_the_exit_code_is_that_of_the_command(project):
    codes = [0, 1, 42, 143, 255]
    for code, ended in zip(codes, all_of(project, [f"exit {code}" for code in codes])):
        assert (ended.returncode, ended.stdout) == (code, "")
        expected = f'Script "exit {code}" exited with code {code}' if code else "Script exited successfully (code 0)"
        assert expected in ended.stderr


def test_a_signal_that_ended_the_command_is_its_code(project):
    numbers = [int(number) for number in [signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP]]
    for number, ended in zip(numbers, all_of(project, [f"kill -{number} $$" for number in numbers])):
        assert ended.returncode == 128 + number
        assert f"was ended by signal {number}" in ended.stderr


def test_the_exit_code_is_known_where_a_parent_ignores_the_ends_of_commands(project):
    ignoring = {"preexec_fn": lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN)}
    assert project.exec("--", "sh", "-c", "exit 3", **ignoring).returncode == 3


def test_a_command_that_cannot_run_is_named(project):
    ended = project.exec("--", "no-such-command", "argument")
    assert (ended.returncode, ended.stdout) == (127, "")
    assert "cannot run no-such-command: No such file or directory" in ended.stderr


@pytest.mark.parametrize("arguments", [[], ["--"], ["--only", "auth"]], ids=" ".join)
def test_a_command_must_be_named(project, arguments):
    ended = project.exec(*arguments)
    assert (ended.returncode, ended.stdout) == (64, "")


def test_a_project_that_cannot_start_runs_nothing(project):
    project.write("firebase.json", "{")
    ended = project.exec("echo ran")
    assert (ended.returncode, ended.stdout) == (78, "")


# Words


def test_one_argument_is_a_line_for_the_shell(project):
    assert project.exec("echo one; echo $((1 + 1)) | cat").stdout == "one\n2\n"


def test_several_arguments_are_a_command(project):
    ended = project.exec("--", "printf", "%s|", "a b", "$HOME", "; exit 3", "--only")
    assert (ended.returncode, ended.stdout) == (0, "a b|$HOME|; exit 3|--only|")


def test_options_may_follow_the_line(project):
    # As developers write it with Firebase's own command.
    ended = project.exec("echo $GCLOUD_PROJECT", "--project", "demo-other", "--only", "auth")
    assert (ended.returncode, ended.stdout) == (0, "demo-other\n")


# Streams and environment


def test_standard_output_is_the_commands_alone(project):
    ended = project.exec("echo out; echo problem >&2")
    assert ended.stdout == "out\n"
    lines = ended.stderr.splitlines()
    assert lines.index(READY) < lines.index("problem") < lines.index("Script exited successfully (code 0)")


def test_standard_input_is_passed_on(project):
    assert project.exec("cat; echo end", input="first\nsecond\n").stdout == "first\nsecond\nend\n"


def test_the_environment_leads_to_the_emulators(project):
    ended = project.exec(*python(SIGN_UP), environment={"OWN": "kept", "GCLOUD_PROJECT": "replaced"})
    assert ended.returncode == 0, ended.stderr
    variables = variables_of(ended.stdout)
    addresses = {name: variables[name] for name in HOSTS}
    assert all(address.startswith("127.0.0.1:") for address in addresses.values())
    assert variables["STORAGE_EMULATOR_HOST"] == f"http://{variables['FIREBASE_STORAGE_EMULATOR_HOST']}"
    assert variables["GCLOUD_PROJECT"] == PROJECT
    assert json.loads(variables["FIREBASE_CONFIG"]) == {
        "projectId": PROJECT,
        "storageBucket": f"{PROJECT}.appspot.com",
        "databaseURL": f"https://{PROJECT}.firebaseio.com",
    }
    assert variables["OWN"] == "kept"
    assert len(set(addresses.values())) == 4


def test_a_configuration_that_is_set_stays(project):
    ended = project.exec(*python(PRINT_ENVIRONMENT), environment={"FIREBASE_CONFIG": "own.json"})
    assert variables_of(ended.stdout)["FIREBASE_CONFIG"] == "own.json"


def test_services_that_are_not_served_have_no_variables(project):
    variables = variables_of(project.exec("--only", "firestore", *python(PRINT_ENVIRONMENT)).stdout)
    assert {name for name in [*HOSTS, "STORAGE_EMULATOR_HOST"] if name in variables} == {
        name for name, service in HOSTS.items() if service in ["firestore", "hub"]
    }


@pytest.mark.parametrize("options", [[], ["--ui"]], ids=" ".join)
def test_the_console_is_served_on_demand(project, options):
    services = json.loads(project.exec(*options, *python(PRINT_SERVICES)).stdout)
    assert set(services) == {"auth", "firestore", "storage", "hub"} | ({"ui", "logging"} if options else set())


# The end


def test_nothing_listens_afterwards(project):
    variables = variables_of(project.exec("--ui", *python(PRINT_ENVIRONMENT)).stdout)
    wait_for_silence([variables[name] for name in HOSTS])
    assert not list(project.temporary.iterdir())


@pytest.mark.parametrize("code", [0, 3])
def test_the_data_are_exported_even_if_the_command_fails(project, code):
    exported = project.directory / "exported"
    ended = project.exec("--export-on-exit", exported, *python(f"{SIGN_UP}\nraise SystemExit({code})"))
    assert ended.returncode == code, ended.stderr
    assert exported_emails(exported) == ["ann@example.com"]


def test_an_export_that_fails_is_an_error(project):
    (project.directory / "other").mkdir()
    project.write("other/notes.txt", "not an export")
    ended = project.exec("--export-on-exit", "other", "exit 0")
    assert ended.returncode not in [0, 64]
    assert "is no earlier export" in ended.stderr
    assert (project.directory / "other/notes.txt").read_text() == "not an export"


def test_a_key_of_the_terminal_reaches_the_whole_group(project):
    process = project.process("exec", "--free-ports", *python(END_WITH_7_ON_CTRL_C), start_new_session=True)
    variables = variables_of(wait_for_line(process, "waiting"))
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=STOP_SECONDS) == 7
    wait_for_silence([variables[name] for name in HOSTS])


def test_ctrl_c_leaves_the_command_time_to_tidy_up(project):
    controller, terminal = pty.openpty()
    try:
        process = project.process(
            "exec", "--free-ports", *python(TIDY_UP_ON_CTRL_C), stdin=terminal, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        wait_for_line(process, "waiting")
        os.write(controller, b"\x03")
        assert process.wait(timeout=STOP_SECONDS) == 7
    finally:
        os.close(controller)
        os.close(terminal)


def test_a_signal_to_the_emulator_ends_the_command_and_exports(project):
    exported = project.directory / "exported"
    code = f"{SIGN_UP}\nimport signal\nsignal.pause()"
    process = project.process("exec", "--free-ports", "--export-on-exit", exported, *python(code))
    variables = variables_of(wait_for_line(process, "\n"))
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=STOP_SECONDS) == 128 + signal.SIGTERM
    assert exported_emails(exported) == ["ann@example.com"]
    wait_for_silence([variables[name] for name in HOSTS])


def test_a_command_that_ends_by_itself_upon_a_signal_has_its_own_code(project):
    process = project.process("exec", "--free-ports", *python(END_WITH_9))
    wait_for_line(process, "waiting")
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=STOP_SECONDS) == 9


def test_a_command_that_ignores_a_signal_is_killed(project):
    exported = project.directory / "exported"
    process = project.process("exec", "--free-ports", "--export-on-exit", exported, *python(IGNORE_SIGTERM))
    variables = variables_of(wait_for_line(process, "waiting"))
    asked = time.monotonic()
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=STOP_SECONDS) == 128 + signal.SIGKILL
    assert time.monotonic() - asked < STOP_SECONDS
    assert exported_emails(exported) == ["ann@example.com"]
    wait_for_silence([variables[name] for name in HOSTS])


def test_the_command_does_not_inherit_ignored_signals(project):
    # Python itself ignores SIGPIPE and SIGXFSZ.
    assert project.exec(*python(PRINT_SIGNALS)).stdout == f"{[int(signal.SIGPIPE), int(signal.SIGXFSZ)]} set()\n"


def test_the_command_inherits_no_socket_of_the_emulator(project):
    # A listening socket in a command that stays behind would keep the port.
    assert "socket:" not in project.exec(*python(PRINT_DESCRIPTORS)).stdout

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The program `firemeter`, and the names `emulator` and `audit`, to which it answers where links have them."""

import re
import subprocess

import pytest

from harness import FIREMETER, ROOT, START_SECONDS, called

COMMANDS = {
    "firemeter": ["serve", "start", "exec", "rules", "audit"],
    "emulator": ["serve", "start", "exec", "rules"],
    "audit": ["replay", "merge", "tune", "curve", "export", "totals", "duplicates", "import", "import-part", "record"],
}


@pytest.fixture(params=COMMANDS)
def name(request):
    return request.param


@pytest.fixture
def run(name, tmp_path):
    program = FIREMETER if name == "firemeter" else called(name, tmp_path)

    def run(*words):
        return subprocess.run([program, *words], capture_output=True, text=True, timeout=START_SECONDS)

    return run


def test_each_name_has_its_commands_and_the_one_version(name, run):
    page = run("--help").stdout
    assert f"USAGE: {name} <subcommand>" in page
    assert re.findall(r"^  ([a-z-]+) +\S", page.split("SUBCOMMANDS:")[1], re.MULTILINE)[: len(COMMANDS[name])] == COMMANDS[name]
    first = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1]
    assert re.fullmatch(rf"firemeter {re.escape(first)}( \([0-9a-f]+(-dirty)?\))?\n", run("--version").stdout)


def test_help_and_usage_errors_have_the_name_that_was_called(name, run):
    nested = ["audit", "replay"] if name == "firemeter" else [COMMANDS[name][0]]
    assert f"USAGE: {' '.join([name, *nested])} " in run(*nested, "--help").stdout
    wrong = run(*nested, "--no-such-option")
    assert wrong.returncode == 64 and f"Usage: {' '.join([name, *nested])} " in wrong.stderr


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["serv"], "firemeter: 'serv' is not a command; did you mean 'serve'?"),
        (["emulator", "serve"], "firemeter: 'emulator' is not a command; there are serve, start, exec, rules, audit, help"),
        (["audit", "rplay"], "firemeter audit: 'rplay' is not a command; did you mean 'replay'?"),
        (["rules", "chek"], "firemeter rules: 'chek' is not a command; did you mean 'check'?"),
    ],
)
def test_a_word_that_is_not_a_command_is_named_with_the_one_that_was_meant(words, problem):
    ended = subprocess.run([FIREMETER, *words], capture_output=True, text=True, timeout=START_SECONDS)
    assert (ended.returncode, ended.stdout, ended.stderr) == (64, "", problem + "\n")


def test_failures_begin_with_the_name_that_was_called(name, run):
    words = {"firemeter": ["audit", "totals"], "emulator": ["serve", "--seed"], "audit": ["totals"]}[name]
    ended = run(*words, "/no/such/file")
    assert ended.returncode in (65, 74) and ended.stderr.startswith(f"{name}: ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_are_of_the_name_that_was_called(name, run, shell):
    script = run("--generate-completion-script", shell).stdout
    assert f"_{name}" in script and "\n" in script

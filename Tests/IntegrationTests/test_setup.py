# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""`tools/setup` on other systems: stand-ins for the package managers of Debian, Ubuntu, and systems without dpkg."""

import shutil
import subprocess

import pytest

from harness import ROOT

#: Programs that every system has.
EVERYWHERE = ["bash", "cat", "env", "mktemp", "rm"]
ALL = "echo install ok installed"
NONE = "exit 1"


class System:
    """A directory of programs; those named by a test note how they were called."""

    def __init__(self, folder):
        self.programs, self.calls = folder / "bin", folder / "calls"
        self.programs.mkdir()
        self.calls.touch()
        for name in EVERYWHERE:
            (self.programs / name).symlink_to(shutil.which(name))
        self.has("swift")
        self.has("id", "echo 0")

    def has(self, name, script=""):
        program = self.programs / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >>{self.calls}\n{script}\n')
        program.chmod(0o755)

    def setup(self, *packages):
        environment = {"PATH": str(self.programs), "TMPDIR": str(self.programs.parent)}
        command = [self.programs / "bash", ROOT / "tools/setup", *packages]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=20)

    def called(self, name):
        return [line for line in self.calls.read_text().splitlines() if line.startswith(name)]


@pytest.fixture
def system(tmp_path):
    return System(tmp_path)


def test_nothing_is_done_where_all_is_there(system):
    system.has("dpkg-query", ALL)
    ended = system.setup("tshark")
    assert (ended.returncode, ended.stderr) == (0, "")
    asked = " ".join(system.called("dpkg-query"))
    assert "tshark" in asked and "libsqlite3-dev" in asked and "python3-venv" not in asked


@pytest.mark.parametrize(
    ("unknown", "name"), [("libjpeg-turbo8-dev", "libjpeg62-turbo-dev"), ("libjpeg62-turbo-dev", "libjpeg-turbo8-dev")]
)
def test_packages_have_the_names_that_apt_knows(system, unknown, name):
    system.has("dpkg-query", NONE)
    system.has("apt-get")
    system.has("apt-cache", f'test "$2" != {unknown}')
    ended = system.setup("curl")
    assert ended.returncode == 0, ended.stderr
    update, install = system.called("apt-get")
    assert "update" in update and {name, "curl", "libheif-dev"} <= set(install.split()) and unknown not in install
    assert "tshark" not in install and "installed 18 packages" in ended.stderr


def test_one_of_two_names_is_enough(system):
    system.has("dpkg-query", 'for name; do :; done; test "$name" != libjpeg62-turbo-dev && ' + ALL)
    ended = system.setup()
    assert (ended.returncode, ended.stderr, system.called("apt")) == (0, "", [])


def test_a_package_that_apt_does_not_have(system):
    system.has("dpkg-query", NONE)
    system.has("apt-get")
    system.has("apt-cache", 'test "$2" != libheif-dev')
    ended = system.setup()
    assert (ended.returncode, ended.stderr) == (69, "tools/setup: apt has no package libheif-dev\n")
    assert len(system.called("apt-get")) == 1


def test_an_installation_that_fails_is_shown(system):
    system.has("dpkg-query", NONE)
    system.has("apt-cache")
    system.has("apt-get", 'echo "Could not get lock" >&2; exit 100')
    ended = system.setup()
    assert ended.returncode == 69 and ended.stderr.startswith("Could not get lock\ntools/setup: failed: apt-get update")


def test_a_system_without_dpkg_is_shown_the_libraries_that_are_missing(system):
    system.has("pkg-config", 'test "$2" != libheif && test "$2" != re2')
    ended = system.setup("tshark")
    assert ended.returncode == 69
    first, *rest = ended.stderr.splitlines()
    assert first.startswith("tools/setup: pkg-config does not find these libraries") and len(first) < 140
    assert [line.split()[0] for line in rest] == ["libheif", "re2"] and "HEIC" in rest[0]
    system.has("pkg-config")
    ended = system.setup()
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(("absent", "advice"), [("swift", "install Swift 6.2"), ("pkg-config", "no pkg-config on PATH")])
def test_a_program_that_is_missing_is_named(system, absent, advice):
    for name in {"swift", "pkg-config"} - {absent}:
        system.has(name)
    if absent == "swift":
        (system.programs / "swift").unlink()
    ended = system.setup()
    assert ended.returncode == 69 and advice in ended.stderr and len(ended.stderr.splitlines()) == 1

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""What the emulator writes is for its owner alone, also where the umask would let everybody read it."""

import os
import stat
from pathlib import Path

import pytest
import requests


@pytest.fixture(autouse=True)
def open_umask():
    """The processes of a test let everybody do everything, as far as it is up to the umask."""
    former = os.umask(0)
    yield
    os.umask(former)


def open_to_others(directory):
    """The paths, the directory's own among them, that anybody but their owner may use."""
    paths = [directory, *Path(directory).rglob("*")]
    return sorted(str(path) for path in paths if stat.S_IMODE(path.lstat().st_mode) & 0o077)


def fill(emulator):
    emulator.put("a/b.bin", b"private")
    body = {"fields": {"n": {"integerValue": "1"}}}
    assert requests.post(emulator.documents("cities?documentId=SF"), json=body, timeout=10).status_code == 200
    assert emulator.usage()["requests"] == 2


def test_data_are_for_their_owner_alone(serve, tmp_path):
    data = tmp_path / "new" / "data"
    emulator = serve("--data", data)
    fill(emulator)
    names = {path.name for path in data.rglob("*")}
    assert {"firestore.sqlite-wal", "usage.sqlite-wal", "usage.sqlite-shm", "objects.sqlite-wal"} <= names
    assert open_to_others(data.parent) == []
    assert emulator.stop() == 0
    assert open_to_others(data.parent) == []


def test_data_of_a_former_run_are_closed_to_others(serve, tmp_path):
    data = tmp_path / "data"
    former = serve("--data", data)
    fill(former)
    former.kill()  # so that the logs of the databases stay behind
    for path in [data, *data.glob("*"), *(data / "storage").glob("*")]:
        path.chmod(0o777 if path.is_dir() else 0o666)
    emulator = serve("--data", data)
    assert emulator.get("a/b.bin").content == b"private"
    assert open_to_others(data) == []


def test_a_directory_with_files_of_its_user_stays_as_open_as_it_is(serve, tmp_path):
    (tmp_path / "README").write_text("mine")
    tmp_path.chmod(0o755)
    emulator = serve("--data", tmp_path)
    fill(emulator)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    assert [path for path in open_to_others(tmp_path) if path not in (str(tmp_path), str(tmp_path / "README"))] == []


def test_ephemeral_data_are_for_their_owner_alone(serve, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    fill(serve())
    (directory,) = tmp_path.iterdir()
    assert open_to_others(directory) == []


def test_session_logs_are_for_their_owner_alone(serve, tmp_path):
    log = tmp_path / "session.log"
    emulator = serve("--record", log, "--record-rotate", "2000")
    for number in range(40):
        emulator.put(f"o{number}", b"x")
    assert emulator.stop() == 0
    written = sorted(tmp_path.glob("session.log*"))
    assert len(written) > 2 and any(path.suffix == ".gz" for path in written)
    assert [path for path in written if stat.S_IMODE(path.stat().st_mode) != 0o600] == []


def test_a_log_that_is_there_keeps_its_permissions(serve, tmp_path):
    log = tmp_path / "session.log"
    log.touch(0o644)
    emulator = serve("--record", log)
    fill(emulator)
    assert emulator.stop() == 0
    assert stat.S_IMODE(log.stat().st_mode) == 0o644


def test_exports_are_for_their_owner_alone(serve, tmp_path):
    emulator = serve("--export-on-exit", tmp_path / "exports" / "at-exit", "--export-below", tmp_path)
    fill(emulator)
    body = {"path": str(tmp_path / "exports" / "asked")}
    assert requests.post(f"http://{emulator.console}/_admin/export", json=body, timeout=20).status_code == 200
    assert emulator.stop() == 0
    assert len(list((tmp_path / "exports").rglob("buckets.json"))) == 2
    assert open_to_others(tmp_path / "exports") == []

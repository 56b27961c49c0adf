# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0
"""Sessions that the job imports are those of one process, to the byte."""
import random

from conftest import audit
from usage_logs import usage_rows, write_usage


def assert_imported_alike(job, folder, logs, *options, inferred=()):
    one, many = folder / "one.log", folder / "many.log"
    alone = audit("import", *logs, *options, *inferred, "--output", one)
    assert alone.returncode == 0, alone.stderr
    assert job("import", *logs, *options, "--output", many, "--groups", 3, merge=inferred) == 0
    assert one.read_bytes() == many.read_bytes()
    return alone.stderr.replace(str(one), str(many))


def test_a_session_is_imported_as_by_one_process(job, usage, tmp_path, capfd):
    said = assert_imported_alike(job, tmp_path, usage, inferred=["--layout", "{a}/{b}/{n}", "--opened-percent", 30])
    assert "175 requests named twice" in said
    assert said in capfd.readouterr().err
    assert job("import", *usage, "--output", tmp_path / "many.log") == 64
    assert "many.log is there already" in capfd.readouterr().err


def test_an_access_log_is_imported_as_by_one_process(job, tmp_path):
    # Its times are whole seconds: requests of one time are in the order of the log.
    chance = random.Random(5)
    line = '10.0.0.{} - - [10/Oct/2026:13:{:02}:{:02} +0000] "GET /v0/b/feed.appspot.com/o/{}?alt=media HTTP/1.1" 200 {} "-" "app"'
    lines = []
    for second in range(3_600):
        for _ in range(chance.randrange(4)):
            user, post = chance.randrange(40), chance.randrange(60)
            names = [f"u{post % 7}%2Fp{post}%2F{n}" for n in range(chance.randrange(1, 4))]
            lines += [line.format(user, second // 60, second % 60, name, 1_000 + post) for name in names]
    lines[700] = "garbage"
    (tmp_path / "a.log").write_text("\n".join(lines[:6_000]) + "\n")
    (tmp_path / "b.log").write_text("\n".join(lines[6_000:]) + "\n")
    logs = [tmp_path / "a.log", tmp_path / "b.log"]
    assert "such as 'garbage'" in assert_imported_alike(job, tmp_path, logs, "--skip-bad-lines")


def test_an_archive_is_refused(job, tmp_path, capfd):
    (tmp_path / "flow.har").write_text('{"log":{"version":"1.2","entries":[]}}')
    assert job("import", tmp_path / "*", "--output", tmp_path / "session.log") == 64
    assert "flow.har is a HAR" in capfd.readouterr().err


def test_what_has_no_image_is_refused_as_by_one_process(job, tmp_path, capfd):
    log = write_usage(tmp_path / "uploads.csv", [line for line in usage_rows(500) if "PUT_Object" in line])
    alone = audit("import", log, "--output", tmp_path / "one.log")
    assert job("import", log, "--output", tmp_path / "many.log") == alone.returncode == 65
    assert alone.stderr in capfd.readouterr().err
    assert not (tmp_path / "many.log").exists()

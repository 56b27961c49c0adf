# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Logs that people have: `firemeter audit totals`, `firemeter audit import`, and replays of what was imported."""

import csv
import gzip
import json
import socket
import subprocess

import pytest

from harness import AUDIT, BINARIES, ROOT, run_audit

FIXTURE = ROOT / "fixtures/session.log"
COLUMNS = [
    *["time_micros", "c_ip", "cs_method", "cs_uri", "sc_status", "sc_bytes", "cs_user_agent", "s_request_id"],
    *["cs_operation", "cs_bucket", "cs_object"],
]
SECRET = "eyJhbGciOi-SECRET"


def downloads():
    """The downloads of the bundled session, each with its user and its time in microseconds."""
    user, now = None, 0
    for line in map(json.loads, FIXTURE.read_text().splitlines()):
        if line["type"] == "view":
            user, now = line["client"], 1_795_165_200_000_000 + 1_000 * line["at"]
        elif line.get("operation") == "storage.objects.get":
            yield user, now, line["object"], line["sent"]["body"]


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """The downloads of the bundled session in three formats."""
    folder = tmp_path_factory.mktemp("logs")
    entries = []
    with open(folder / "usage.csv", "w") as usage, gzip.open(folder / "access.log.gz", "wt") as access:
        writer = csv.writer(usage, quoting=csv.QUOTE_ALL)
        writer.writerow(COLUMNS)
        for number, (user, now, name, size) in enumerate(downloads()):
            address, uri = f"10.0.0.{user[1:]}", f"/v0/b/b/o/{name.replace('/', '%2F')}?alt=media&token={SECRET}"
            writer.writerow([now, address, "GET", uri, 200, size, "App/1", f"r{number}", "GET_Object", "b", name])
            second = (now - 1_795_165_200_000_000) // 1_000_000
            clock = f"20/Nov/2026:{9 + second // 3600:02}:{second // 60 % 60:02}:{second % 60:02} +0000"
            access.write(f'{address} - - [{clock}] "GET {uri} HTTP/1.1" 200 {size} "-" "App/1"\n')
            entries.append(
                {
                    "startedDateTime": f"2026-11-20T{9 + second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z",
                    "request": {"method": "GET", "url": "https://firebasestorage.googleapis.com" + uri},
                    "response": {"status": 200, "bodySize": size},
                }
            )
    (folder / "session.har").write_text(json.dumps({"log": {"version": "1.2", "entries": entries[:500]}}))
    return folder


def totals(*arguments):
    ended = run_audit("totals", *arguments, "--format", "json")
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def imported(folder, *arguments):
    ended = run_audit("import", *arguments, "--output", folder / "session.log")
    assert ended.returncode == 0, ended.stderr
    return folder / "session.log", ended.stderr


def test_totals_are_the_sums_of_the_log_in_every_format(logs):
    sizes = [size for _, _, _, size in downloads()]
    for name in ["usage.csv", "access.log.gz"]:
        whole = totals(logs / name)
        assert (whole["requests"], whole["bytes"]) == (len(sizes), sum(sizes))
        assert whole["billed"]["classB"] == len(sizes) and whole["billed"]["egressBytes"] == sum(sizes)
    assert totals(logs / "session.har")["bytes"] == sum(sizes[:500])


def test_a_log_that_is_given_twice_counts_once(logs):
    once, twice = totals(logs / "usage.csv"), totals(logs / "usage.csv", logs / "usage.csv")
    assert twice["requests"] == once["requests"] and twice["duplicates"] == once["requests"]


def test_totals_tell_the_months_price(logs):
    table = run_audit("totals", logs / "usage.csv", "--profile", "blaze-firebasestorage-app").stdout
    assert "2,578 requests, 947.8 MB, from 2026-11-20T09:00:00Z to " in table
    assert "a month of such days: $0.01 a month; 26 % of the free download a month" in table


def test_an_imported_session_downloads_what_the_log_tells(logs, tmp_path):
    session, notes = imported(tmp_path, logs / "usage.csv")
    assert "users, inferred from 2,578 downloads" in notes and "assumed:" in notes
    report = json.loads(run_audit("replay", session, "--format", "json").stdout)
    assert report["inferred"]["bytes"] == sum(size for _, _, _, size in downloads())
    assert report["inferred"]["assumptions"]
    strategies = {strategy["name"]: strategy["bytes"]["body"] for strategy in report["strategies"]}
    # The first row is the log itself, and what the others are compared with.
    assert next(iter(strategies)) == "recorded" and strategies["recorded"] == report["inferred"]["bytes"]
    assert report["strategies"][0]["ratioToBaseline"] == 1
    # The recorded strategy loads all images; the views are guessed, so it is only nearly what it was.
    assert abs(strategies["all-images"] / report["inferred"]["bytes"] - 1) < 0.02
    assert strategies["thumbnails+memory+disk"] < strategies["thumbnails+memory"] < strategies["thumbnails"]
    assert strategies["thumbnails"] < strategies["all-images"] / 2
    assert json.loads(run_audit("replay", session, "--format", "json").stdout) == report


def har(folder, *entries):
    """A HAR of requests: address, status, bytes."""
    listed = [
        {
            "startedDateTime": f"2026-11-20T09:00:{second:02}Z",
            "request": {"method": "GET", "url": address},
            "response": {"status": status, "bodySize": size},
        }
        for second, (address, status, size) in enumerate(entries)
    ]
    (folder / "app.har").write_text(json.dumps({"log": {"version": "1.2", "entries": listed}}))
    return folder / "app.har"


def storage(name):
    return f"https://firebasestorage.googleapis.com/v0/b/b/o/{name.replace('/', '%2F')}?alt=media"


PHOTOS = [storage(f"users/u{user}/posts/p{user}/photo_{n}.jpg") for user in (1, 2) for n in (0, 1)]


def test_objects_of_any_name_are_images_and_a_browser_that_revalidates_is_the_baseline(tmp_path):
    page = ("https://app.example.com/", 200, 90_000)
    archive = har(tmp_path, page, *[(photo, 200, 1_000_000) for photo in PHOTOS], *[(photo, 304, 0) for photo in PHOTOS])
    whole = totals(archive)
    assert (whole["requests"], whole["bytes"], whole["otherHosts"], whole["billed"]["classB"]) == (8, 4_000_000, 1, 8)
    session, notes = imported(tmp_path, archive)
    assert "8 downloads of 4 images, but 1 request to servers other than Firebase's" in notes
    assert "as in users/" in notes
    report = json.loads(run_audit("replay", session, "--format", "json", "--strategy", "all-images+revalidate+memory").stdout)
    recorded, revalidating = report["strategies"]
    assert (recorded["bytes"]["body"], recorded["requests"]) == (4_000_000, 8)
    assert (revalidating["bytes"]["body"], revalidating["requests"]) == (4_000_000, 8)


def test_a_log_without_sizes_asks_for_a_listing(tmp_path):
    archive = har(tmp_path, *[(photo, 200, -1) for photo in PHOTOS])
    ended = run_audit("import", archive, "--output", tmp_path / "session.log")
    assert ended.returncode == 65 and "gcloud storage ls --long" in ended.stderr
    assert not (tmp_path / "session.log").exists()
    listing = tmp_path / "listing.txt"
    listing.write_text("".join(f"{1000 + n}  2026-11-20T09:00:00Z  gs://b/users/u1/posts/p1/photo_{n}.jpg\n" for n in (0, 1)) + "TOTAL: 2\n")
    session, _ = imported(tmp_path, archive, "--sizes", listing)
    sizes = [line["bytes"] for line in map(json.loads, session.read_text().splitlines()) if line["type"] == "image"]
    assert sizes == [1000, 1001, 0, 0]


def test_standard_input_and_pipes_are_logs(logs, tmp_path):
    whole = totals(logs / "usage.csv")
    for text, arguments in [((logs / "usage.csv").read_text(), ["totals", "-"]), (FIXTURE.read_text(), ["totals", "-"])]:
        ended = run_audit(*arguments, "--format", "json", input=text)
        assert ended.returncode == 0 and json.loads(ended.stdout)["billed"]["classB"] == whole["billed"]["classB"]
    ended = run_audit("import", "-", "--output", tmp_path / "piped.log", input=(logs / "usage.csv").read_text())
    assert ended.returncode == 0, ended.stderr


def test_standard_input_may_be_a_socket(logs):
    ours, theirs = socket.socketpair()
    with ours, subprocess.Popen([*AUDIT, "totals", "-", "--format", "json"], stdin=theirs, stdout=subprocess.PIPE) as audit:
        theirs.close()
        ours.sendall((logs / "usage.csv").read_bytes())
        ours.shutdown(socket.SHUT_WR)
        assert json.load(audit.stdout)["requests"] == totals(logs / "usage.csv")["requests"]


@pytest.mark.parametrize(
    ("by", "first"),
    [("user", "c"), ("object", "b/"), ("hour", "2026-11-20T09:00:00Z"), ("operation", "storage.objects.get")],
)
def test_totals_are_broken_down(logs, by, first):
    whole = totals(logs / "usage.csv", "--by", by)
    assert whole["groups"][0]["name"].startswith(first)
    for figure in ["requests", "bytes"]:
        assert sum(group[figure] for group in whole["groups"]) == whole[figure]
    assert f"by {by}" in run_audit("totals", logs / "usage.csv", "--by", by).stdout


def test_a_log_of_our_own_has_the_meters_sums():
    whole = totals(FIXTURE, "--by", "operation")
    assert (whole["requests"], whole["bytes"], whole["billed"]["documentReads"]) == (2_680, 948_773_095, 816)
    assert [group["name"] for group in whole["groups"]] == ["storage.objects.get", "firestore.runQuery"]


def test_formats_of_the_same_downloads_give_the_same_session(logs, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first, _ = imported(tmp_path / "a", logs / "usage.csv", "--view-gap", "3")
    second, _ = imported(tmp_path / "b", logs / "access.log.gz", "--view-gap", "3")

    def posts(path):
        lines = map(json.loads, path.read_text().splitlines())
        return sorted(post for line in lines if line.get("view") == "showPosts" for post in line["posts"])

    # Access logs have whole seconds, which may make one view of two.
    assert abs(len(posts(first)) - len(posts(second))) <= 0.05 * len(posts(first))
    assert set(posts(first)) == set(posts(second))


def test_an_imported_session_keeps_no_secrets(logs, tmp_path):
    session, notes = imported(tmp_path, logs / "usage.csv", logs / "session.har")
    text = session.read_text()
    assert SECRET not in text + notes and "10.0.0." not in text and "App/1" not in text


def test_reports_say_that_views_were_inferred(logs, tmp_path):
    session, _ = imported(tmp_path, logs / "usage.csv")
    table = run_audit("replay", session).stdout
    assert "inferred; the log itself: 2,578 downloads of images, 947.8 MB" in table
    assert "assumed: what the app's caches answered is in no server's log" in table
    page = run_audit("replay", session, "--format", "html").stdout
    assert "The first row is what really happened, the others are inferred" in page
    assert "**inferred**" in run_audit("replay", session, "--format", "markdown").stdout


def test_logs_that_cannot_be_read_are_refused(logs, tmp_path):
    (tmp_path / "broken.csv").write_text('"time_micros","sc_bytes"\n"1","2"\n"x","2"\n')
    (tmp_path / "diary.txt").write_text("Dear diary,\n")
    (tmp_path / "none.csv").write_text('"time_micros","sc_bytes"\n"1","2"\n')
    for command in ["totals", "import"]:
        output = [] if command == "totals" else ["--output", tmp_path / "session.log"]
        broken = run_audit(command, tmp_path / "broken.csv", *output)
        assert broken.returncode == 65 and "broken.csv, line 3: 'time_micros' is no number" in broken.stderr
        assert run_audit(command, tmp_path / "diary.txt", *output).returncode == 65
        assert run_audit(command, tmp_path / "missing.log", *output).returncode == 65
    assert run_audit("import", tmp_path / "none.csv", "--output", tmp_path / "session.log").returncode == 65
    assert not (tmp_path / "session.log").exists()
    (tmp_path / "there.log").write_text("")
    assert run_audit("import", logs / "usage.csv", "--output", tmp_path / "there.log").returncode == 64


# Imports in parts


def test_the_steps_of_an_import_in_parts(logs, tmp_path):
    head, *rows = (logs / "usage.csv").read_text().splitlines()
    (tmp_path / "usage_00.csv").write_text("\n".join([head, *rows[:300]]) + "\n")
    (tmp_path / "usage_01.csv").write_text("\n".join([head, *rows[250:]]) + "\n")
    # As the command's help has it.
    script = """
    set -euo pipefail
    firemeter audit import-part read usage_00.csv --number 0 --requests 0.bin >0.json
    firemeter audit import-part read usage_01.csv --number 1 --requests 1.bin >1.json
    firemeter audit import-part merge 0.json 1.json >names.json
    firemeter audit import-part count 0.bin 1.bin --part names.json |
      firemeter audit import-part merge - names.json >counted.json
    firemeter audit import-part view 0.bin 1.bin --part counted.json --views views.txt |
      firemeter audit import-part merge - counted.json >all.json
    LC_ALL=C sort views.txt | firemeter audit import-part join - --part all.json --output session.log
    """
    environment = {"PATH": f"{BINARIES}:/usr/bin:/bin", "HOME": str(tmp_path)}
    ended = subprocess.run(["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    alone = run_audit("import", "usage_00.csv", "usage_01.csv", "--output", "one.log", cwd=tmp_path)
    assert ended.stderr == alone.stderr.replace("one.log", "session.log")
    assert (tmp_path / "session.log").read_bytes() == (tmp_path / "one.log").read_bytes()

    def join(*words, views="views.txt"):
        return run_audit("import-part", "join", views, *words, cwd=tmp_path)

    assert join("--part", "all.json", "--output", "session.log").returncode == 64
    views = sorted((tmp_path / "views.txt").read_text().splitlines(True))
    (tmp_path / "unsorted.txt").write_text("".join(reversed(views)))
    unsorted = join("--part", "all.json", "--output", "other.log", views="unsorted.txt")
    assert unsorted.returncode == 65 and "sorted by its bytes" in unsorted.stderr
    (tmp_path / "few.txt").write_text("".join(views[:3]))
    few = join("--part", "all.json", "--output", "other.log", views="few.txt")
    assert few.returncode == 65 and "there are 3 views, and the part says" in few.stderr
    swapped = join("--part", "0.bin", "--output", "other.log")
    assert swapped.returncode == 65 and "is no part of an import" in swapped.stderr
    assert not (tmp_path / "other.log").exists() and not (tmp_path / "other.log.part").exists()
    recorded = run_audit("import-part", "read", FIXTURE, "--requests", "2.bin", cwd=tmp_path)
    assert recorded.returncode == 64 and "'firemeter audit import' takes by itself" in recorded.stderr

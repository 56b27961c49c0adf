# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The data of a project survive its emulators: exports and imports, many processes at once, and kills."""

import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed

import pytest
import requests

from harness import small_disk
from suite import EXPORT_LIST, OWNER, PROJECT, unused_port, wait_for_silence, waiting_exports
from web_socket import WebSocket

OBJECTS = {"a/b.txt": b"bytes", "empty": b"", "näme with spaces/%2F?#": b"odd", "large": bytes(range(256)) * 4_096}
DATABASE = f"projects/{PROJECT}/databases/(default)"
FIELDS = {
    "text": {"stringValue": "Ä <b>"},
    "number": {"integerValue": "-9007199254740993"},
    "none": {"nullValue": None},
    "bytes": {"bytesValue": "AAH/"},
    "time": {"timestampValue": "2026-11-28T09:00:00.123456Z"},
    "place": {"geoPointValue": {"latitude": 1.5, "longitude": -2.25}},
    "other": {"referenceValue": f"{DATABASE}/documents/c/b"},
    "list": {"arrayValue": {"values": [{"doubleValue": 0.5}, {"mapValue": {"fields": {"a": {"booleanValue": True}}}}]}},
}
SUITES = 8
KILLS = 20
# As many imports and exports by calls run at a time.
CALLS = 16
SERVICES = ["auth", "firestore", "storage", "ui", "hub", "logging"]
# Writes a user, an object and a document by names of its own, and prints all that there are.
WRITE_AND_LIST = """
import json, os, sys, urllib.request
def call(url, body=None, kind="application/json", method=None):
    headers = {"Content-Type": kind, "Authorization": "Bearer owner"}
    return json.load(urllib.request.urlopen(urllib.request.Request(url, body, headers, method=method)))
name = sys.argv[1]
project = os.environ["GCLOUD_PROJECT"]
auth = f"http://{os.environ['FIREBASE_AUTH_EMULATOR_HOST']}/identitytoolkit.googleapis.com/v1"
documents = f"http://{os.environ['FIRESTORE_EMULATOR_HOST']}/v1/projects/{project}/databases/(default)/documents/c"
objects = f"{os.environ['STORAGE_EMULATOR_HOST']}/v0/b/{project}.appspot.com/o"
call(f"{auth}/accounts:signUp?key=any", json.dumps({"email": f"{name}@example.com", "password": "secret-1"}).encode())
call(f"{objects}?name={name}", name.encode(), "text/plain")
call(f"{documents}/{name}", b'{"fields": {}}', method="PATCH")
users = call(f"{auth}/projects/{project}/accounts:query", b"{}")["userInfo"]
names = [document["name"].rsplit("/", 1)[1] for document in call(documents)["documents"]]
print(json.dumps([[user["email"] for user in users], [item["name"] for item in call(objects)["items"]], names]))
"""


def fill(suite):
    """Users, objects and documents of several kinds."""
    users = [suite.sign_up(f"{name}@example.com", f"secret-{name}") for name in ["ann", "bob"]]
    changes = {"localId": users[0], "customAttributes": '{"role":"admin"}', "displayName": 'Ann "Ä" <b>'}
    suite.ask_auth(f"projects/{PROJECT}/accounts:update", changes)
    assert suite.document("c/a", fields=FIELDS).status_code == 200
    assert suite.document("c/a/below/b", fields={"n": {"integerValue": "1"}}).status_code == 200
    assert suite.document("c/a", database="second", fields=FIELDS).status_code == 200
    for name, data in OBJECTS.items():
        assert suite.put(name, data).status_code == 200
    assert suite.put("elsewhere", b"other", bucket="second-bucket").status_code == 200


def contents(suite):
    """All that there is, without what differs between runs by nature."""
    objects = {name: suite.get(name) for name in OBJECTS} | {"other": suite.get("elsewhere", bucket="second-bucket")}
    documents = {
        (database, collection): suite.documents(collection, database)
        for database in ["(default)", "second"]
        for collection in ["c", "c/a/below"]
    }
    return suite.users(), objects, suite.metadata("a/b.txt"), documents


def exported(project, way, directory):
    """Fills a suite and exports it in a way; its contents."""
    options = ["--export-on-exit", directory] if way == "at exit" else []
    suite = project.start(*options)
    fill(suite)
    before = contents(suite)
    if way == "by the hub":
        assert suite.export(directory).status_code == 200
    assert suite.stop() == 0
    return before


@pytest.mark.parametrize("way", ["at exit", "by the hub"])
def test_the_next_start_has_what_was_exported(project, way):
    directory = project.directory / "saved"
    before = exported(project, way, directory)
    assert before[1] == OBJECTS | {"other": b"other"}
    assert before[3]["(default)", "c"] == {f"{DATABASE}/documents/c/a": FIELDS}
    assert len(before[3]["second", "c"]) == 1
    suite = project.start("--import", directory)
    assert contents(suite) == before
    for name in ["ann", "bob"]:
        assert suite.sign_in(f"{name}@example.com", f"secret-{name}").status_code == 200
    assert suite.sign_in("ann@example.com", "wrong-1").status_code == 400


def test_a_first_run_may_begin_without_its_directory(project):
    directory = project.directory / "saved"
    options = ["--import", directory, "--export-on-exit"]
    for count in [1, 2, 3]:
        suite = project.start(*options)
        suite.sign_up(f"user{count}@example.com")
        assert suite.stop() == 0
        assert len(json.loads((directory / "auth_export/accounts.json").read_text())["users"]) == count


def test_a_missing_import_is_an_error(project):
    ended = project.run("start", "--free-ports", "--json", "--import", "nowhere")
    assert (ended.returncode, ended.stdout) == (65, "")
    assert "nowhere does not exist" in ended.stderr


def test_a_directory_that_is_no_export_is_warned_of(project):
    project.write("notes/readme.txt", "mine")
    suite = project.start("--import", "notes")
    assert "nothing is imported" in suite.errors()
    assert suite.users() == {}


def test_data_of_other_services_are_kept(project):
    directory = project.directory / "saved"
    entry = {"version": "15.28.1", "path": "database_export"}
    project.write(f"saved/{EXPORT_LIST}", {"version": "15.28.1", "database": entry})
    project.write("saved/database_export/demo.json", {"kept": True})
    project.write("saved/notes.txt", "kept, too")
    suite = project.start("--import", directory, "--export-on-exit")
    assert "database" in suite.errors()
    suite.sign_up("ann@example.com")
    assert suite.stop() == 0
    listed = json.loads((directory / EXPORT_LIST).read_text())
    assert listed["database"] == entry and {"auth", "firestore", "storage"} <= set(listed)
    assert json.loads((directory / "database_export/demo.json").read_text()) == {"kept": True}
    assert (directory / "notes.txt").read_text() == "kept, too"


def test_services_that_are_not_served_keep_their_data(project):
    directory = project.directory / "saved"
    before = exported(project, "at exit", directory)
    suite = project.start("--only", "auth", "--import", directory, "--export-on-exit")
    suite.sign_up("eve@example.com")
    assert suite.stop() == 0
    users, *files = contents(project.start("--import", directory))
    assert files == list(before[1:])
    assert sorted(user["email"] for user in users.values()) == [f"{name}@example.com" for name in ["ann", "bob", "eve"]]


def test_eight_suites_at_once_have_data_of_their_own(project):
    def run(number):
        command = ["--", sys.executable, "-c", WRITE_AND_LIST, f"suite{number}"]
        return project.exec("--export-on-exit", f"saved{number}", *command)

    with ThreadPoolExecutor(SUITES) as pool:
        ends = list(pool.map(run, range(SUITES)))
    for number, end in enumerate(ends):
        assert end.returncode == 0, end.stderr
        assert json.loads(end.stdout) == [[f"suite{number}@example.com"], [f"suite{number}"], [f"suite{number}"]]
        blobs = project.directory / f"saved{number}" / "storage_export" / "blobs"
        assert [path.read_text() for path in blobs.iterdir()] == [f"suite{number}"]
    assert not list(project.temporary.iterdir())


def test_a_kill_leaves_nothing_in_the_way_of_the_next_start(project):
    project.configure(emulators={service: {"port": unused_port()} for service in SERVICES})
    for _ in range(KILLS):
        suite = project.start("--websocket-port", "0", ports=())
        # Nothing of the one before is there.
        assert suite.users() == {} and suite.get("a") is None and suite.documents("c") == {}
        suite.sign_up("ann@example.com")
        assert (suite.put("a").status_code, suite.document("c/a").status_code) == (200, 200)
        suite.kill()
        wait_for_silence(suite.addresses)
    last = project.start("--websocket-port", "0", ports=())
    assert last.stop() == 0
    assert not project.locator.exists()
    assert not list(project.temporary.glob("firemeter-*"))


def test_an_export_at_the_end_that_cannot_be_written_is_known_at_the_start(project):
    project.write("saved/notes.txt", "mine")
    ended = project.run("start", "--free-ports", "--export-on-exit", "saved")
    assert ended.returncode == 74 and "is no earlier export" in ended.stderr


KEPT = re.compile(r"the data are kept in (\S+): start with --data (\S+) and without --import to have them")


@pytest.fixture
def disk(tmp_path):
    with small_disk(tmp_path / "disk", mebibytes=1) as path:
        yield path


@pytest.mark.parametrize("reason", ["another directory", "a full disk"])
def test_nothing_is_lost_when_the_export_at_the_end_fails(project, disk, reason):
    directory = (disk if reason == "a full disk" else project.directory) / "saved"
    suite = project.start("--export-on-exit", directory)
    fill(suite)
    before = contents(suite)
    suite.may_have_failed = True
    if reason != "a full disk":
        project.write("saved/notes.txt", "mine")
    assert suite.stop() == 74
    assert ("No space left" if reason == "a full disk" else "is no earlier export") in suite.errors()
    kept, again = KEPT.search(suite.errors()).groups()
    assert kept == again and (directory.exists() == (reason != "a full disk"))
    # A start sweeps what others have left behind, but not this.
    assert project.exec("exit 0").returncode == 0
    second = project.start("--data", kept, "--export-on-exit", "elsewhere")
    assert contents(second) == before
    assert second.sign_in("ann@example.com", "secret-ann").status_code == 200
    before = contents(second)
    assert second.stop() == 0
    assert contents(project.start("--import", "elsewhere")) == before


def test_an_export_at_the_end_that_fails_leaves_a_directory_of_data_as_it_is(project):
    suite = project.start("--data", "data", "--export-on-exit", "saved")
    suite.sign_up("ann@example.com")
    project.write("saved/notes.txt", "mine")
    suite.may_have_failed = True
    assert suite.stop() == 74
    assert "the data are kept" not in suite.errors()
    assert len(project.start("--data", "data").users()) == 1


def version_a_bucket(suite):
    """Has a bucket keep versions, which exports have no place for."""
    url = f"http://{suite.storage}/storage/v1/b/{PROJECT}.appspot.com"
    answer = requests.patch(url, json={"versioning": {"enabled": True}}, headers=OWNER, timeout=20)
    assert answer.status_code == 200, answer.text


LEFT_OUT = f"left out of the export: settings, and versions that are not live, of buckets ({PROJECT}.appspot.com)"


def test_what_the_export_at_the_end_leaves_out_is_warned_of(project):
    suite = project.start("--export-on-exit", "saved")
    assert suite.put("a").status_code == 200
    version_a_bucket(suite)
    assert suite.stop() == 0
    assert f"firemeter: warning: {LEFT_OUT}\n" in suite.errors()


@pytest.mark.parametrize("way", ["hub", "storage"])
def test_what_calls_leave_out_is_in_the_log(project, way):
    suite = project.start()
    assert suite.put("a").status_code == 200
    version_a_bucket(suite)
    if way == "hub":
        assert suite.export(project.directory / "saved").status_code == 200
    else:
        body = {"path": str(project.directory / "saved"), "initiatedBy": "a test"}
        assert requests.post(f"http://{suite.storage}/internal/export", json=body, timeout=20).status_code == 200
    with WebSocket(suite.logging, "/") as log:
        messages = []
        while LEFT_OUT not in messages:
            line = json.loads(log.text())
            messages.append(line["message"])
        assert line["level"] == "warn"
    assert LEFT_OUT not in suite.errors()


@pytest.mark.parametrize("way", ["hub", "storage", "firestore"])
def test_exports_that_wait_for_another_process_hold_up_nothing_else(project, way):
    suite = project.start()
    assert suite.put("a").status_code == 200
    parent = project.directory / "parent"
    parent.mkdir()

    def export(number):
        path = str(parent / f"saved{number}")
        if way == "hub":
            return suite.export(path)
        if way == "firestore":
            return ask_files(suite, "export", export_directory=str(parent), export_name=f"saved{number}")
        body = {"path": path, "initiatedBy": "a test"}
        return requests.post(f"http://{suite.storage}/internal/export", json=body, timeout=20)

    with ThreadPoolExecutor(CALLS + 4) as pool:
        with waiting_exports(parent):
            answers = [pool.submit(export, number) for number in range(CALLS + 4)]
            refused = [answer for _, answer in zip(range(4), as_completed(answers))]
            for number in range(8):
                assert suite.put(f"b{number}").status_code == 200
                assert suite.get(f"b{number}") == b"x"
            assert len([answer for answer in answers if answer.done()]) == 4
        assert all("imports and exports are under way" in answer.result().text for answer in refused)
        statuses = [answer.result().status_code for answer in answers]
    assert statuses.count(200) == CALLS and len(list(parent.iterdir())) == CALLS
    assert suite.export(parent / "again").status_code == 200


def test_an_export_without_an_import_leaves_what_is_not_served(project):
    first = project.start("--export-on-exit", "saved")
    assert first.document("posts/a", OWNER).status_code == 200
    assert first.stop() == 0
    second = project.start("--only", "auth", "--export-on-exit", "saved")
    second.sign_up("ann@example.com")
    assert second.stop() == 0
    third = project.start("--import", "saved")
    assert len(third.documents("posts")) == 1 and len(third.users()) == 1


# Firestore's own calls, as firebase-tools makes them


def ask_files(suite, verb, headers={}, **members):
    url = f"http://{suite.firestore}/emulator/v1/projects/{PROJECT}:{verb}"
    return requests.post(url, json=members, headers=headers, timeout=20)


def test_firestore_exports_and_imports_by_itself(project):
    suite = project.start()
    assert suite.document("posts/a", OWNER, fields={"n": {"integerValue": "1"}}).status_code == 200
    database = f"projects/{PROJECT}/databases/(default)"
    target = project.directory / "exports"
    target.mkdir()
    export = {"database": database, "export_directory": str(target), "export_name": "posts"}
    answer = ask_files(suite, "export", **export)
    assert (answer.status_code, answer.text) == (200, "{\n}\n")
    assert [entry.name for entry in target.iterdir()] == ["posts"]
    before = suite.documents("posts")
    assert suite.document("posts/a", OWNER, fields={"n": {"integerValue": "2"}}).status_code == 200
    overall = target / "posts" / "posts.overall_export_metadata"
    assert ask_files(suite, "import", database=database, export_directory=str(overall)).status_code == 200
    assert suite.documents("posts") == before
    again = ask_files(suite, "export", **export)
    assert again.status_code == 400 and "exists already" in again.text


@pytest.mark.parametrize(
    "verb, changes, headers, status, message",
    [
        ("export", {"export_directory": "none"}, {}, 400, "export_directory must be a directory"),
        ("export", {"export_name": "../x"}, {}, 400, "export_directory must be a directory"),
        ("export", {"export_directory": "/tmp"}, {}, 400, "to which exports are confined"),
        ("import", {"export_directory": "/etc/passwd"}, {}, 400, "to which exports are confined"),
        ("import", {"export_directory": "none"}, {}, 400, "none"),
        ("export", {}, {"Origin": "https://pages.example"}, 403, "PERMISSION_DENIED"),
        ("import", {}, {"Host": "pages.example"}, 403, "PERMISSION_DENIED"),
    ],
)
def test_firestore_refuses_other_files(project, verb, changes, headers, status, message):
    suite = project.start()
    members = {"export_directory": ".", "export_name": "posts"} | changes
    members["export_directory"] = str(project.directory / members["export_directory"])
    answer = ask_files(suite, verb, headers, **members)
    assert answer.status_code == status and message in answer.text
    assert not (project.directory / "posts").exists()

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The hub by which tools of Firebase find the emulators and ask for exports, and the log as it is shown."""

import json
import os
import struct

import pytest
import requests

from functions_stand_in import FunctionsStandIn
from harness import wait_until
from suite import EXPORT_LIST, PROJECT
from web_socket import CLOSE, Frame, WebSocket

FOREIGN_HEADERS = [
    {"Origin": "https://pages.example"},
    {"Origin": "null"},
    {"Host": "pages.example"},
    {"Host": "pages.example", "Origin": "http://pages.example"},
]


@pytest.fixture
def suite(project):
    return project.start()


def locator_of(project):
    return json.loads(project.locator.read_text())


def directories(path):
    return sorted(entry.name for entry in path.iterdir())


# The locator


def test_the_locator_leads_to_the_hub(project, suite):
    locator = locator_of(project)
    assert locator["origins"] == [f"http://{suite.hub}"]
    assert locator["pid"] == suite.process.pid
    assert isinstance(locator["version"], str)
    assert suite.ask_hub("GET", "/").json() == locator
    assert suite.stop() == 0
    assert not project.locator.exists()


def test_a_locator_of_a_dead_process_is_replaced(project, suite):
    suite.kill()
    assert locator_of(project)["pid"] == suite.process.pid
    next_suite = project.start()
    assert locator_of(project)["pid"] == next_suite.process.pid
    assert "another emulator" not in next_suite.errors()
    assert next_suite.stop() == 0
    assert not project.locator.exists()


@pytest.mark.parametrize("content", ["", "[]", '{"pid": 99999999999999999999}', '{"pid": -1}'])
def test_a_locator_that_is_none_is_replaced(project, content):
    project.locator.write_text(content)
    suite = project.start()
    assert locator_of(project)["pid"] == suite.process.pid


def test_a_pipe_in_the_place_of_a_locator_is_replaced(project):
    os.mkfifo(project.locator)
    suite = project.start()
    assert locator_of(project)["pid"] == suite.process.pid


def test_a_locator_of_another_that_lives_is_left(project, suite):
    second = project.start()
    assert f"another emulator serves the project {PROJECT}" in second.errors()
    assert locator_of(project)["pid"] == suite.process.pid
    assert second.ask_hub("GET", "/").json()["origins"] == [f"http://{second.hub}"]
    assert second.stop() == 0
    assert locator_of(project)["pid"] == suite.process.pid


def test_the_locator_is_taken_back_from_the_hub_of_a_functions_emulator(project):
    with FunctionsStandIn(is_away=True) as functions:
        suite = project.start("--functions", functions.address)
        project.locator.write_text(json.dumps({"version": "15.28.1", "origins": [], "pid": os.getpid()}))
        functions.come()
        wait_until(lambda: locator_of(project)["pid"] == suite.process.pid, "the locator to be taken back")
    assert suite.stop() == 0
    assert not project.locator.exists()


def test_each_project_has_a_locator(project, suite):
    other = project.start("--project", "demo-other")
    files = {path.name: json.loads(path.read_text())["pid"] for path in project.temporary.glob("hub-*.json")}
    assert files == {f"hub-{PROJECT}.json": suite.process.pid, "hub-demo-other.json": other.process.pid}


# Addresses


def test_the_hub_lists_the_services(suite):
    services = suite.ask_hub("GET", "/emulators").json()
    ready = suite.ready | {"ui": suite.console}
    assert set(services) == {"auth", "firestore", "storage", "ui", "hub", "logging"}
    for name, service in services.items():
        host, port = ready[name].rsplit(":", 1)
        assert (service["name"], service["host"], service["port"]) == (name, host, int(port))
        assert service["listen"] == [{"address": host, "family": "IPv4", "port": int(port)}]
    web_socket = services["firestore"]
    assert f"{web_socket['webSocketHost']}:{web_socket['webSocketPort']}" == suite.websocket


def test_services_are_listed_where_they_listen(project):
    project.configure(emulators={"auth": {"host": "0.0.0.0"}, "storage": {}, "ui": {"enabled": False}})
    services = project.start().ask_hub("GET", "/emulators").json()
    assert set(services) == {"auth", "storage", "hub"}
    # Clients cannot connect to the address that stands for all.
    assert (services["auth"]["host"], services["auth"]["listen"][0]["address"]) == ("127.0.0.1", "0.0.0.0")


def test_the_console_has_the_configuration_of_the_user_interface(suite):
    configuration = requests.get(f"http://{suite.console}/api/config", timeout=20).json()
    services = suite.ask_hub("GET", "/emulators").json()
    assert configuration == {"projectId": PROJECT, "experiments": [], **services}


def test_triggers_cannot_be_switched_without_functions(suite):
    for verb in ["disable", "enable"]:
        answer = suite.ask_hub("PUT", f"/functions/{verb}BackgroundTriggers")
        assert answer.status_code == 400
        assert answer.json() == {"error": "The Cloud Functions emulator is not running."}


def test_other_calls_are_not_found(suite):
    for method, path in [("GET", "/nothing"), ("GET", "/_admin/export"), ("POST", "/emulators")]:
        assert suite.ask_hub(method, path).status_code == 404


# Exports


def test_the_hub_writes_an_export(project, suite):
    user = suite.sign_up("ann@example.com")
    assert suite.put("a/b.txt", b"bytes").status_code == 200
    answer = suite.export(project.directory / "exported", initiatedBy="test")
    assert (answer.status_code, answer.json()["message"]) == (200, "OK"), answer.text
    exported = project.directory / "exported"
    assert directories(exported) == sorted(["auth_export", EXPORT_LIST, "firestore_export", "storage_export"])
    assert set(json.loads((exported / EXPORT_LIST).read_text())) == {"auth", "firestore", "storage", "version"}
    accounts = json.loads((exported / "auth_export/accounts.json").read_text())
    assert [entry["localId"] for entry in accounts["users"]] == [user]
    assert [path.read_bytes() for path in (exported / "storage_export/blobs").iterdir()] == [b"bytes"]


@pytest.mark.parametrize("target", ["auth", "firestore", "storage"])
def test_an_export_may_be_of_some_services(project, suite, target):
    answer = suite.export(project.directory / "exported", targets=[target, "database"])
    assert (answer.status_code, answer.json()["exported"]) == (200, [target])
    assert directories(project.directory / "exported") == sorted([EXPORT_LIST, f"{target}_export"])


def test_an_export_of_nothing_is_refused(project, suite):
    answer = suite.export(project.directory / "exported", targets=["database"])
    assert answer.status_code == 500 and "None of the targets" in answer.json()["message"]
    assert not (project.directory / "exported").exists()


@pytest.mark.parametrize("service", ["hub", "console"])
def test_pages_of_other_sites_cannot_export(project, suite, service):
    body = {"path": str(project.directory / "exported")}
    for headers in FOREIGN_HEADERS:
        answer = requests.post(f"http://{suite.ready[service]}/_admin/export", json=body, headers=headers, timeout=20)
        assert answer.status_code == 403
        assert answer.json()["message"].startswith("Export cannot be triggered by external callers.")
    assert directories(project.directory) == [".firebaserc", "firebase.json"]


def test_pages_of_other_sites_read_nothing(suite):
    for path in ["/", "/emulators"]:
        for headers in FOREIGN_HEADERS:
            answer = suite.ask_hub("GET", path, headers=headers)
            assert answer.status_code == 403 and "127.0.0.1" not in answer.text, (headers, answer.text)


def test_exports_stay_within_the_project(project, suite, tmp_path):
    outside = [tmp_path / "exported", project.directory / ".." / "exported", tmp_path / "project-2"]
    (project.directory / "link").symlink_to(tmp_path)
    for path in [*outside, project.directory / "link" / "exported"]:
        answer = suite.export(path)
        assert answer.status_code in [400, 403, 500], (path, answer.text)
        assert answer.json()["message"] != "OK"
    assert not any(path.exists() for path in [tmp_path / "exported", tmp_path / "project-2"])


def test_a_bound_may_be_chosen(project, tmp_path):
    suite = project.start("--export-below", tmp_path / "exports")
    assert suite.export(tmp_path / "exports" / "first").status_code == 200
    assert suite.export(project.directory / "exported").status_code != 200
    assert directories(tmp_path / "exports" / "first")


def test_an_export_needs_an_absolute_path(suite):
    paths = ["", 7, None, "exported", "/a\0b"]
    for body in ["", "{", "[]", "{}", *[json.dumps({"path": path}) for path in paths]]:
        answer = suite.ask_hub("POST", "/_admin/export", data=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == 400 and "message" in answer.json(), (body, answer.text)


def test_a_directory_of_other_files_is_left(project, suite):
    project.write("other/notes.txt", "mine")
    answer = suite.export(project.directory / "other")
    assert answer.status_code != 200 and "is no earlier export" in answer.json()["message"]
    assert (project.directory / "other/notes.txt").read_text() == "mine"
    assert directories(project.directory) == [".firebaserc", "firebase.json", "other"]


# The log


def listen(suite, headers=()):
    return WebSocket(suite.logging, "/", headers=headers)


def line_with(log, text):
    """The next line of the log whose message holds a text."""
    while True:
        line = json.loads(log.text())
        if text in line["message"]:
            return line


def ask_for_reset(suite, email):
    url = f"http://{suite.auth}/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=any"
    body = {"requestType": "PASSWORD_RESET", "email": email}
    assert requests.post(url, json=body, timeout=20).status_code == 200


def test_the_log_has_its_history_and_what_comes(project, suite):
    for name in ["ann", "bob"]:
        suite.sign_up(f"{name}@example.com")
    with listen(suite) as early:
        assert early.status == 101 and early.accepts
        ask_for_reset(suite, "ann@example.com")
        live = line_with(early, "ann@example.com")
        assert (live["level"], live["data"]["metadata"]["emulator"]) == ("info", {"name": "auth"})
        assert live["data"]["metadata"]["message"] == live["message"]
        assert isinstance(live["timestamp"], int)
        with listen(suite) as late:
            assert line_with(late, "ann@example.com") == live
            ask_for_reset(suite, "bob@example.com")
            assert line_with(late, "bob@example.com") == line_with(early, "bob@example.com")


def test_exports_are_in_the_log(project, suite):
    with listen(suite) as log:
        assert suite.export(project.directory / "exported").status_code == 200
        assert str(project.directory / "exported") in line_with(log, "exported")["message"]


def test_pages_of_other_sites_do_not_see_the_log(suite):
    for header in ["Origin: https://pages.example", "Origin: null", "Host: pages.example"]:
        with listen(suite, [header]) as refused:
            assert refused.status == 403
    # The console's own does.
    with listen(suite, [f"Origin: http://{suite.console}"]) as log:
        assert log.status == 101


def test_listeners_end_with_the_emulator(suite):
    with listen(suite) as log:
        assert log.status == 101
        assert suite.stop() == 0
        frame = log.frame()
        while frame.opcode != CLOSE:
            frame = log.frame()
        assert frame == Frame(CLOSE, struct.pack(">H", 1001))

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""`firemeter start`: a project's own files are served as they are."""

import json
import signal
import socket
import subprocess
import sys

import pytest
import requests

from harness import wait_until
from suite import (
    ALL_SERVICES,
    FIRESTORE_RULES,
    OWNER,
    PROJECT,
    READY,
    STORAGE_RULES,
    first_line,
    is_listening,
    unused_port,
    wait_for_line,
    wait_for_silence,
)
from web_socket import WebSocket

ATTENDANTS = ["ui", "hub", "logging"]
SERVICES = [*ALL_SERVICES, *ATTENDANTS]
COMMENTED = """{
  // Files of the project.
  "firestore": { "rules": "rules/firestore.rules" }, /* and of
  Storage: */
  "storage": { "rules": "storage.rules" },
  "emulators": { "auth": {}, "ui": { "enabled": false } }
}
"""


def statuses(suite, database="(default)", bucket=None):
    """The answers to a write of Firestore and of Storage, outside of what rules open, within, and as the owner."""
    return [
        (
            suite.document(path, headers, database=database).status_code,
            suite.put(path, headers=headers, **({"bucket": bucket} if bucket else {})).status_code,
        )
        for path, headers in [("closed/a", {}), ("open/a", {}), ("closed/a", OWNER)]
    ]


IN_FORCE = [(403, 403), (200, 200), (200, 200)]
OPEN = [(200, 200)] * 3


def with_rules(project, **sections):
    project.write("rules/firestore.rules", FIRESTORE_RULES)
    project.write("storage.rules", STORAGE_RULES)
    project.write("firebase.json", COMMENTED)
    if sections:
        project.configure(**sections)
    return project


# Rules


def test_rules_of_a_file_with_comments_are_in_force(project):
    assert statuses(with_rules(project).start()) == IN_FORCE


def test_a_demo_project_without_rules_is_open(project):
    assert statuses(project.start()) == OPEN


def test_rules_of_databases_are_apart(project):
    rules = {"(default)": "rules/firestore.rules", "second": "second.rules"}
    databases = [{"database": name, "rules": path} for name, path in rules.items()]
    with_rules(project, firestore=databases).write("second.rules", FIRESTORE_RULES.replace("/open/", "/public/"))
    suite = project.start()
    answers = [
        suite.document(path, database=database).status_code
        for database in ["(default)", "second"]
        for path in ["open/a", "public/a"]
    ]
    assert answers == [200, 403, 403, 200]


def test_rules_of_buckets_and_targets_are_apart(project):
    buckets = [{"target": "main", "rules": "storage.rules"}, {"bucket": "other", "rules": "other.rules"}]
    with_rules(project, storage=buckets).write("other.rules", STORAGE_RULES.replace("/open/", "/public/"))
    targets = {PROJECT: {"storage": {"main": ["first", "second"]}}}
    project.write(".firebaserc", {"projects": {"default": PROJECT}, "targets": targets})
    suite = project.start()
    answers = {
        bucket: [suite.put(path, bucket=bucket).status_code for path in ["open/a", "public/a"]]
        for bucket in ["first", "second", "other", "unnamed"]
    }
    assert answers == {"first": [200, 403], "second": [200, 403], "other": [403, 200], "unnamed": [403, 403]}


def test_rules_that_change_are_read_again(project):
    suite = with_rules(project).start()
    assert statuses(suite) == IN_FORCE
    project.write("rules/firestore.rules", FIRESTORE_RULES.replace("/open/", "/closed/"))
    project.write("storage.rules", STORAGE_RULES.replace("/open/", "/closed/"))
    wait_until(lambda: statuses(suite)[:2] == [(200, 200), (403, 403)], "the new rules")
    project.write("storage.rules", "service firebase.storage {")
    wait_until(lambda: "storage.rules" in suite.errors(), "a warning of rules that are broken")
    assert statuses(suite)[:2] == [(200, 200), (403, 403)]


# Services


def test_only_what_is_named_is_served(project):
    suite = project.start("--only", "auth,firestore:rules")
    assert {"auth", "firestore"} < set(suite.ready) and "storage" not in suite.ready
    assert suite.document("c/a").status_code == 200


def test_the_interface_can_be_off(project):
    project.configure(emulators=ALL_SERVICES | {"ui": {"enabled": False}})
    suite = project.start()
    assert not {"console", "logging"} & set(suite.ready)
    assert "hub" in suite.ready


def test_services_that_are_not_served_are_named_in_one_line(project):
    others = {"hosting": {"public": "public"}, "functions": {"source": "functions"}, "unheard": {}}
    project.configure(emulators=ALL_SERVICES, **others)
    lines = [line for line in project.start().errors().splitlines() if "hosting" in line or "functions" in line]
    assert len(lines) == 1 and "firebase emulators:start --only functions,hosting" in lines[0]


@pytest.mark.parametrize(
    ("sections", "arguments", "text"),
    [
        ({"hosting": {"public": "public"}}, [], "No emulators to start"),
        ({}, [], "No emulators to start"),
        ({"emulators": {"auth": {}}}, ["--only", "storage"], "No emulators to start"),
        ({"emulators": {"auth": {}}}, ["--only", "strage"], "Did you mean storage?"),
        ({"emulators": {"auth": {"port": 70_000}}}, [], "emulators.auth.port"),
        ({"emulators": {"auth": {}}}, ["--project", "No_Project"], "Invalid project id: No_Project"),
        ({"emulators": {"auth": {}}}, ["--config", "nowhere.json"], "nowhere.json"),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else None,
)
def test_a_start_that_is_impossible_is_explained(project, sections, arguments, text):
    project.configure(**sections)
    ended = project.run("start", "--free-ports", *arguments)
    assert (ended.returncode, text in ended.stderr, ended.stdout) == (78, True, ""), ended.stderr


@pytest.mark.parametrize(
    "content",
    ['{"emulators": ', "[]", '{"firestore": 7}', '{"auth": "missing.json"}', '{"a":' * 9_999],
    ids=lambda text: text[:20],
)
def test_a_broken_file_is_named(project, content):
    project.write("firebase.json", content)
    ended = project.run("start", "--free-ports")
    assert (ended.returncode, ended.stdout) == (78, "")
    assert ended.stderr.startswith("firemeter: There was an error loading firebase.json"), ended.stderr


@pytest.mark.parametrize(
    "arguments",
    [["--auth-port", "65536"], ["--hub-port", "-1"], ["--export-on-exit"], ["surplus"], ["--unknown"]],
    ids=" ".join,
)
def test_wrong_usage_exits_with_64(project, arguments):
    ended = project.run("start", *arguments)
    assert (ended.returncode, ended.stdout) == (64, "")


def test_a_file_is_found_from_a_subdirectory(project):
    below = with_rules(project).directory / "web" / "src"
    below.mkdir(parents=True)
    assert statuses(project.start(cwd=below)) == IN_FORCE


def test_a_file_may_be_named(project):
    with_rules(project)
    (project.directory / "firebase.json").rename(project.directory / "local.json")
    suite = project.start("--config", "project/local.json", cwd=project.directory.parent)
    assert statuses(suite) == IN_FORCE


# Projects


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [([], "demo-first"), (["--project", "staging"], "demo-second"), (["--project", "demo-third"], "demo-third")],
)
def test_the_project_is_an_alias_or_an_id(project, arguments, expected):
    project.write(".firebaserc", {"projects": {"default": "demo-first", "staging": "demo-second"}})
    suite = project.start(*arguments)
    assert [path.name for path in project.temporary.glob("hub-*")] == [f"hub-{expected}.json"]
    assert suite.document("c/a", project=expected).status_code == 200


def test_without_files_a_list_of_services_is_enough(project):
    for name in ["firebase.json", ".firebaserc"]:
        (project.directory / name).unlink()
    ended = project.run("start", "--free-ports")
    assert ended.returncode == 78 and "could not locate firebase.json" in ended.stderr
    suite = project.start("--only", "auth,firestore")
    assert suite.document("c/a", project="demo-no-project").status_code == 200


# Addresses


def test_hosts_and_ports_are_those_of_the_file(project):
    names = {name: name for name in SERVICES} | {"ui": "console"}
    hosts = {"firestore": "127.0.0.2", "hub": "127.0.0.3"}
    places = {name: {"host": hosts.get(name, "127.0.0.1"), "port": unused_port()} for name in names}
    websocket = unused_port()
    places["firestore"]["websocketPort"] = websocket
    project.configure(emulators=places)
    suite = project.start(ports=())
    expected = {names[name]: f"{place['host']}:{place['port']}" for name, place in places.items()}
    assert {name: suite.ready[name] for name in expected} == expected
    assert suite.websocket == f"127.0.0.2:{websocket}"
    assert all(map(is_listening, suite.addresses))
    assert suite.stop() == 0
    wait_for_silence(suite.addresses)


def test_an_option_is_before_the_file(project):
    in_file, chosen = unused_port(), unused_port()
    project.configure(emulators={"auth": {"port": in_file}, **{name: {"port": 0} for name in ATTENDANTS}})
    suite = project.start("--auth-port", chosen, ports=())
    assert suite.auth == f"127.0.0.1:{chosen}"


@pytest.mark.parametrize("service", SERVICES)
def test_a_port_that_is_taken_is_named(project, service):
    free = {name: {"port": 0} for name in SERVICES}
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        project.configure(emulators=free | {service: {"port": port}})
        ended = project.run("start", "--json")
    assert (ended.returncode, ended.stdout) == (69, "")
    assert str(port) in ended.stderr
    assert not project.locator.exists()


def test_services_without_a_port_in_the_file_take_the_next_that_is_free(project):
    defaults = {"console": 4000, "hub": 4400, "logging": 4500}
    project.configure(emulators={"auth": {"port": 0}})
    taken = []
    try:
        for port in defaults.values():
            if not is_listening(f"127.0.0.1:{port}"):
                taken.append(socket.create_server(("127.0.0.1", port)))
        suite = project.start(ports=())
    finally:
        for listener in taken:
            listener.close()
    for name, port in defaults.items():
        assert port < int(suite.ready[name].rsplit(":", 1)[1]) < port + 100, suite.ready


def test_many_that_start_at_a_time_take_different_ports(project):
    project.configure(emulators={"auth": {"port": 0}, "firestore": {"port": 0}})
    code = "import os; print(os.environ['FIREBASE_EMULATOR_HUB']); input()"
    command = ["exec", "--ui", "--", sys.executable, "-c", code]
    processes = [project.process(*command, stdin=subprocess.PIPE) for _ in range(8)]
    hubs = [first_line(process).strip() for process in processes]
    services = [requests.get(f"http://{hub}/emulators", timeout=20).json() for hub in hubs]
    for name in ["hub", "ui", "logging"]:
        assert len({service[name]["port"] for service in services}) == 8, services
    assert len({service["firestore"]["webSocketPort"] for service in services}) == 8
    for process in processes:
        process.stdin.write(b"\n")
        process.stdin.close()
    assert [process.wait(timeout=10) for process in processes] == [0] * 8


@pytest.mark.parametrize("way", ["--free-ports", "port 0"])
def test_free_ports_are_picked(project, way):
    zero = {name: {"port": 0} for name in SERVICES}
    project.configure(emulators=ALL_SERVICES if way == "--free-ports" else zero)
    ports = (way,) if way == "--free-ports" else ()
    first, second = project.start(ports=ports), project.start("--project", "demo-other", ports=ports)
    assert len(set(first.addresses + second.addresses)) == len(first.addresses + second.addresses) == 14
    assert all(map(is_listening, first.addresses + second.addresses))


# Output


def test_the_words_that_tools_wait_for_are_on_standard_output(project):
    process = project.process("start", "--free-ports")
    lines = wait_for_line(process, "  Hub ")
    assert READY in lines.splitlines()
    places = {words[0]: words[1] for words in map(str.split, lines[lines.index(READY) :].splitlines()[1:])}
    assert list(places) == ["Project", "Auth", "Firestore", "Storage", "Console", "Usage", "Requests", "Log", "Hub"]
    assert places["Project"] == PROJECT
    assert is_listening(places["Hub"].removeprefix("http://"))
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=10) == 0


def test_json_prints_exactly_one_line(project):
    suite = with_rules(project).start()
    assert list(suite.ready) == [
        *["ready", "firestore", "storage", "auth", "websocket", "hub", "startupMilliseconds"],
    ]
    assert suite.stop() == 0
    assert suite.process.stdout.read() == b""
    assert suite.errors() == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT], ids=lambda n: n.name)
def test_a_signal_ends_it_in_order(project, number):
    suite = project.start()
    assert suite.stop(number) == 0
    wait_for_silence(suite.addresses)
    assert not project.locator.exists()
    assert not list(project.temporary.glob("firemeter-*"))


def test_a_second_signal_of_one_key_does_no_harm(project):
    exported = project.directory / "exported"
    suite = project.start("--export-on-exit", exported)
    suite.sign_up("ann@example.com")
    suite.process.send_signal(signal.SIGINT)
    assert suite.stop(signal.SIGINT) == 0
    assert json.loads((exported / "auth_export" / "accounts.json").read_text())["users"]


# One project


OTHER = "demo-elsewhere"
ASKING = {
    "Firestore": lambda suite: suite.document("a/b", OWNER, project=OTHER),
    "Storage": lambda suite: suite.put("a.txt", headers=OWNER, bucket=f"{OTHER}.appspot.com"),
    "Authentication": lambda suite: requests.post(
        f"http://{suite.auth}/identitytoolkit.googleapis.com/v1/projects/{OTHER}/accounts:query",
        json={},
        headers=OWNER,
        timeout=20,
    ),
}


def lines_on_projects(suite):
    return [line for line in suite.errors().splitlines() if "was asked for the project" in line]


@pytest.mark.parametrize("service", ASKING)
def test_a_call_for_another_project_is_reported_once(project, service):
    suite = project.start()
    for _ in range(2):
        assert ASKING[service](suite).status_code == 200
    [line] = lines_on_projects(suite)
    assert line.startswith(f"firemeter: warning: {service} was asked for the project {OTHER}, but {PROJECT} is served")
    assert "singleProjectMode" in line
    with WebSocket(suite.logging, "/") as log:
        logged = json.loads(log.text())
        while OTHER not in logged["message"]:
            logged = json.loads(log.text())
        assert (logged["level"], line.endswith(logged["message"])) == ("warn", True)


def test_each_other_project_is_reported(project):
    suite = project.start()
    for name in [PROJECT, "demo-first", "demo-second", "demo-first"]:
        assert suite.document("a/b", OWNER, project=name).status_code == 200
    assert [line.split()[8].rstrip(",") for line in lines_on_projects(suite)] == ["demo-first", "demo-second"]


def test_several_projects_may_be_used(project):
    project.configure(emulators=ALL_SERVICES | {"singleProjectMode": False})
    suite = project.start()
    for ask in ASKING.values():
        assert ask(suite).status_code == 200
    assert lines_on_projects(suite) == []


def test_serve_reports_other_projects_where_it_has_one(serve):
    named, unnamed = serve("--project", PROJECT), serve()
    for emulator in [named, unnamed]:
        url = f"http://{emulator.firestore}/v1/projects/{OTHER}/databases/(default)/documents/a/b"
        assert requests.patch(url, json={}, headers=OWNER, timeout=20).status_code == 200
    assert OTHER in named.errors() and OTHER not in unnamed.errors()


def test_values_that_rules_show_are_of_their_service(project):
    project.write("firestore.rules", FIRESTORE_RULES.replace("allow read, write;", "allow read: if debug(1) == 1;"))
    project.write("storage.rules", STORAGE_RULES.replace("allow read, write;", "allow read: if debug(2) == 1;"))
    project.configure(
        firestore={"rules": "firestore.rules"}, storage={"rules": "storage.rules"}, emulators=ALL_SERVICES
    )
    suite = project.start()
    url = f"http://{suite.firestore}/v1/projects/{PROJECT}/databases/(default)/documents/open/a"
    assert requests.get(url, timeout=20).status_code == 404
    assert requests.get(f"http://{suite.storage}/v0/b/{PROJECT}.appspot.com/o/open%2Fa", timeout=20).status_code == 403
    shown = {}
    with WebSocket(suite.logging, "/") as log:
        while len(shown) < 2:
            line = json.loads(log.text())
            if line["level"] == "debug":
                shown[line["data"]["metadata"]["emulator"]["name"]] = line["message"].strip()
    assert shown == {"firestore": "int_value: 1", "storage": "int_value: 2"}

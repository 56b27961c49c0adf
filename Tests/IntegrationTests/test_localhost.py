# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Services whose host is `localhost` listen at ::1, too, for clients that look that up and try no other address."""

import json
import socket
import sys

import pytest
import requests

from firestore_clients import client_of
from suite import ALL_SERVICES, OWNER, PROJECT, is_listening, unused_port, wait_for_silence
from web_socket import WebSocket

KILLS = 5


def has_second_address():
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
        return True
    except OSError:
        return False


pytestmark = pytest.mark.skipif(not has_second_address(), reason="this machine has no ::1")


def beside(address):
    """The address of the port at ::1."""
    return f"[::1]:{address.rsplit(':', 1)[1]}"


@pytest.fixture
def suite(project):
    return project.start()


@pytest.fixture
def occupied_port():
    """A port at which another program listens, at ::1 alone."""
    with socket.create_server(("::1", unused_port()), family=socket.AF_INET6) as listener:
        yield listener.getsockname()[1]


def test_each_service_answers_at_both_addresses(suite):
    assert len(suite.addresses) == 7
    for address in suite.addresses:
        assert address.startswith("127.0.0.1:")
        first, second = (requests.get(f"http://{each}/", timeout=20) for each in [address, beside(address)])
        assert (first.status_code, first.content) == (second.status_code, second.content)


def test_calls_come_in_at_the_second_address(suite):
    documents, objects = f"projects/{PROJECT}/databases/(default)/documents/c/a", f"b/{PROJECT}.appspot.com/o"
    url = f"http://{beside(suite.firestore)}/v1/{documents}"
    assert requests.patch(url, json={"fields": {}}, timeout=20).json()["name"] == documents
    answer = requests.post(f"http://{beside(suite.storage)}/v0/{objects}?name=large", data=bytes(5 << 20), timeout=20)
    assert answer.json()["size"] == str(5 << 20)
    assert suite.get("large") == bytes(5 << 20)
    url = f"http://{beside(suite.auth)}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any"
    assert requests.post(url, json={"returnSecureToken": True}, timeout=20).json()["localId"] in suite.users()
    assert requests.get(f"http://{beside(suite.console)}/usage", timeout=20).json()


@pytest.mark.parametrize("service", ["hub", "console"])
def test_callers_at_the_second_address_may_export(project, suite, service):
    folder, address = project.directory / "exported", beside(suite.ready[service])

    def export(**headers):
        url = f"http://{address}/_admin/export"
        return requests.post(url, json={"path": str(folder)}, headers=headers, timeout=20)

    for headers in [{"Origin": "http://evil.example"}, {"Host": "evil.example"}]:
        assert export(**headers).status_code == 403
    assert export().status_code == 200
    assert (folder / "firebase-export-metadata.json").exists()


def test_pages_of_the_second_address_may_read(suite):
    address = beside(suite.console)
    for origin, status in [(address, 200), ("evil.example", 403)]:
        answer = requests.get(f"http://{address}/usage", headers={"Origin": f"http://{origin}"}, timeout=20)
        assert answer.status_code == status


def test_grpc_comes_in_at_the_second_address(suite):
    client = client_of(beside(suite.firestore), PROJECT)
    client.document("c/a").set({"n": 1})
    assert client.document("c/a").get().to_dict() == {"n": 1}
    assert [each.id for each in client.collection("c").stream()] == ["a"]
    client._firestore_api.transport.close()


@pytest.mark.parametrize("name, path", [("logging", "/"), ("websocket", "/requests")])
def test_web_sockets_open_at_the_second_address(suite, name, path):
    address = beside(suite.ready[name])
    for origin, status in [(f"http://{address}", 101), ("http://localhost:3000", 101), ("http://evil.example", 403)]:
        with WebSocket(address, path, [f"Origin: {origin}"]) as opened:
            assert opened.status == status


def test_commands_are_given_the_first_address(project):
    code = "import json, os; print(json.dumps({k: v for k, v in os.environ.items() if '_EMULATOR_H' in k}))"
    ended = project.exec("--", sys.executable, "-c", code)
    hosts = json.loads(ended.stdout)
    assert len(hosts) == 5
    assert all(host.removeprefix("http://").startswith("127.0.0.1:") for host in hosts.values())


@pytest.mark.parametrize(
    "host, printed, listening",
    [
        ("localhost", "127.0.0.1", {"127.0.0.1", "[::1]"}),
        ("127.0.0.1", "127.0.0.1", {"127.0.0.1"}),
        ("0.0.0.0", "127.0.0.1", {"127.0.0.1"}),
        ("::1", "[::1]", {"[::1]"}),
        ("::", "[::1]", {"127.0.0.1", "[::1]"}),
    ],
)
def test_a_named_host_stays_as_it_is(project, host, printed, listening):
    services = [*ALL_SERVICES, "ui", "hub", "logging"]
    project.configure(emulators={name: {"host": host, "port": 0} for name in services})
    suite = project.start(ports=())
    assert len(suite.addresses) == 7
    for address in suite.addresses:
        found, port = address.rsplit(":", 1)
        assert found == printed
        assert {each for each in ["127.0.0.1", "[::1]"] if is_listening(f"{each}:{port}")} == listening
    answer = requests.get(f"http://{suite.hub}/emulators", timeout=20).json()
    assert {each["listen"][0]["address"] for each in answer.values()} == {"127.0.0.1" if host == "localhost" else host}


def test_a_port_of_the_file_that_is_taken_at_the_second_address_is_warned_of(project, occupied_port):
    project.configure(emulators={"auth": {"port": 0}, "firestore": {"port": occupied_port}})
    suite = project.start(ports=())
    assert suite.firestore == f"127.0.0.1:{occupied_port}"
    assert suite.document("c/a", OWNER).status_code == 200
    assert f"warning: port {occupied_port} is free at 127.0.0.1 but not at ::1" in suite.errors()


def test_a_service_without_a_port_takes_one_that_is_free_at_both(project):
    hub_port = 4400
    try:
        listener = socket.create_server(("::1", hub_port), family=socket.AF_INET6)
    except OSError:
        pytest.skip(f"port {hub_port} is in use")
    with listener:
        project.configure(emulators={"auth": {"port": 0}, "ui": {"port": 0}, "logging": {"port": 0}})
        suite = project.start(ports=())
    assert hub_port < int(suite.hub.rsplit(":", 1)[1]) < hub_port + 100
    assert is_listening(beside(suite.hub))
    assert suite.errors() == ""


def test_nothing_listens_behind_an_emulator_that_ended(project):
    for number in range(KILLS):
        suite = project.start()
        if number:
            suite.kill()
        else:
            assert suite.stop() == 0
        wait_for_silence([*suite.addresses, *map(beside, suite.addresses)])

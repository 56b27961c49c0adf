# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Faults that are planned and a network that is slow, for any client, and while it runs."""

import http.client
import os
import socket
import struct
import threading
import time

import google.api_core.exceptions as failures
import pytest
import requests
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore

from harness import BUCKET, wait_until
from test_console_api import call, rows, state

OWNER = {"Authorization": "Bearer owner"}
HOUR = {"timeout": 3_600, "retry": None}


@pytest.fixture
def plan(emulator):
    """Plans faults, or changes the network; afterwards all is as it was."""
    token = state(emulator)["token"]

    def change(path, body):
        answer = call(emulator, "PUT", f"/console/{path}", token, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    yield change
    change("faults", {"faults": []})
    change("network", {})


@pytest.fixture
def documents(emulator, monkeypatch):
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", emulator.firestore)
    return firestore.Client("demo-firemeter", credentials=AnonymousCredentials())


def sign_up(emulator):
    path = f"http://{emulator.auth}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k"
    return requests.post(path, json={}, timeout=20)


# Faults


def test_a_download_fails_as_often_as_planned(emulator, plan):
    emulator.put("a.txt", b"whole")
    # Answered from memory from the second time on.
    assert [emulator.get("a.txt").content for _ in range(3)] == [b"whole"] * 3
    before = len(rows(emulator))
    planned = plan("faults", {"faults": [{"service": "storage", "operation": "storage.objects.get", "status": 503, "count": 2}]})
    assert planned == {"faults": [{"service": "storage", "operation": "storage.objects.get", "status": 503, "count": 2, "met": 0}]}
    assert state(emulator)["faults"] == 1
    answers = [emulator.get("a.txt") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [503, 503, 200, 200]
    assert answers[0].json()["error"]["code"] == 503
    assert state(emulator)["faults"] == 0
    seen = [(row["operation"], row["status"], row.get("billed", {}).get("egressBytes", 0)) for row in rows(emulator)[before:]]
    assert seen == [("storage.objects.get", 503, 0)] * 2 + [("storage.objects.get", 200, 5)] * 2


def test_nothing_of_a_write_that_fails_is_carried_out(emulator, plan, documents):
    plan("faults", {"faults": [{"service": "firestore", "operation": "firestore.commit", "status": 403}]})
    document = documents.document("posts/a")
    with pytest.raises(failures.PermissionDenied, match="A planned fault: 403"):
        document.set({"likes": 1}, **HOUR)
    assert not document.get(**HOUR).exists
    answer = requests.post(emulator.documents(":commit"), json={"writes": []}, headers=OWNER, timeout=20)
    assert answer.status_code == 403 and answer.json()["error"]["status"] == "PERMISSION_DENIED"
    [fault] = call(emulator, "GET", "/console/faults").json()["faults"]
    assert fault["met"] == 2
    # The page sees and changes the data all the same.
    body = {"writes": [{"update": {"name": document._document_path, "fields": {}}}]}
    path = "/console/firestore/v1/projects/demo-firemeter/databases/(default)/documents:commit"
    assert call(emulator, "POST", path, state(emulator)["token"], OWNER, json=body).status_code == 200
    assert document.get(**HOUR).exists


def test_a_client_tries_again_where_the_fault_is_passing(plan, documents):
    documents.document("posts/a").set({"likes": 1})
    plan("faults", {"faults": [{"service": "firestore", "status": 503, "count": 1}]})
    assert documents.document("posts/a").get().get("likes") == 1


def test_preflights_and_the_emulator_s_own_calls_do_not_fail(emulator, plan):
    plan("faults", {"faults": [{"service": "storage", "status": 503, "count": 1}, {"service": "auth", "status": 503, "count": 1}]})
    headers = {"Origin": "http://localhost:5000", "Access-Control-Request-Method": "GET"}
    assert requests.options(emulator.object_url("a"), headers=headers, timeout=20).status_code < 300
    accounts = f"http://{emulator.auth}/emulator/v1/projects/demo-firemeter/accounts"
    assert requests.delete(accounts, headers=OWNER, timeout=20).status_code == 200
    assert emulator.get("a").status_code == 503 and sign_up(emulator).status_code == 503


def test_a_listener_fails_when_it_begins(emulator, plan, documents):
    plan("faults", {"faults": [{"service": "firestore", "operation": "firestore.listen", "status": 503, "count": 1}]})
    seen = threading.Event()
    watch = documents.document("posts/a").on_snapshot(lambda *_: seen.set())
    assert seen.wait(30)
    watch.unsubscribe()
    assert call(emulator, "GET", "/console/faults").json() == {"faults": []}


def test_signing_in_fails(emulator, plan):
    plan("faults", {"faults": [{"service": "auth", "status": 500, "count": 1}]})
    assert [sign_up(emulator).status_code for _ in range(2)] == [500, 200]


@pytest.mark.parametrize(
    "fault, complaint",
    [
        ({"service": "database", "status": 503}, "the service is one of"),
        ({"service": "storage", "status": 200}, "the status is from 400 to 599"),
        ({"service": "storage", "operation": "firestore.commit", "status": 503}, "begins with 'storage.'"),
        ({"service": "storage", "status": 503, "count": 0}, "the count is"),
        ({"service": "storage", "status": 503, "share": 1.5}, "the share is"),
        ({"service": "storage"}, "'faults[0].status' is missing"),
        ({"service": "storage", "status": "503"}, "'faults[0].status' must be of type Int"),
    ],
)
def test_a_fault_that_cannot_be_is_refused(emulator, fault, complaint):
    answer = call(emulator, "PUT", "/console/faults", state(emulator)["token"], json={"faults": [fault]})
    assert answer.status_code == 400 and complaint in answer.json()["error"]["message"]
    assert call(emulator, "GET", "/console/faults").json() == {"faults": []}


def test_faults_need_the_page_s_token(emulator):
    assert call(emulator, "PUT", "/console/faults", json={"faults": []}).status_code == 403
    assert call(emulator, "PUT", "/console/network", json={}).status_code == 403


# The network


def duration(action):
    start = time.monotonic()
    result = action()
    return result, time.monotonic() - start


def test_a_slow_link_delays_answers_and_passes_every_byte(emulator, plan):
    data = bytes(range(256)) * 400
    emulator.put("a.bin", data)
    since = emulator.mark()
    network = plan("network", {"latencyMilliseconds": 300, "downKilobitsPerSecond": 4_000})
    assert network["downKilobitsPerSecond"] == 4_000 and "profile" not in network and state(emulator)["isThrottled"]
    answer, seconds = duration(lambda: emulator.get("a.bin"))
    # 819,200 bits, and at least a round trip.
    assert answer.content == data and seconds > 0.3 + 0.2
    totals = emulator.usage_of(1, since)
    assert totals["billed"]["egressBytes"] == len(data)
    [row] = [row for row in rows(emulator) if row.get("object") == "a.bin"][1:]
    assert row["client"] == rows(emulator)[0]["client"]
    emulator.expect_honest_meter()


def test_a_client_that_resets_at_once_leaves_the_link_to_others(emulator, plan):
    emulator.put("a.txt", b"whole")
    plan("network", {"latencyMilliseconds": 20})
    host, port = emulator.storage.rsplit(":", 1)
    for _ in range(50):
        with socket.create_connection((host, int(port))) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    descriptors = f"/proc/{emulator.process.pid}/fd"
    before = len(os.listdir(descriptors))
    assert emulator.get("a.txt").content == b"whole"
    wait_until(lambda: len(os.listdir(descriptors)) <= before, "their descriptors to be closed")


def test_an_emulator_with_a_slow_link_and_idle_clients_stops(serve):
    emulator = serve("--ephemeral", "--network", "cable")
    with requests.Session() as client:
        assert client.get(f"http://{emulator.storage}/v0/b/{BUCKET}/o", timeout=20).status_code == 200
        assert emulator.stop() == 0


def test_connections_share_the_link(emulator, plan):
    emulator.put("a.bin", bytes(50_000))
    plan("network", {"downKilobitsPerSecond": 1_600})
    threads = [threading.Thread(target=emulator.get, args=("a.bin",)) for _ in range(4)]

    def all_of_them():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    # 1,600,000 bits in all; each alone would take a quarter.
    assert duration(all_of_them)[1] > 0.9


def test_open_connections_end_when_the_network_changes(emulator, plan):
    emulator.put("a.txt", b"whole")
    connection = http.client.HTTPConnection(emulator.storage)
    path = f"/v0/b/{BUCKET}/o/a.txt?alt=media"
    connection.request("GET", path)
    assert connection.getresponse().read() == b"whole"
    open_socket = connection.sock
    plan("network", {"profile": "3g"})
    open_socket.settimeout(20)
    assert open_socket.recv(1) == b""
    answer, seconds = duration(lambda: emulator.get("a.txt"))
    assert answer.content == b"whole" and seconds > 0.3
    plan("network", {})
    assert emulator.get("a.txt").content == b"whole"


def test_an_emulator_can_begin_with_a_slow_network(serve):
    emulator = serve("--ephemeral", "--network", "3g-fast")
    network = call(emulator, "GET", "/console/network").json()
    assert (network["profile"], network["latencyMilliseconds"], network["upKilobitsPerSecond"]) == ("3g-fast", 150, 768)
    assert duration(lambda: emulator.list())[1] > 0.15


def test_real_clients_work_over_a_slow_link(plan, documents):
    assert plan("network", {"latencyMilliseconds": 40, "upKilobitsPerSecond": 2_000, "downKilobitsPerSecond": 2_000})
    changes = []
    watch = documents.collection("posts").on_snapshot(lambda found, *_: changes.append(len(found)))
    for number in range(5):
        documents.document(f"posts/{number}").set({"text": "x" * 5_000})
    wait_until(lambda: changes and changes[-1] == 5, "all documents")
    watch.unsubscribe()
    assert len(list(documents.collection("posts").stream())) == 5


@pytest.mark.parametrize("byte_count", [0, 1_000, 300_000])
def test_a_connection_that_breaks_off_breaks_off_over_a_slow_link_too(emulator, plan, byte_count):
    emulator.put("a.bin", bytes(600_000))
    plan("network", {"latencyMilliseconds": 5})
    test = requests.post(
        f"http://{emulator.storage}/retry_test",
        json={"instructions": {"storage.objects.get": [
            "return-reset-connection" if byte_count == 0 else f"return-broken-stream-after-{byte_count // 1_000}K"
        ]}},
        timeout=20,
    ).json()
    with pytest.raises((requests.ConnectionError, requests.exceptions.ChunkedEncodingError)):
        path = f"http://{emulator.storage}/storage/v1/b/{BUCKET}/o/a.bin?alt=media"
        requests.get(path, headers={"x-retry-test-id": test["id"], **OWNER}, timeout=20).content
    assert len(emulator.get("a.bin").content) == 600_000


def test_a_client_that_goes_does_not_hold_the_download(emulator, plan):
    emulator.put("a.bin", bytes(4_000_000))
    since = emulator.mark()
    plan("network", {"downKilobitsPerSecond": 8_000})
    answer = requests.get(emulator.object_url("a.bin"), params={"alt": "media"}, stream=True, timeout=20)
    answer.raw.read(100_000)
    answer.close()
    totals = emulator.usage_of(1, since)
    assert totals["billed"]["egressBytes"] < 2_000_000
    emulator.expect_honest_meter()


@pytest.mark.parametrize(
    "network, complaint",
    [
        ({"profile": "5g"}, "the profile is one of 2g"),
        ({"latencyMilliseconds": -1}, "the delay is from 0"),
        ({"downKilobitsPerSecond": 0}, "a speed is from 1"),
        ({"profile": "3g", "latencyMilliseconds": 1}, "without figures of one's own"),
    ],
)
def test_a_network_that_cannot_be_is_refused(emulator, network, complaint):
    answer = call(emulator, "PUT", "/console/network", state(emulator)["token"], json=network)
    assert answer.status_code == 400 and complaint in answer.json()["error"]["message"]
    assert not state(emulator)["isThrottled"]

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The feed of requests as Security Rules judge them, by a WebSocket."""

import json
import re
import struct
from contextlib import ExitStack

import pytest
import requests

from raw_http import RawConnection
from security_rules import OWNER, PROJECT, TWO_CONDITIONS, put_rules
from tokens import bearing, unsigned_token
from web_socket import BINARY, CLOSE, PING, PONG, TEXT, Frame, WebSocket

CLAIMS = {
    "iss": f"https://securetoken.google.com/{PROJECT}", "aud": PROJECT, "iat": 0, "exp": 3600, "auth_time": 0,
    "sub": "alice", "user_id": "alice", "firebase": {"sign_in_provider": "custom", "identities": {}},
}  # fmt: skip
ALICE = bearing(unsigned_token(**CLAIMS), "Bearer")
RULES = TWO_CONDITIONS.replace(
    "  }\n}\n", "    match /open/{id} { allow read, write: if resource == null || resource.data.n == 1; }\n  }\n}\n"
)
# The official emulator's messages of a read in two phases (1.19.9, 2026-11), without what is random or a time.
HEAD = f'"rules":{json.dumps(RULES)},"time":"TIME","rulesContext":'
CONTEXT = (
    '{"path":"/databases/(default)/documents/c/d","request":{"mapValue":{"fields":{"headers":{"mapValue":{}},"path":'
    '{"pathValue":{"segments":[{"simple":"databases"},{"simple":"(default)"},{"simple":"documents"},{"simple":"c"},'
    '{"simple":"d"}]}},"inTransaction":{"boolValue":false},"method":{"stringValue":"get"},"auth":{"mapValue":{"fields":'
    '{"uid":{"stringValue":"alice"},"token":{"mapValue":{"fields":{"aud":{"stringValue":"demo"},"sub":{"stringValue":'
    '"alice"},"user_id":{"stringValue":"alice"},"auth_time":{"intValue":"0"},"iss":{"stringValue":'
    '"https://securetoken.google.com/demo"},"exp":{"intValue":"3600"},"firebase":{"mapValue":{"fields":{"identities":'
    '{"mapValue":{}},"sign_in_provider":{"stringValue":"custom"}}}},"iat":{"intValue":"0"}}}}}}},"time":{"timestampValue":'
    '"TIME"},"fields":{"nullValue":null}}}},"method":"get","resource":'
)
DOCUMENT = (
    '{"mapValue":{"fields":{"data":{"mapValue":{"fields":{"n":{"intValue":"1"}}}},"__name__":{"pathValue":{"segments":'
    '[{"simple":"databases"},{"simple":"(default)"},{"simple":"documents"},{"simple":"c"},{"simple":"d"}]}},"id":'
    '{"stringValue":"d"}}}}'
)
FALSE = '{"line":6,"outcome":false},{"line":7,"outcome":false}'
PHASES = [
    f'{HEAD}{CONTEXT}{{"undefined":{{}}}},"time":"TIME"}},"granularAllowOutcomes":[{FALSE}],"outcome":"error"}}',
    f'{HEAD}{CONTEXT}{DOCUMENT},"time":"TIME"}},"granularAllowOutcomes":[{FALSE},{FALSE}],"outcome":"error"}}',
]
# Each is shown three times: together beyond what waits for a client, and what the kernel takes.
UNREAD_WRITES = 26
LARGE_BYTES = 600_000


@pytest.fixture
def fed(serve):
    emulator = serve("--ephemeral", "--websocket-port", "0")
    put_rules(emulator, RULES)
    for path in ["c/d", "open/a"]:
        assert patch(emulator, path, {"n": {"integerValue": "1"}}, OWNER) == 200
    return emulator


def patch(emulator, path, fields, headers=None):
    return requests.patch(emulator.documents(path), json={"fields": fields}, headers=headers, timeout=20).status_code


def read(emulator, path, headers=None):
    return requests.get(emulator.documents(path), headers=headers, timeout=20).status_code


def listen(emulator, *headers, path="/requests", **options):
    return WebSocket(emulator.websocket, path, headers, **options)


def outcome(text):
    message = json.loads(text)
    return message["rulesContext"]["path"].split("/documents/")[1], message["outcome"]


def masked(text):
    return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "TIME", text)


def test_a_message_has_the_bytes_of_the_official_emulator(fed):
    with listen(fed) as socket:
        assert socket.text() == "[]"
        assert read(fed, "c/d", ALICE) == 403
        messages = [socket.text(), socket.text()]
        ids = [json.loads(message)["requestId"] for message in messages]
    assert len(set(ids)) == 2
    for message, number, phase in zip(messages, ids, PHASES, strict=True):
        head, rest = message.split(f'"requestId":"{number}",')
        assert re.fullmatch(
            rf'\{{"rulesReleaseKey":"projects/{PROJECT}/releases/cloud.firestore-?\d+",'
            rf'"rulesReleaseName":"projects/{PROJECT}/releases/cloud.firestore",',
            head,
        )
        assert masked(rest) == phase


def test_a_client_is_sent_the_last_messages_and_then_each(fed):
    with listen(fed) as first:
        assert first.text() == "[]"
        assert read(fed, "c/d") == 403
        live = [first.text(), first.text()]
        with listen(fed) as second:
            assert second.text() == f"[{','.join(live)}]"
            assert patch(fed, "open/a", {"n": {"integerValue": "2"}}) == 200
            # Both methods are open at first.
            passes = [second.text() for _ in range(3)]
            assert passes == [first.text() for _ in range(3)]
        assert [outcome(message) for message in passes] == [("open/a", "error"), ("open/a", "error"), ("open/a", "allow")]
        # The owner is not judged.
        assert read(fed, "c/d", OWNER) == 200
        assert read(fed, "elsewhere/d") == 403
        assert outcome(first.text()) == ("elsewhere/d", "deny")


def test_requests_before_the_first_client_are_shown(fed):
    for _ in range(30):
        assert read(fed, "open/a") == 200
    with listen(fed) as socket:
        messages = json.loads(socket.text())
    assert len(messages) == 50
    assert [message["outcome"] for message in messages] == ["error", "allow"] * 25


def test_projects_without_rules_are_shown_as_open(fed):
    with listen(fed) as socket:
        assert socket.text() == "[]"
        url = fed.documents("c/d").replace(f"projects/{PROJECT}/", "projects/other/")
        assert requests.get(url, timeout=20).status_code == 404
        message = json.loads(socket.text())
    assert message["rulesReleaseName"] == "projects/other/releases/cloud.firestore"
    assert "allow read, write: if true;" in message["rules"]
    assert message["granularAllowOutcomes"] == [{"line": 5, "outcome": True}]


def test_the_console_says_where_the_feed_is(fed):
    firestore = requests.get(f"http://{fed.console}/emulators", timeout=20).json()["firestore"]
    assert f"{firestore['webSocketHost']}:{firestore['webSocketPort']}" == fed.websocket


def test_the_handshake(fed):
    with listen(fed, "Sec-WebSocket-Protocol: chat", "Sec-WebSocket-Extensions: permessage-deflate") as socket:
        assert (socket.status, socket.accepts) == (101, True)
        assert {name for name in socket.headers if name.startswith("sec-")} == {"sec-websocket-accept"}
        assert (socket.headers["upgrade"], socket.headers["connection"]) == ("websocket", "upgrade")


def test_frames_of_clients(fed):
    with listen(fed) as socket:
        assert socket.text() == "[]"
        socket.send(TEXT, b"ignored")
        socket.send(BINARY, b"ignored")
        socket.send(PING, b"payload")
        assert socket.frame() == Frame(PONG, b"payload")
        socket.send(CLOSE, struct.pack(">H", 4321) + b"reason")
        assert socket.frame() == Frame(CLOSE, struct.pack(">H", 4321))
        assert socket.is_ended()


def test_a_frame_without_a_mask_ends_the_connection(fed):
    with listen(fed) as socket:
        assert socket.text() == "[]"
        socket.send(TEXT, b"plain", is_masked=False)
        assert socket.frame() == Frame(CLOSE, struct.pack(">H", 1002))
        assert socket.is_ended()


@pytest.mark.parametrize(
    ("target", "status", "text"),
    [
        ("/requests", 400, "not a WebSocket handshake request: missing upgrade"),
        ("/", 404, "Not Found"),
        ("/requests/", 404, "Not Found"),
    ],
)
def test_a_plain_request_is_refused(fed, target, status, text):
    answer = requests.get(f"http://{fed.websocket}{target}", timeout=20)
    assert (answer.status_code, answer.text) == (status, text)


@pytest.mark.parametrize("path", ["/", "/requests/", "/requests?x=1"])
def test_another_path_is_refused(fed, path):
    with listen(fed, path=path) as socket:
        assert socket.status == 404


@pytest.mark.parametrize(
    "headers",
    [["Origin: http://evil.example"], ["Origin: null"], ["Host: evil.example"]],
    ids=["origin", "null origin", "rebound name"],
)
def test_a_page_of_another_site_reads_nothing(fed, headers):
    with listen(fed, *headers) as socket:
        assert socket.status == 403


@pytest.mark.parametrize("origin", ["http://127.0.0.1:4000", "http://localhost:4000"])
def test_a_page_of_this_machine_is_let_in(fed, origin):
    with listen(fed, f"Origin: {origin}") as socket:
        assert socket.text() == "[]"


def test_a_client_that_does_not_read_is_dropped(fed):
    with listen(fed, receive_buffer=4096) as deaf, listen(fed) as other:
        assert other.text() == "[]"
        text = "x" * LARGE_BYTES
        for _ in range(UNREAD_WRITES):
            assert patch(fed, "open/big", {"n": {"integerValue": "1"}, "text": {"stringValue": text}}) == 200
            while outcome(other.text())[1] != "allow":
                pass
        assert deaf.is_ended()
        other.send(PING, b"still here")
        while other.frame() != Frame(PONG, b"still here"):
            pass


def test_the_number_of_clients_is_bounded(fed):
    with ExitStack() as stack:
        for _ in range(16):
            assert stack.enter_context(listen(fed)).text() == "[]"
        with RawConnection(fed.websocket) as refused:
            assert refused.socket.recv(1) == b""


def test_clients_end_with_the_emulator(fed):
    with listen(fed) as socket:
        assert socket.text() == "[]"
        assert fed.stop() == 0
        assert socket.frame() == Frame(CLOSE, struct.pack(">H", 1001))
        assert socket.is_ended()


def test_without_the_option_there_is_no_feed(emulator):
    assert "websocket" not in emulator.ready
    assert set(requests.get(f"http://{emulator.console}/emulators", timeout=20).json()) == {"auth", "firestore", "storage", "console"}
    assert "webSocketPort" not in requests.get(f"http://{emulator.console}/emulators", timeout=20).json()["firestore"]
    assert requests.get(f"http://{emulator.firestore}/requests", timeout=20).status_code == 404

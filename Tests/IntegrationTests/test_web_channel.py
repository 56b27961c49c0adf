# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""WebChannel as it is on the wire: requests lost, repeated, cut and wrong."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import pytest
import requests

from channels import FORM, Channel, chunks, form, query_of
from firestore_clients import client_of
from harness import DATABASE, DOCUMENTS, wait_until
from trials.garbled_channels import GarbledChannels

LISTEN = {"database": DATABASE, "addTarget": query_of("c") | {"targetId": 2}}


def is_current(answer):
    return answer.get("targetChange", {}).get("targetChangeType") == "CURRENT"


def is_snapshot(answer):
    return set(answer.get("targetChange", {})) == {"resumeToken", "readTime"}


def listening(emulator, **options):
    channel = Channel(emulator, messages=[LISTEN], **options)
    channel.token = channel.until(is_snapshot)[-1]["targetChange"]["resumeToken"]
    return channel


def put(emulator, name, **fields):
    body = {"fields": {key: {"stringValue": value} for key, value in fields.items()}}
    requests.patch(f"http://{emulator.firestore}/v1/{DOCUMENTS}/c/{name}", json=body, timeout=20).raise_for_status()


def names(answers):
    return [answer["documentChange"]["document"]["name"].rsplit("/", 1)[1] for answer in answers if "documentChange" in answer]


def test_a_listener_is_told_of_changes(emulator):
    channel = listening(emulator)
    put(emulator, "a", text="ü€😀")
    answers = channel.until(is_snapshot)
    assert names(answers) == ["a"]
    assert answers[0]["documentChange"]["document"]["fields"]["text"] == {"stringValue": "ü€😀"}
    assert answers[0]["documentChange"]["targetIds"] == [2]


def test_many_polls_get_their_answers_while_there_are_changes(emulator):
    count = 60
    channels = [listening(emulator) for _ in range(12)]

    def follow(channel):
        seen = []
        while not seen or seen[-1] != count:
            # An answer whose body came before its head would be an error.
            seen += [int(name) for name in names(channel.poll())]
        return seen

    with ThreadPoolExecutor(len(channels)) as pool:
        following = [pool.submit(follow, channel) for channel in channels]
        for number in range(1, count + 1):
            put(emulator, str(number))
        assert [future.result(timeout=30) for future in following] == [list(range(1, count + 1))] * len(channels)


@pytest.mark.parametrize("is_poll", [False, True])
def test_a_channel_goes_over_http_2(emulator, is_poll):
    channel = listening(emulator)
    put(emulator, "a", text="ü€😀")
    query = {"VER": 8, "RID": "rpc", "SID": channel.sid, "AID": channel.last, "CI": int(is_poll), "TYPE": "xmlhttp", "t": 1}
    command = ["curl", "--silent", "--no-buffer", "--http2-prior-knowledge", f"{channel.address}?{urlencode(query)}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as curl:
        text = read_until(curl, b"", b'"resumeToken"')
        if is_poll:
            assert curl.stdout.read() == b"" and curl.wait(timeout=20) == 0
        else:
            put(emulator, "b")
            text = read_until(curl, text, b'"resumeToken"')
            curl.terminate()
    answers = [array[0] for _, array in chunks(text.decode()) if array != ["noop"]]
    assert names(answers) == (["a"] if is_poll else ["a", "b"])


def read_until(process, text, end):
    """What a process writes behind a text, as far as some words."""
    start = len(text)
    while end not in text[start:]:
        piece = os.read(process.stdout.fileno(), 1 << 16)
        assert piece, text
        text += piece
    return text


def test_what_was_not_acknowledged_is_sent_again(emulator):
    channel = listening(emulator)
    put(emulator, "a")
    for _ in range(3):
        lost = channel.back_channel(poll=True)
        assert names([array[0] for _, array in chunks(lost.text) if array != ["noop"]]) == ["a"]
    assert names(channel.until(is_snapshot)) == ["a"]
    put(emulator, "b")
    assert names(channel.until(is_snapshot)) == ["b"]


def test_what_is_repeated_is_taken_once(emulator):
    channel = Channel(emulator, "Write", [{"database": DATABASE}])
    [opened] = channel.until(lambda answer: True)
    increment = {"fieldPath": "n", "increment": {"integerValue": "1"}}
    write = {"update": {"name": f"{DOCUMENTS}/c/n"}, "updateMask": {}, "updateTransforms": [increment]}
    for _ in range(4):
        channel.send({"streamToken": opened["streamToken"], "writes": [write]}, first=1)
    channel.send({"streamToken": opened["streamToken"], "writes": [write]}, first=2)
    results = channel.until(lambda answer: answer["writeResults"][0]["transformResults"] == [{"integerValue": "2"}])
    assert len(results) == 2


def test_messages_are_taken_in_their_order(emulator):
    channel = Channel(emulator, "Write", [{"database": DATABASE}])
    writes = [{"writes": [{"update": {"name": f"{DOCUMENTS}/c/{n}"}}]} for n in range(6)]
    for first in [3, 4, 1]:
        channel.send(writes[first - 1], first=first)
    channel.send(writes[1], first=2)
    answers = channel.until(lambda answer: answer.get("streamToken") == "NA==")
    assert len(answers) == 5
    times = [answer["commitTime"] for answer in answers[1:]]
    assert times == sorted(times)


def test_a_request_that_failed_ends_the_stream_with_its_error(emulator):
    channel = Channel(emulator, "Write", [{"database": DATABASE}])
    update = {"update": {"name": f"{DOCUMENTS}/c/none", "fields": {}}, "currentDocument": {"exists": True}}
    channel.send({"writes": [update]})
    [error] = [answer["error"] for answer in channel.until(lambda answer: "error" in answer) if "error" in answer]
    assert (error["status"], error["code"]) == ("NOT_FOUND", 404)
    # A page that lost it gets it again, and no message is taken any more.
    assert "NOT_FOUND" in channel.back_channel(aid=channel.last - 1, poll=True).text
    channel.send({"writes": [{"update": {"name": f"{DOCUMENTS}/c/late"}}]})
    assert channel.back_channel().status_code == 400
    assert requests.get(f"http://{emulator.firestore}/v1/{DOCUMENTS}/c/late", timeout=20).status_code == 404


@pytest.mark.parametrize(
    "message", [{}, {"database": "nonsense"}, {"database": DATABASE}, {"addTarget": 5}, {"unknown": 1}, [], "text"]
)
def test_a_first_message_that_is_wrong_is_refused(emulator, message):
    channel = Channel(emulator, messages=[message])
    [error] = channel.until(lambda answer: "error" in answer)
    assert error["error"]["status"] == "INVALID_ARGUMENT"


def test_a_streamed_back_channel_says_at_once_that_it_is_there(emulator):
    channel = listening(emulator)
    with channel.back_channel() as answer:
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.headers["x-content-type-options"] == "nosniff"
        parts = answer.iter_content(None)
        assert next(parts).endswith(b',["noop"]]]')
        put(emulator, "a")
        assert b'"documentChange"' in next(parts)


def test_a_new_back_channel_takes_the_place_of_the_former(emulator):
    channel = listening(emulator)
    former = channel.back_channel()
    first = former.iter_content(None)
    next(first)
    assert channel.send()[0] == 1
    with channel.back_channel() as answer:
        parts = answer.iter_content(None)
        next(parts)
        assert list(first) == []
        put(emulator, "a")
        assert b'"documentChange"' in next(parts)


def test_a_page_is_told_that_it_has_no_back_channel(emulator):
    channel = listening(emulator)
    assert channel.send()[0] == 0
    put(emulator, "a")
    channel.until(is_snapshot)
    has_back_channel, newest, outstanding = channel.send()
    assert (has_back_channel, newest, outstanding) == (0, channel.last, 0)


def test_a_poll_ends_after_the_time_that_the_page_gives_it(emulator):
    channel = listening(emulator)
    assert channel.poll(TO=1_000) == ["noop"]


def test_a_back_channel_ends_when_much_of_it_is_not_acknowledged(emulator):
    channel = listening(emulator)
    for n in range(12):
        put(emulator, f"d{n}", text="x" * 30_000)
    found = []
    while len(found) < 12:
        with channel.back_channel() as answer:
            answer.encoding = "utf-8"
            text = answer.text if len(found) < 8 else next(answer.iter_content(None)).decode()
        arrays = chunks(text)
        channel.last = arrays[-1][0]
        found += names([array[0] for _, array in arrays if array != ["noop"]])
    assert sorted(found) == sorted(f"d{n}" for n in range(12))


def test_a_page_that_takes_nothing_is_not_remembered_for_ever(emulator):
    channel = listening(emulator)
    for n in range(40):
        put(emulator, "same", text=f"{n}" * 50_000)
    answers = channel.until(lambda answer: answer.get("documentChange", {}).get("document", {}).get("fields", {}).get("text", {}).get("stringValue", "")[:2] == "39")
    # Changes that came while there was no room are one, to what there is now.
    assert len(names(answers)) < 20


@pytest.mark.parametrize("method", ["POST", "GET"])
def test_a_session_that_is_ended_is_unknown(emulator, method):
    channel = listening(emulator)
    query = {"VER": 8, "SID": channel.sid, "RID": 9, "TYPE": "terminate"}
    assert requests.request(method, channel.address, params=query, timeout=20).status_code == 200
    answer = channel.back_channel()
    assert answer.status_code == 400 and answer.text.find("Unknown SID") > 0


def test_a_session_is_opened_by_a_get(emulator):
    query = {"VER": 8, "RID": 1, "CVER": 22, "SID": "null", "$req": form([LISTEN]), "TYPE": "xmlhttp", "CI": 1}
    address = f"http://{emulator.firestore}/google.firestore.v1.Firestore/Listen/channel"
    answer = requests.get(address, params=query, timeout=20)
    [[_, [kind, sid, *_]]] = json.loads(answer.headers["x-http-initial-response"])
    assert kind == "c" and sid
    assert chunks(answer.text)[0][0] == 1


def test_what_no_page_sends_is_refused(emulator):
    channel = listening(emulator)
    good = {"VER": 8, "SID": channel.sid, "RID": 5, "AID": 0}
    for query, body in [
        (good | {"VER": 7}, ""),
        (good | {"AID": 1_000}, ""),
        (good | {"AID": -1}, ""),
        (good | {"AID": "x"}, ""),
        (good, "ofs=x"),
        (good, "req0___data__=%"),
        (good | {"SID": "other"}, ""),
    ]:
        answer = requests.post(channel.address, body, params=query, headers=FORM, timeout=20)
        assert answer.status_code == 400, (query, body)
    for query in [good | {"AID": 1_000, "RID": "rpc"}, {"VER": 8}]:
        assert requests.get(channel.address, params=query, timeout=20).status_code == 400
    assert requests.get(channel.address.replace("Listen", "Other"), timeout=20).status_code == 404
    # The session is as it was.
    put(emulator, "a")
    assert names(channel.until(is_snapshot)) == ["a"]


def test_a_page_may_be_of_any_origin(emulator):
    origin = {"Origin": "http://app.example:5000"}
    address = f"http://{emulator.firestore}/google.firestore.v1.Firestore/Listen/channel"
    asked = origin | {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-a"}
    answer = requests.options(address, headers=asked, timeout=20)
    assert answer.status_code == 200 and answer.headers["access-control-allow-headers"] == "x-a"
    answer = requests.post(address, form([]), params={"VER": 8, "RID": 1}, headers=FORM | origin, timeout=20)
    assert answer.headers["access-control-allow-origin"] == origin["Origin"]
    assert answer.headers["access-control-allow-credentials"] == "true"
    assert "x-http-initial-response" in answer.headers["access-control-expose-headers"]


def test_the_caller_is_the_one_of_the_first_request(serve):
    emulator = serve("--ephemeral", "--require-auth")
    channel = Channel(emulator, messages=[LISTEN])
    refused = channel.until(lambda answer: answer.get("targetChange", {}).get("targetChangeType") == "REMOVE")
    assert refused[-1]["targetChange"]["cause"]["code"] == 7
    listening(emulator, headers={"Authorization": "Bearer owner", "X-Goog-Api-Client": "gl-js/ fire/12.3.0"})


def test_bytes_and_reads_are_those_of_the_listener(emulator):
    client = client_of(emulator.firestore, "demo")
    for n in range(3):
        client.collection("c").document(f"d{n}").set({"n": n})
    mark = requests.post(f"http://{emulator.console}/usage/marks", timeout=20).json()["mark"]
    headers = {"X-Goog-Api-Client": "gl-js/ fire/12.3.0"}
    channel = listening(emulator, headers=headers)
    put(emulator, "e")
    channel.until(is_snapshot)
    channel.terminate()
    channel.http.close()

    def usage(**by):
        return requests.get(f"http://{emulator.console}/usage", params={"since": mark} | by, timeout=20).json()

    whole = usage()
    assert whole["billed"]["documentReads"] == 4
    by_operation = {group["key"]: group for group in usage(by="operation")["groups"]}
    listened = by_operation["firestore.listen"]
    assert listened["billed"]["documentReads"] == 4
    by_collection = {group["key"]: group for group in usage(by="collection")["groups"]}
    # All but the request that ended it, which says nothing of a collection.
    assert by_collection["c"]["bytes"]["sent"] > 0.9 * listened["bytes"]["sent"]


def test_bytes_of_a_listener_that_resumes_without_a_change_are_its_own(emulator):
    put(emulator, "e")
    token = listening(emulator).token
    channel = Channel(emulator, messages=[{"database": DATABASE, "addTarget": query_of("other") | {"targetId": 4}}])
    channel.until(is_snapshot)
    mark = emulator.mark()
    channel.send({"database": DATABASE, "addTarget": LISTEN["addTarget"] | {"resumeToken": token}})
    channel.until(lambda answer: is_snapshot(answer) or is_current(answer))
    channel.poll(TO=1)
    groups = emulator.usage(by="collection", since=mark)
    assert groups["c"]["bytes"]["bodySent"] > 100 and groups["c"]["billed"]["documentReads"] == 0


@pytest.mark.parametrize("is_terminated", [True, False])
def test_the_bytes_of_a_channels_connections_are_the_kernels(serve, is_terminated):
    emulator = serve("--ephemeral")

    def kernel():
        return requests.get(f"http://{emulator.console}/usage/kernel", timeout=20).json()

    channel = listening(emulator)
    streamed = channel.back_channel()
    for number in range(20):
        put(emulator, str(number), text="ü€😀" * number)
    streamed.raw.read(30)
    if is_terminated:
        channel.terminate()
    before = kernel()["connections"]
    # Broken off in the middle of its answers.
    streamed.close()
    channel.http.close()
    wait_until(lambda: kernel()["connections"] > before, "the channel's connections to end")
    assert kernel()["difference"] == 0 and kernel()["sent"]["recorded"] > 2_000


def test_writes_are_billed_once(emulator):
    mark = requests.post(f"http://{emulator.console}/usage/marks", timeout=20).json()["mark"]
    channel = Channel(emulator, "Write", [{"database": DATABASE}])
    for _ in range(3):
        channel.send({"writes": [{"update": {"name": f"{DOCUMENTS}/c/{n}"}} for n in range(5)]}, first=1)
    channel.until(lambda answer: "writeResults" in answer)
    usage = requests.get(f"http://{emulator.console}/usage", params={"since": mark, "by": "collection"}, timeout=20).json()
    assert {group["key"]: group["billed"]["documentWrites"] for group in usage["groups"]}["c"] == 5


def test_a_stopping_server_tells_its_pages(serve):
    emulator = serve("--ephemeral")
    channel = listening(emulator)
    with channel.back_channel() as answer:
        parts = answer.iter_content(None)
        next(parts)
        emulator.process.terminate()
        assert b'"UNAVAILABLE"' in b"".join(parts)
    assert emulator.process.wait(timeout=20) == 0


def test_garbage_ends_nothing_but_itself(emulator):
    trial = GarbledChannels(emulator, seed=3)
    trial.run(1_000)
    assert not trial.problems
    assert {"200", "400"} <= trial.statuses.keys()


def test_a_page_that_comes_back_finds_its_session(emulator):
    channels = [listening(emulator) for _ in range(20)]
    for channel in channels:
        channel.back_channel()
        channel.http.close()
    put(emulator, "a")
    for channel in channels:
        assert names([array[0] for _, array in chunks(channel.back_channel(poll=True).text) if array != ["noop"]]) == ["a"]

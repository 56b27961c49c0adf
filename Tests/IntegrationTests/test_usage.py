# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

import csv
import io
import json
import socket

import pytest
import requests
from prometheus_client.parser import text_string_to_metric_families

import feeds
from harness import DIMENSIONS, DOCUMENTS, wait_until
from raw_http import RawConnection
from relay import reset
from tokens import bearing, unsigned_token

def figures(totals):
    """The numbers of a total by their names."""
    return {
        "requests": totals["requests"],
        **{f"bytes.{key}": value for key, value in totals["bytes"].items()},
        **{f"billed.{key}": value for key, value in totals["billed"].items()},
    }


def use_everything(emulator):
    """Traffic of many kinds, some of it refused."""
    emulator.put("ann/p1/0", b"x" * 5_000, headers=bearing(unsigned_token(user_id="ann")))
    emulator.put("ann/p1/1", b"y" * 7_000)
    for name in ["ann/p1/0", "ann/p1/0", "ann/p1/1", "none"]:
        emulator.get(name, headers={**bearing(unsigned_token(user_id="bob")), "X-Firemeter-Tag": "everything"})
    emulator.get("ann/p1/0", headers={"Range": "bytes=0-99", "User-Agent": "Ranger/1"})
    emulator.get("ann/p1/1", token="wrong")
    emulator.list()
    requests.patch(emulator.documents("posts/p1"), json={"fields": {"likes": {"integerValue": "1"}}}, timeout=10)
    feeds_query = {"structuredQuery": {"from": [{"collectionId": "posts"}], "limit": 5}}
    emulator.firestore_call("runQuery", feeds_query)
    emulator.firestore_call("runQuery", {"broken": True})
    requests.delete(emulator.documents("posts/p1"), timeout=10)
    requests.delete(emulator.object_url("ann/p1/1"), timeout=10)
    with RawConnection(emulator.storage) as connection:
        connection.send(b"garbage\r\n\r\n")
        connection.until_end()


def test_totals_tell_all_figures(emulator):
    usage = emulator.usage()
    assert list(usage) == ["requests", "bytes", "billed", "missingIndexes"]
    assert list(usage["bytes"]) == ["received", "sent", "bodySent"]
    billed = ["egressBytes", "classA", "classB", "documentReads", "documentWrites", "documentDeletes", "ruleReads"]
    billed += ["tier1ActiveUsers", "tier2ActiveUsers", "smsMessages"]
    assert list(usage["billed"]) == billed
    assert set(figures(usage).values()) == {0}


def test_totals_follow_the_traffic(emulator):
    use_everything(emulator)
    usage = emulator.usage_of(15)
    assert usage["requests"] == 15
    billed = usage["billed"]
    assert billed["classA"] == 3, "two uploads and a list"
    assert billed["classB"] == 4, "downloads that were not refused"
    assert (billed["documentReads"], billed["documentWrites"], billed["documentDeletes"]) == (1, 1, 1)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_a_breakdown_adds_up_to_the_total(emulator, dimension):
    use_everything(emulator)
    total = figures(emulator.usage_of(15))
    groups = [figures(group) for group in emulator.usage(by=dimension).values()]
    assert len(groups) > 1
    assert {key: sum(group[key] for group in groups) for key in total} == total
    assert requests.get(f"http://{emulator.console}/usage?by={dimension}", timeout=10).json()["by"] == dimension


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_a_breakdown_since_a_mark_adds_up(emulator, dimension):
    use_everything(emulator)
    emulator.usage_of(15)
    mark = emulator.mark()
    assert set(figures(emulator.usage(since=mark)).values()) == {0}
    use_everything(emulator)
    total = figures(emulator.usage_of(15, since=mark))
    groups = [figures(group) for group in emulator.usage(by=dimension, since=mark).values()]
    assert {key: sum(group[key] for group in groups) for key in total} == total
    assert emulator.usage()["requests"] == 30


def test_usage_is_kept_by_object_feed_and_operation(emulator):
    use_everything(emulator)
    assert emulator.usage(by="feed")["ann/p1"]["billed"]["classB"] == 4
    assert emulator.usage(by="object")["ann/p1/0"]["bytes"]["bodySent"] > 10_100
    operations = emulator.usage(by="operation")
    assert operations["storage.objects.get"]["requests"] == 6
    assert operations["firestore.runQuery"]["requests"] == 2
    assert operations["storage.malformed"]["requests"] == 1


def test_usage_is_kept_by_client(emulator):
    emulator.put("a", b"x" * 100)
    emulator.get("a", headers={"User-Agent": "Ranger/1"})
    emulator.get("a", headers={"User-Agent": "Ranger/1", "X-Firebase-Storage-Version": "webjs/12.3.0"})
    clients = emulator.usage(by="client")
    assert clients["Ranger/1"]["requests"] == 1
    assert clients["webjs/12.3.0"]["requests"] == 1


@pytest.mark.parametrize(
    ("authorization", "user"),
    [
        (f"Firebase {unsigned_token(user_id='ann')}", "ann"),
        (f"Bearer {unsigned_token(user_id='ann', sub='other')}", "ann"),
        (f"Bearer {unsigned_token(sub='bob')}", "bob"),
        (f"Bearer {unsigned_token(user_id='日本')}", "日本"),
        ("Bearer owner", ""),
        ("Bearer no.token.atall", ""),
        ("Bearer ..", ""),
        (f"Basic {unsigned_token(user_id='ann')}", ""),
    ],
)
def test_the_user_is_the_tokens(emulator, authorization, user):
    emulator.put("a", b"x" * 100, headers={"Authorization": authorization})
    requests.get(emulator.documents("posts/p1"), headers={"Authorization": authorization}, timeout=10)
    assert {key: group["requests"] for key, group in emulator.usage(by="user").items()} == {user: 2}


def requests_by(emulator, dimension, **parameters):
    return {key: group["requests"] for key, group in emulator.usage(by=dimension, **parameters).items()}


def test_callers_tag_what_their_requests_are_for(emulator):
    emulator.put("ann/p1/0", b"x" * 500)
    for tag, count in [("feed", 3), ("detail", 2)]:
        for _ in range(count):
            emulator.get("ann/p1/0", headers={"X-Firemeter-Tag": tag})
    requests.get(emulator.documents("posts/none"), headers={"X-Firemeter-Tag": "detail"}, timeout=10)
    assert requests_by(emulator, "tag") == {"": 1, "feed": 3, "detail": 3}
    assert emulator.usage(tag="feed")["billed"]["egressBytes"] == 1_500
    assert requests_by(emulator, "operation", tag="detail") == {
        "storage.objects.get": 2, "firestore.getDocument": 1
    }  # fmt: skip
    assert emulator.usage(tag="none")["requests"] == 0


def test_images_are_told_apart_by_their_variant(emulator):
    for name in ["ann/p1/0", "ann/p1/1", "ann/p1/2", "ann/p1/0_200x200.jpg", "logo.png"]:
        emulator.put(name, b"x" * 100)
    mark = emulator.mark()
    for name in ["ann/p1/0", "ann/p1/1", "ann/p1/2", "ann/p1/0_200x200.jpg", "logo.png"]:
        emulator.get(name)
    assert requests_by(emulator, "variant", since=mark) == {"thumbnail": 1, "full": 2, "resized": 1, "": 1}
    assert requests_by(emulator, "feed", since=mark) == {"ann/p1": 4, "": 1}


def test_downloads_tell_of_the_clients_cache(emulator):
    emulator.put("a", b"x" * 100)
    etag = emulator.get("a").headers["ETag"]
    emulator.get("a", headers={"Range": "bytes=0-9"})
    assert emulator.get("a", headers={"If-None-Match": etag}).status_code == 304
    emulator.get("none")
    requests.get(emulator.object_url("a"), timeout=10)
    assert requests_by(emulator, "cache") == {"full": 1, "partial": 1, "notModified": 1, "": 3}
    assert requests_by(emulator, "status") == {"200": 3, "206": 1, "304": 1, "404": 1}


def test_groups_with_the_most_come_first_and_the_others_are_summed_up(emulator):
    for name, count in [("a", 1), ("b", 3), ("c", 2)]:
        emulator.put(name, b"x" * 10)
        for _ in range(count):
            emulator.get(name)
    url = f"http://{emulator.console}/usage"
    answer = requests.get(url, params={"by": "object", "order": "billed.egressBytes", "limit": 2}, timeout=10).json()
    assert [group["key"] for group in answer["groups"]] == ["b", "c"]
    sums = [figures(group) for group in [*answer["groups"], answer["others"]]]
    assert {key: sum(group[key] for group in sums) for key in sums[0]} == figures(answer["total"])


def test_usage_is_told_in_time(emulator):
    emulator.put("a", b"x" * 10)
    emulator.get("a")
    answer = requests.get(f"http://{emulator.console}/usage", params={"every": "1d"}, timeout=10).json()
    assert answer["everyMinutes"] == 24 * 60
    assert sum(step["requests"] for step in answer["series"]) == answer["total"]["requests"] == 2
    assert all(step["start"].endswith("T00:00:00Z") for step in answer["series"])


def test_usage_is_told_as_a_table(emulator):
    emulator.put('a"b,c', b"x" * 10)
    emulator.get('a"b,c')
    response = requests.get(f"http://{emulator.console}/usage", params={"by": "object", "format": "csv"}, timeout=10)
    assert response.headers["Content-Type"] == "text/csv; charset=UTF-8"
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert [(row["object"], row["requests"], row["billed.egressBytes"]) for row in rows] == [
        ('a"b,c', "2", str(figures(emulator.usage())["billed.egressBytes"]))
    ]


def test_a_screen_keeps_to_its_budget(seeded_emulator):
    mark = seeded_emulator.mark()
    response, documents = feeds.run_posts_query(seeded_emulator, limit=4)
    received = len(response.content)
    for document in documents:
        fields = document["fields"]
        thumbnail = fields["images"]["arrayValue"]["values"][0]["mapValue"]["fields"]
        name = f"{fields['userID']['stringValue']}/{fields['feedID']['stringValue']}/0"
        image = seeded_emulator.get(name, bucket=feeds.BUCKET, token=thumbnail["token"]["stringValue"])
        assert len(image.content) == int(thumbnail["bytes"]["integerValue"])
        received += len(image.content)
    usage = seeded_emulator.usage(since=mark)
    assert usage["requests"] == 5
    assert usage["billed"]["documentReads"] == 4 <= 6
    assert usage["bytes"]["bodySent"] == usage["billed"]["egressBytes"] == received <= 400_000


@pytest.mark.parametrize(
    ("query", "mentions"),
    [
        ("by=color", "color"),
        ("by=", "operation"),
        ("since=yesterday", "yesterday"),
        ("since=m-1", "m-1"),
        ("since=m01", "m01"),
        ("since=", "mark"),
    ],
)
def test_senseless_questions_are_refused(emulator, query, mentions):
    response = requests.get(f"http://{emulator.console}/usage?{query}", timeout=10)
    assert response.status_code == 400
    assert mentions in response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("POST", "/usage", 405), ("GET", "/usage/marks", 405), ("DELETE", "/emulators", 405), ("GET", "/none", 404)],
)
def test_other_requests_to_the_console_are_refused_in_json(emulator, method, path, status):
    response = requests.request(method, f"http://{emulator.console}{path}", timeout=10)
    assert response.status_code == status
    assert response.json()["error"]["code"] == status


def test_asking_costs_nothing(emulator):
    for _ in range(3):
        emulator.usage(by="operation")
        emulator.mark()
    assert emulator.usage()["requests"] == 0


def test_a_refused_request_is_no_billed_operation(emulator):
    emulator.get("none")
    requests.delete(emulator.object_url("none"), timeout=10)
    usage = emulator.usage()
    assert (usage["billed"]["classA"], usage["billed"]["classB"]) == (0, 0)
    assert usage["bytes"]["bodySent"] > 0


def test_a_refused_upload_is_one_request(emulator):
    with RawConnection(emulator.storage) as connection:
        head = f"POST /v0/b/demo.appspot.com/o?name=a HTTP/1.1\r\nHost: h\r\nContent-Length: {6 << 40}\r\n\r\n"
        connection.send(head.encode() + b"x" * 1_000)
        assert connection.response()[0] == 413
        connection.socket.shutdown(socket.SHUT_WR)
        assert connection.until_end() == b"", "a request has one answer"
    assert emulator.usage_of(1)["requests"] == 1


def test_a_broken_off_download_is_charged_less_than_its_size(emulator):
    size = 64 << 20
    emulator.put("big", b"\0" * size)
    mark = emulator.mark()
    download = RawConnection(emulator.storage, receive_buffer=64 << 10)
    download.request("GET", "/v0/b/demo.appspot.com/o/big?alt=media")
    assert download.head()[0] == 200
    assert len(download.body(100_000)) == 100_000
    reset(download.socket)
    usage = emulator.usage_of(1, since=mark)
    assert 100_000 <= usage["billed"]["egressBytes"] == usage["bytes"]["bodySent"] < size // 4
    assert requests_by(emulator, "outcome", since=mark) == {"clientClosed": 1}


def test_a_small_download_that_a_client_cancels_is_charged_what_left(emulator):
    """The kernel takes the whole image at once, and throws most of it away when the client goes."""
    emulator.put("ann/p1/0", b"x" * 500_000)
    mark = emulator.mark()
    download = RawConnection(emulator.storage, receive_buffer=4 << 10)
    download.request("GET", "/v0/b/demo.appspot.com/o/ann%2Fp1%2F0?alt=media")
    assert download.head()[0] == 200
    assert len(download.body(1_000)) == 1_000
    reset(download.socket)
    wait_until(lambda: requests_by(emulator, "outcome", since=mark) == {"clientClosed": 1}, "the end of the download")
    usage = emulator.usage(since=mark)
    assert usage["billed"]["classB"] == usage["requests"] == 1
    assert 1_000 <= usage["billed"]["egressBytes"] == usage["bytes"]["bodySent"] < 500_000
    kernel = requests.get(f"http://{emulator.console}/usage/kernel", timeout=10).json()
    assert kernel["difference"] == 0
    assert kernel["sent"]["kernel"] == kernel["sent"]["recorded"] > usage["bytes"]["sent"]


def test_a_waiting_answer_is_charged_when_it_has_gone(emulator):
    """The record of a request is there as soon as its client has the last byte."""
    emulator.put("a", b"x" * 3_000_000)
    with RawConnection(emulator.storage) as connection:
        for count in range(1, 30):
            connection.request("GET", "/v0/b/demo.appspot.com/o/a?alt=media", body=b"")
            assert len(connection.response()[2]) == 3_000_000
            assert emulator.usage()["requests"] == count + 1
        connection.socket.shutdown(socket.SHUT_WR)


class UsageEvents:
    """Reads `GET /usage/events`."""

    def __init__(self, emulator, query=""):
        self.connection = RawConnection(emulator.console)
        self.connection.request("GET", f"/usage/events{query}")
        status, fields = self.connection.head()
        assert (status, fields["content-type"]) == (200, "text/event-stream")
        assert fields["transfer-encoding"] == "chunked"

    def next(self):
        """The usage that the next event tells."""
        text = self._chunk()
        assert text.startswith("event: usage\ndata: ") and text.endswith("\n\n")
        return json.loads(text.removeprefix("event: usage\ndata: "))

    def _chunk(self):
        line = b""
        while not line.endswith(b"\r\n"):
            line += self.connection.body(1)
        return self.connection.body(int(line, 16) + 2)[:-2].decode()


def has_been_read(connection):
    """Whether the server has read all that was sent on a connection: nothing is left in the kernel's queues."""
    (_, here), (_, there) = connection.getsockname(), connection.getpeername()
    left = 0
    with open("/proc/net/tcp") as table:
        for line in list(table)[1:]:
            _, local, remote, _, queues, *_ = line.split()
            if {int(end.split(":")[1], 16) for end in (local, remote)} == {here, there}:
                left += sum(int(queue, 16) for queue in queues.split(":"))
    return left == 0


def test_a_write_whose_client_has_gone_is_billed_when_it_is_made(emulator):
    write = {"writes": [{"update": {"name": f"{DOCUMENTS}/posts/p1", "fields": {}}}]}
    assert emulator.firestore_call("commit", write).status_code == 200
    # A transaction that has read the document holds up other writes to it.
    begun = emulator.firestore_call("beginTransaction", {}).json()
    assert emulator.firestore_call("batchGet", {"documents": [f"{DOCUMENTS}/posts/p1"], **begun}).status_code == 200
    connection = RawConnection(emulator.firestore)
    connection.request("POST", f"/v1/{DOCUMENTS}:commit", ["Content-Type: application/json"], json.dumps(write).encode())
    wait_until(lambda: has_been_read(connection.socket), "the server reads the request")
    reset(connection.socket)
    before = emulator.usage_of(4)["billed"]
    assert emulator.firestore_call("rollback", begun).status_code == 200
    wait_until(lambda: emulator.usage()["billed"]["documentWrites"] == 2, "the write is billed")
    assert before["documentWrites"] == 1
    # The bill is not a request of its own.
    assert emulator.usage_of(5)["requests"] == 5


def test_changes_are_told_as_they_happen(emulator):
    everything = UsageEvents(emulator)
    tagged = UsageEvents(emulator, "?tag=mine&by=object")
    assert everything.next()["requests"] == 0
    assert tagged.next()["groups"] == []
    emulator.put("a", b"x" * 100)
    assert everything.next()["requests"] == 1
    emulator.get("a", headers={"X-Firemeter-Tag": "mine"})
    assert tagged.next()["groups"][0]["billed"]["egressBytes"] == 100
    emulator.stop()
    assert everything.connection.until_end().endswith(b"0\r\n\r\n"), "the server ends what goes on for ever"


def test_events_since_a_mark_of_other_data_are_refused(emulator):
    response = requests.get(f"http://{emulator.console}/usage/events", params={"since": "m9-9"}, timeout=10)
    assert response.status_code == 400


def test_metrics_are_what_prometheus_reads(emulator):
    emulator.put("a", b"x" * 100)
    emulator.get("a")
    response = requests.get(f"http://{emulator.console}/metrics", timeout=10)
    assert response.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    families = {family.name: family for family in text_string_to_metric_families(response.text)}
    sent = {sample.labels["operation"]: sample.value for sample in families["firemeter_sent_bytes"].samples}
    assert sent == {key: group["bytes"]["sent"] for key, group in emulator.usage(by="operation").items()}
    assert all(family.type == "gauge" for family in families.values())

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""What `serve --record` writes: every request, in files that do not grow without end, and no secret."""

import gzip
import json
import queue

import grpc
import pytest
import requests
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore, storage

import feeds
from firestore_clients import client_of
from harness import BUCKET, DIMENSIONS, FREE_PORTS, run_audit, run_emulator, wait_until
from raw_http import RawConnection
from relay import reset
from tokens import unsigned_token


SECRET = "Swordfish"


def parts(log):
    """The files of a log, the oldest first."""
    set_aside = sorted(log.parent.glob(log.name + ".*.gz"), key=lambda path: int(path.name.split(".")[-2]))
    return [*set_aside, log]


def contents(path):
    return gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()


def lines_of(log):
    """The requests in all files of a log, taken back or not; each begins with the same header."""
    files = [[json.loads(line) for line in contents(path).splitlines()] for path in parts(log)]
    assert all(lines[0] == files[0][0] for lines in files)
    return [line for lines in files for line in lines[1:] if line["type"] in ("request", "retraction")]


def test_record_writes_a_line_for_each_request(serve, tmp_path):
    log = tmp_path / "session.log"
    emulator = serve("--record", log)
    emulator.put("ann/p1/0", b"0123456789")
    assert emulator.get("ann/p1/0").content == b"0123456789"
    assert emulator.get("nowhere").status_code == 404
    usage = emulator.usage()
    assert emulator.stop() == 0
    header = json.loads(log.read_text().splitlines()[0])
    lines = lines_of(log)
    assert (header["type"], header["schema"]) == ("header", "firemeter.session/1")
    assert [line["status"] for line in lines] == [200, 200, 404]
    assert sum(line["sent"]["wire"] for line in lines) == usage["bytes"]["sent"]
    assert sum(line["received"]["wire"] for line in lines) == usage["bytes"]["received"]


def test_a_log_that_cannot_be_written_is_named(tmp_path):
    ended = run_emulator(*FREE_PORTS, "--record", tmp_path)
    assert ended.returncode == 74
    assert str(tmp_path) in ended.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--record-rotate", "1"],
        ["--record-rotate", "12 parsecs"],
        ["--record-rotate", "99999999999GB"],
        ["--record-keep", "-1"],
    ],
)
def test_senseless_rotations_are_refused(arguments):
    ended = run_emulator(*FREE_PORTS, "--record", "session.log", *arguments)
    assert ended.returncode == 64
    assert arguments[0] in ended.stderr


def test_a_full_log_goes_on_in_another_file(serve, tmp_path):
    log = tmp_path / "session.log"
    emulator = serve("--record", log, "--record-rotate", "4kB")
    emulator.put("a", b"0123456789")
    for _ in range(40):
        emulator.get("a")
    usage = emulator.usage()
    assert emulator.stop() == 0
    assert len(parts(log)) > 3
    assert all(len(contents(path)) < 5_000 for path in parts(log))
    lines = lines_of(log)
    assert len(lines) == usage["requests"] == 41
    assert sum(line["sent"]["wire"] for line in lines) == usage["bytes"]["sent"]
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in parts(log)}


def test_a_restarted_recorder_goes_on_and_keeps_as_many_files_as_are_asked_for(serve, tmp_path):
    log = tmp_path / "session.log"
    for _ in range(2):
        emulator = serve("--record", log, "--record-rotate", "2kB", "--record-keep", "3")
        emulator.put("a", b"0123456789")
        for _ in range(20):
            emulator.get("a")
        assert emulator.stop() == 0
    numbers = [int(path.name.split(".")[-2]) for path in parts(log)[:-1]]
    assert len(numbers) == 3 and numbers == list(range(numbers[0], numbers[0] + 3)) and numbers[0] > 3
    assert lines_of(log)


def test_a_recorder_that_is_killed_leaves_whole_lines(serve, tmp_path):
    log = tmp_path / "session.log"
    emulator = serve("--record", log, "--record-rotate", "2kB", "--seed", feeds.write_feed(tmp_path))
    for _ in range(30):
        emulator.get("ann/p1/0", bucket=feeds.BUCKET)
    emulator.usage_of(30)
    emulator.kill()
    emulator = serve("--record", log, "--record-rotate", "2kB")
    assert emulator.stop() == 0
    assert 1 <= len(lines_of(log)) <= 30
    assert "recorded" in run_audit("replay", log).stdout


def test_a_download_that_a_client_cancels_is_told_anew(serve, tmp_path):
    log = tmp_path / "session.log"
    emulator = serve("--record", log)
    emulator.put("a", b"x" * 50_000)
    download = RawConnection(emulator.storage, receive_buffer=4 << 10)
    download.request("GET", f"/v0/b/{BUCKET}/o/a?alt=media")
    assert download.head()[0] == 200
    emulator.usage_of(2)  # the kernel has taken the whole answer
    reset(download.socket)
    wait_until(lambda: "clientClosed" in emulator.usage(by="outcome"), "the end of the download")
    usage = emulator.usage()
    assert emulator.stop() == 0
    lines = lines_of(log)
    signs = {"request": 1, "retraction": -1}
    assert [line["type"] for line in lines][-2:] == ["retraction", "request"]
    assert sum(signs[line["type"]] for line in lines) == usage["requests"]
    assert sum(signs[line["type"]] * line["sent"]["wire"] for line in lines) == usage["bytes"]["sent"]
    assert lines[-1]["abortCause"] == "clientClosed"


def test_a_listener_and_its_data_are_in_the_log_to_the_byte(serve, tmp_path):
    log = tmp_path / "session.log"
    emulator = serve("--record", log)
    client = client_of(emulator.firestore, "demo-record", own_connection=True)
    posts = client.collection("posts")
    posts.document("p1").set({"cover": f"http://{emulator.storage}/v0/b/{BUCKET}/o/p1%2F0?token={SECRET}", "n": 1})
    emulator.put("p1/0", b"0123456789")
    emulator.get("p1/0")
    heard = queue.Queue()
    watch = posts.order_by("n").limit(2).on_snapshot(lambda documents, changes, time: heard.put(len(documents)))
    assert heard.get(timeout=15) == 1
    posts.document("p1").update({"n": 2})
    assert heard.get(timeout=15) == 1
    watch.unsubscribe()
    client._firestore_api.transport.close()
    wait_until(lambda: "firestore.connection" in emulator.usage(by="operation"), "the end of the connection")
    usage = emulator.usage()
    assert emulator.stop() == 0
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    counted = [line for line in lines if line["type"] in ("request", "part")]
    assert sum(line["sent"]["wire"] for line in counted) == usage["bytes"]["sent"]
    assert sum(line["received"]["wire"] for line in counted) == usage["bytes"]["received"]
    reads = sum(line.get("billed", {}).get("documentReads", 0) for line in counted)
    assert reads == usage["billed"]["documentReads"] == 2
    first, change = [line["read"] for line in counted if line.get("read", {}).get("documents")]
    assert (first["limit"], "list" in first, change.get("changed")) == (2, True, True)
    described = {line["number"]: line for line in lines if line["type"] == "document"}
    former, latter = (described[read["documents"][0]] for read in (first, change))
    assert former["path"] == latter["path"] == "posts/p1" and former["updatedAt"] < latter["updatedAt"]
    assert former["mentions"] == latter["mentions"] and SECRET not in log.read_text()
    (shown,) = [line for line in lines if line["type"] == "object"]
    assert (shown["object"], shown["bytes"], "pixelWidth" in shown) == ("p1/0", 10, False)


# A real app


def walk(emulator):
    """A feed as Google's clients read it, all images of the list at once; returns the user's views."""
    documents = client_of(emulator.firestore, feeds.FEED["project"])
    images = storage.Client(
        project=feeds.FEED["project"],
        credentials=AnonymousCredentials(),
        client_options={"api_endpoint": f"http://{emulator.storage}"},
    ).bucket(feeds.BUCKET)
    try:
        query = documents.collection("posts").order_by("likes", direction=firestore.Query.DESCENDING).limit(8)
        posts = [snapshot.to_dict() | {"id": snapshot.id} for snapshot in query.stream()]
        assert [post["id"] for post in posts] == ["p2", "p4", "p1", "p3"]
        for post in posts:
            for index in range(len(post["images"])):
                assert images.blob(f"{post['userID']}/{post['feedID']}/{index}").download_as_bytes()
        opened = {"view": "openPost", "owner": posts[0]["userID"], "post": posts[0]["feedID"]}
        return [{"view": "openFeed", "sort": "popular", "page": 0}, opened]
    finally:
        documents._firestore_api.transport.close()


def test_a_session_of_googles_clients_replays(serve, tmp_path):
    log = tmp_path / "session.log"
    emulator = serve("--seed", feeds.write_feed(tmp_path), "--record", log, "--record-rotate", "1kB")
    views = walk(emulator)
    operations = {key: group["requests"] for key, group in emulator.usage(by="operation").items()}
    assert emulator.stop() == 0
    assert len(parts(log)) > 2
    recorded = lines_of(log)
    assert {key: sum(line["operation"] == key for line in recorded) for key in operations} == operations
    # The app adds its user's views to the log.
    with open(log, "a", encoding="utf-8") as file:
        for second, view in enumerate(views):
            file.write(json.dumps({"type": "view", "at": 1_000 * second, "client": "u1", **view}) + "\n")
    ended = run_audit("replay", log, "--strategy", "all-images", "--strategy", "thumbnails+memory", "--format", "json")
    assert ended.returncode == 0, ended.stderr
    report = json.loads(ended.stdout)
    everything, thumbnails = report["strategies"]
    downloads = [line for line in recorded if line.get("n") is not None]
    assert everything["billed"]["documentReads"] == sum(line["billed"].get("documentReads", 0) for line in recorded)
    assert 0 < thumbnails["bytes"]["body"] < everything["bytes"]["body"]
    assert len(downloads) == len(feeds.IMAGE_NAMES) and {line["client"] for line in downloads} != {None}


# Secrets


def with_secrets(emulator):
    """Calls that carry secrets wherever clients put them."""
    token = unsigned_token(user_id="ann") + SECRET
    fields = {
        "Cookie": f"session={SECRET}",
        "X-Firebase-AppCheck": SECRET,
        "X-Goog-Api-Key": SECRET,
        "X-Goog-Encryption-Key": SECRET,
    }
    stored = emulator.put("ann/p1/0", b"0123456789", headers={"Authorization": f"Firebase {token}"})
    secrets = [SECRET, stored["downloadTokens"]]
    queries = [{"token": SECRET}, {"key": SECRET}, {"access_token": SECRET}, {"token": stored["downloadTokens"]}]
    for authorization in [f"Bearer {token}", f"Firebase {token}", f"Basic {SECRET}", SECRET]:
        for query in queries:
            emulator.get("ann/p1/0", headers={"Authorization": authorization, **fields}, **query)
            emulator.get("nowhere", headers={"Authorization": authorization, **fields}, **query)
    root = f"http://{emulator.storage}"
    signed = {"X-Goog-Algorithm": "GOOG4-RSA-SHA256", "X-Goog-Credential": SECRET, "X-Goog-Signature": SECRET}
    for path in [f"/{BUCKET}/ann/p1/0", "/no/such/api", "/storage/v1/nothing"]:
        requests.get(root + path, params=signed, headers=fields, timeout=10)
        requests.get(root + path, params={"GoogleAccessId": SECRET, "Signature": SECRET, "Expires": "1"}, timeout=10)
    begun = requests.post(
        f"{root}/upload/storage/v1/b/{BUCKET}/o",
        params={"uploadType": "resumable", "name": "ann/p1/1"},
        headers={"Authorization": f"Bearer {token}", "Cookie": SECRET},
        json={"metadata": {"password": SECRET}},
        timeout=10,
    )
    session = requests.utils.urlparse(begun.headers["Location"]).query.rpartition("upload_id=")[2]
    assert session
    secrets.append(session)
    assert requests.put(begun.headers["Location"], data=b"1234", timeout=10).status_code == 200
    key = requests.post(
        f"{root}/storage/v1/projects/demo/hmacKeys", params={"serviceAccountEmail": "a@demo.iam"}, timeout=10
    ).json()
    secrets.append(key["secret"])
    return secrets


def with_secrets_for_firestore(emulator):
    """The same for documents, over REST and gRPC, and bytes that are no request at all."""
    metadata = [("authorization", f"Bearer {unsigned_token(user_id='ann')}{SECRET}"), ("cookie", SECRET)]
    condition = {"fieldFilter": {"field": {"fieldPath": "pin"}, "op": "EQUAL", "value": {"stringValue": SECRET}}}
    query = {"structuredQuery": {"from": [{"collectionId": "safes"}], "where": condition}}
    fields = {name.title(): value for name, value in metadata}
    requests.post(emulator.documents(":runQuery"), json=query, headers=fields, params={"key": SECRET}, timeout=10)
    requests.post(emulator.documents(":noSuchCall"), json=query, headers=fields, params={"key": SECRET}, timeout=10)
    requests.patch(emulator.documents("safes/s"), json={"fields": {"pin": {"stringValue": SECRET}}}, timeout=10)
    with grpc.insecure_channel(emulator.firestore) as channel:
        for method in ["/google.firestore.v1.Firestore/GetDocument", f"/nothing/{SECRET}"]:
            with pytest.raises(grpc.RpcError):
                channel.unary_unary(method)(SECRET.encode(), metadata=metadata, timeout=10)
    for data in [f"{SECRET}\r\n\r\n", f"GET /?token={SECRET} HTTP/9.9\r\nCookie: {SECRET}\r\n\r\n"]:
        for address in [emulator.storage, emulator.firestore]:
            with RawConnection(address) as connection:
                connection.send(data.encode())
                connection.until_end()


def test_no_secret_is_ever_written_down(serve, tmp_path):
    log, data = tmp_path / "session.log", tmp_path / "data"
    emulator = serve("--record", log, "--data", data)
    secrets = with_secrets(emulator)
    with_secrets_for_firestore(emulator)
    told = [requests.get(f"http://{emulator.console}/metrics", timeout=10).text]
    told += [json.dumps(emulator.usage(by=dimension)) for dimension in DIMENSIONS]
    assert emulator.stop() == 0
    told += [contents(path).decode() for path in parts(log)]
    told += [path.read_bytes().decode("latin-1") for path in data.glob("usage.sqlite*")]
    told += [emulator.errors(), emulator.rest_of_output()]
    assert "ann" in {line.get("user") for line in lines_of(log)}
    assert len(lines_of(log)) > 40
    for secret in secrets:
        assert not any(secret in text for text in told), secret

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""`--profile` and `--enforce-quota`: what an app meets at the limit."""

import json

import pytest
import requests
from google.api_core.exceptions import ResourceExhausted
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore, storage

from harness import run_emulator, wait_until

MESSAGE = "Quota has been exceeded for this project. Please visit the Firebase pricing page to learn more."


def profile(over_quota="refused", **free):
    """A profile with these free amounts by the day."""
    charges = [
        {
            "item": item.replace("_", "."),
            "free": {"amount": amount, "per": "day"},
            "prices": [] if over_quota == "refused" else [{"usd": 1, "per": amount}],
            "asOf": "2026-11-22",
            "certainty": "unverified",
            "source": "a test",
        }
        for item, amount in free.items()
    ]
    return {
        "schema": "firemeter.profile/1",
        "name": "tiny",
        "title": "A tiny plan",
        "asOf": "2026-11-22",
        "resetZone": "America/Los_Angeles",
        "overQuota": over_quota,
        "charges": charges,
    }


@pytest.fixture
def serve_with(serve, tmp_path):
    """Starts an emulator that enforces a profile."""

    def start(*arguments, **free):
        path = tmp_path / "profile.json"
        path.write_text(json.dumps(profile(**free)))
        return serve("--profile", path, "--enforce-quota", *arguments)

    return start


def quota(emulator):
    return requests.get(f"http://{emulator.console}/quota", timeout=10).json()


def use(emulator, item):
    return next(entry for entry in quota(emulator)["items"] if entry["item"] == item)


def advance(emulator, **parameters):
    return requests.post(f"http://{emulator.console}/quota/advance", params=parameters, timeout=10)


def test_an_upload_that_has_begun_goes_on_when_the_operations_are_used_up(serve_with):
    emulator = serve_with(storage_classA="1")
    uploads = f"http://{emulator.storage}/upload/storage/v1/b/demo.appspot.com/o"
    begun = requests.post(uploads, params={"uploadType": "resumable", "name": "a"}, timeout=10)
    assert use(emulator, "storage.classA")["isOver"]
    session = begun.headers["Location"]
    first = requests.put(session, data=b"x" * 262_144, headers={"Content-Range": "bytes 0-262143/*"}, timeout=10)
    assert first.status_code == 308
    last = requests.put(session, data=b"y", headers={"Content-Range": "bytes 262144-262144/262145"}, timeout=10)
    assert last.status_code == 200, last.text
    assert requests.post(uploads, params={"uploadType": "media", "name": "b"}, data=b"z", timeout=10).status_code == 402
    # In the Firebase SDKs' words.
    assert advance(emulator).status_code == 200
    fields = {"X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start"}
    begun = requests.post(emulator.object_url("c"), params={"name": "c"}, headers=fields, json={}, timeout=10)
    assert use(emulator, "storage.classA")["isOver"]
    fields = {"X-Goog-Upload-Command": "upload, finalize", "X-Goog-Upload-Offset": "0"}
    answer = requests.post(begun.headers["X-Goog-Upload-URL"], data=b"whole", headers=fields, timeout=10)
    assert answer.status_code == 200, answer.text
    assert use(emulator, "storage.classA")["used"] == 1


def test_downloads_stop_past_the_days_bytes_and_begin_again_with_the_next(serve_with):
    emulator = serve_with(storage_egressBytes="10 KB")
    emulator.put("ann/p1/0", b"x" * 4_000)
    used = use(emulator, "storage.egressBytes")["used"]
    answers = [emulator.get("ann/p1/0") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 402, 402]
    assert answers[3].json() == {"error": {"code": 402, "message": MESSAGE}}
    entry = use(emulator, "storage.egressBytes")
    assert entry == {
        "item": "storage.egressBytes",
        "used": used + 12_000,
        "free": 10_000,
        "per": "day",
        "percent": pytest.approx((used + 12_000) / 100),
        "isOver": True,
    }
    day = quota(emulator)["day"]
    assert advance(emulator).json()["day"] > day
    assert emulator.get("ann/p1/0").status_code == 200
    assert use(emulator, "storage.egressBytes")["used"] == 4_000


def test_an_answer_that_is_repeated_from_memory_stops_too(serve_with):
    emulator = serve_with(storage_egressBytes="1 MB")
    emulator.put("a", b"x" * 1_000)
    with requests.Session() as session:
        url = emulator.object_url("a") + "?alt=media"
        statuses = [session.get(url, timeout=10).status_code for _ in range(1_100)]
    refused = statuses.index(402)
    assert 990 <= refused <= 1_000
    assert set(statuses[:refused]) == {200} and set(statuses[refused:]) == {402}


def test_uploads_have_a_quota_of_their_own(serve_with):
    emulator = serve_with(storage_classA="2", storage_classB="1000")
    for name in ["a", "b"]:
        emulator.put(name, b"x")
    url = f"http://{emulator.storage}/v0/b/demo.appspot.com/o"
    refused = requests.post(url, params={"name": "c"}, data=b"x", timeout=10)
    assert (refused.status_code, refused.json()["error"]["message"]) == (402, MESSAGE)
    assert emulator.get("a").status_code == 200


def test_googles_storage_client_hears_of_it(serve_with, monkeypatch):
    emulator = serve_with(storage_classB="5")
    emulator.put("a", b"x")
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", f"http://{emulator.storage}")
    client = storage.Client(project="demo-test", credentials=AnonymousCredentials())
    blob = client.bucket("demo.appspot.com").blob("a")
    # The client asks for the bucket on its own, too, on another thread.
    assert blob.download_as_bytes(retry=None) == b"x"
    with pytest.raises(Exception, match="402"):
        for _ in range(5):
            blob.download_as_bytes(retry=None)


def test_googles_firestore_client_hears_of_it(serve_with, monkeypatch):
    emulator = serve_with(firestore_documentReads="3", firestore_documentWrites="2", firestore_documentDeletes="1")
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", emulator.firestore)
    client = firestore.Client(project="demo-test", credentials=AnonymousCredentials())
    posts = client.collection("posts")
    for number in range(2):
        posts.document(str(number)).set({"n": number})
    with pytest.raises(ResourceExhausted, match="Quota exceeded."):
        posts.document("2").set({"n": 2}, retry=None)
    assert len(list(posts.stream())) == 2
    assert posts.document("0").get().exists
    for call in [lambda: posts.document("0").get(retry=None), lambda: list(posts.stream(retry=None))]:
        with pytest.raises(ResourceExhausted, match="Quota exceeded."):
            call()
    posts.document("0").delete()
    with pytest.raises(ResourceExhausted):
        posts.document("1").delete(retry=None)
    advance(emulator)
    assert posts.document("1").get().exists


def test_firestore_over_rest_says_429(serve_with):
    emulator = serve_with(firestore_documentReads="1")
    assert requests.get(emulator.documents("posts/none"), timeout=10).status_code == 404
    refused = requests.get(emulator.documents("posts/none"), timeout=10)
    assert refused.status_code == 429
    assert refused.json() == {"error": {"code": 429, "message": "Quota exceeded.", "status": "RESOURCE_EXHAUSTED"}}


def test_a_listener_ends_with_the_quota(serve_with, monkeypatch):
    emulator = serve_with(firestore_documentReads="2")
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", emulator.firestore)
    client = firestore.Client(project="demo-test", credentials=AnonymousCredentials())
    snapshots = []

    def reads_are_over():
        return use(emulator, "firestore.documentReads")["isOver"]

    watch = client.collection("posts").on_snapshot(lambda documents, *_: snapshots.append(len(documents)))
    try:
        wait_until(lambda: snapshots == [0], "the first snapshot")
        # One after the other, as several commits may reach a listener in one snapshot.
        for number in range(3):
            client.collection("posts").document(str(number)).set({})
            wait_until(lambda: snapshots[-1] > number or reads_are_over(), "a snapshot or the quota's end")
        assert reads_are_over()
        assert max(snapshots, default=0) <= 2
    finally:
        watch.unsubscribe()


def test_the_days_use_outlives_the_process(serve, tmp_path):
    data = tmp_path / "data"
    first = serve("--data", data)
    first.put("a", b"x" * 5_000)
    first.get("a")
    before = quota(first)
    first.usage()  # writes what waits
    assert before["profile"] == {"name": "spark-2023", "asOf": "2026-02-03"}
    first.kill()
    again = serve("--data", data)
    assert quota(again)["items"] == before["items"]


def test_without_enforcement_nothing_is_refused(serve, tmp_path):
    path = tmp_path / "profile.json"
    path.write_text(json.dumps(profile(over_quota="billed", storage_egressBytes="1 KB")))
    emulator = serve("--profile", path)
    emulator.put("a", b"x" * 3_000)
    for _ in range(3):
        assert emulator.get("a").status_code == 200
    status = quota(emulator)
    assert status["items"][0]["isOver"]
    assert status["monthToDate"]["usd"] == pytest.approx((status["items"][0]["used"] - 1_000) / 1_000)


@pytest.mark.parametrize("days", ["0", "-1", "367", "many", ""])
def test_senseless_days_are_refused(emulator, days):
    response = advance(emulator, days=days)
    assert response.status_code == 400
    assert "days" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["--profile", "blaze-1999"], 64, "'blaze-1999' is no file, and none of the profiles blaze-appspot"),
        (["--profile", "blaze-appspot", "--enforce-quota"], 64, "refuses nothing with blaze-appspot"),
        (["--enforce-quota", "--no-meter"], 64, "cannot go with --no-meter"),
        (["--profile", "firestore-nam5+firestore-us-central1"], 64, "both firestore-nam5 and firestore-us-central1"),
    ],
)
def test_what_makes_no_sense_is_refused_at_the_start(arguments, code, text):
    result = run_emulator(*arguments)
    assert result.returncode == code
    assert text in result.stderr


def test_a_bad_profile_is_refused_with_its_line(tmp_path):
    path = tmp_path / "profile.json"
    text = json.dumps(profile(storage_egressBytes="10 gallons"), indent=1)
    path.write_text(text)
    result = run_emulator("--profile", path)
    line = 1 + text[: text.index("10 gallons")].count("\n")
    assert result.returncode == 65
    assert f"{path}: line {line}: 'amount': expected bytes with their unit, such as 1 GiB" in result.stderr

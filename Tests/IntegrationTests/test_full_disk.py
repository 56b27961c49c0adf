# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""A full disk: what is new is refused, what is there can be read and deleted, and usage says what it lacks."""

import os

import pytest
import requests

from harness import small_disk

MIB = 1 << 20
OBJECT = os.urandom(700_000)
FIELDS = {"fields": {"text": {"stringValue": "x" * 20_000}}}


@pytest.fixture
def disk(tmp_path):
    """A disk of 24 MiB, where this process may mount one."""
    with small_disk(tmp_path / "disk", mebibytes=24) as path:
        yield path


def free(disk):
    status = os.statvfs(disk)
    return status.f_bavail * status.f_frsize


def fill_up(disk, name="filler"):
    """Leaves not a byte of the disk to anybody."""
    with open(disk / name, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4_096))
        except OSError:
            pass
    assert free(disk) == 0


def upload(emulator, number):
    return requests.post(
        f"http://{emulator.storage}/v0/b/b/o", params={"name": f"o{number}"}, data=OBJECT, timeout=30
    )


def create(emulator, number):
    return requests.post(emulator.documents(f"c?documentId=d{number}"), json=FIELDS, timeout=30)


def take_until_refused(make):
    """Makes things until one is refused; returns how many were made, and the refusal."""
    for number in range(10_000):
        answer = make(number)
        if answer.status_code != 200:
            return number, answer
    raise AssertionError("the disk was never full")


def delete_object(emulator, number):
    return requests.delete(f"http://{emulator.storage}/v0/b/b/o/o{number}", timeout=30)


def delete_document(emulator, number):
    return requests.delete(emulator.documents(f"c/d{number}"), timeout=30)


@pytest.fixture
def full(serve, disk):
    """An emulator whose disk is full of objects and documents; with how many of each there are."""
    emulator = serve("--data", disk / "data")
    for number in range(20):
        assert create(emulator, number).status_code == 200
    objects, _ = take_until_refused(lambda number: upload(emulator, number))
    documents, _ = take_until_refused(lambda number: create(emulator, 20 + number))
    fill_up(disk)
    return emulator, objects, 20 + documents


def expect_everything_deletable(emulator, objects, documents):
    for number in range(objects):
        assert delete_object(emulator, number).status_code == 204, f"object {number} of {objects}"
    for number in range(documents):
        answer = delete_document(emulator, number)
        assert answer.status_code == 200, f"document {number} of {documents}: {answer.text}"


def test_what_is_new_is_refused_in_words(full):
    emulator, objects, documents = full
    stored, document = upload(emulator, objects), create(emulator, documents)
    assert stored.status_code == 507 and stored.json()["error"]["message"].startswith("Insufficient Storage: ")
    error = document.json()["error"]
    assert (document.status_code, error["status"]) == (429, "RESOURCE_EXHAUSTED") and "disk is full" in error["message"]


def test_what_is_there_can_be_read_and_deleted(full):
    emulator, objects, documents = full
    for number in range(objects):
        assert requests.get(f"http://{emulator.storage}/v0/b/b/o/o{number}?alt=media", timeout=30).content == OBJECT
    assert requests.get(emulator.documents(f"c/d{documents - 1}"), timeout=30).status_code == 200
    expect_everything_deletable(emulator, objects, documents)
    assert emulator.list(bucket="b").json()["items"] == []
    assert requests.get(emulator.documents("c"), timeout=30).json() == {}
    assert upload(emulator, 0).status_code == 200 and create(emulator, documents).status_code == 200
    assert emulator.stop() == 0


def test_a_bucket_deleted_on_a_full_disk_can_be_restored(serve, disk):
    emulator = serve("--data", disk / "data")
    buckets = f"http://{emulator.storage}/storage/v1/b"
    bucket = {"name": "soft", "softDeletePolicy": {"retentionDurationSeconds": "604800"}}
    assert requests.post(buckets, params={"project": "demo"}, json=bucket, timeout=30).status_code == 200
    take_until_refused(lambda number: upload(emulator, number))
    fill_up(disk)
    assert upload(emulator, 10_000).status_code == 507
    assert requests.delete(f"{buckets}/soft", timeout=30).status_code == 204
    listed = requests.get(buckets, params={"project": "demo", "softDeleted": "true"}, timeout=30).json()
    assert [item["name"] for item in listed["items"]] == ["soft"]


def test_documents_are_deleted_first_where_no_object_is(full):
    emulator, _, documents = full
    for number in range(documents):
        answer = delete_document(emulator, number)
        assert answer.status_code == 200, f"document {number} of {documents}: {answer.text}"


def test_a_batch_of_deletes_needs_no_more_space(full):
    emulator, _, documents = full
    names = [f"projects/demo/databases/(default)/documents/c/d{number}" for number in range(documents)]
    answer = emulator.firestore_call("commit", {"writes": [{"delete": name} for name in names]})
    assert answer.status_code == 200, answer.text


def test_it_starts_again_after_a_kill(full, serve, disk):
    emulator, objects, documents = full
    emulator.kill()
    fill_up(disk, "filler2")
    again = serve("--data", disk / "data")
    assert requests.get(again.documents("c/d0"), timeout=30).status_code == 200
    assert again.get("o0", bucket="b").content == OBJECT
    expect_everything_deletable(again, objects, documents)
    assert again.stop() == 0


def read_until_not_counted(emulator):
    """Reads until the meter's own files have no room left; returns the usage."""
    for _ in range(200):
        assert emulator.get("o0", bucket="b").status_code == 200
        usage = emulator.usage()
        if "notCounted" in usage:
            return usage
    raise AssertionError("everything was counted on a full disk")


def test_usage_says_what_it_lacks_until_there_is_room(full, disk):
    emulator, objects, _ = full
    usage = read_until_not_counted(emulator)
    missing = usage["notCounted"]
    assert "full" in missing["reason"] and "until" not in missing
    assert missing["waiting"]["requests"] > 0 and missing["lost"]["requests"] == 0
    counted = known_requests(usage)
    for _ in range(5):
        assert emulator.get("o0", bucket="b").status_code == 200
    usage = emulator.usage()
    counted += 5
    assert known_requests(usage) == counted
    assert emulator.usage(by="operation") != {}
    assert emulator.errors().count("is not counted for now") == 1
    (disk / "filler").unlink()
    for number in range(objects):
        assert delete_object(emulator, number).status_code == 204
    after = emulator.usage()
    assert "notCounted" not in after
    assert after["requests"] == counted + objects


def known_requests(usage):
    """Requests that are counted, or wait to be."""
    return usage["requests"] + usage["notCounted"]["waiting"]["requests"]


@pytest.fixture
def full_without_space_kept(full, disk):
    """The same, left by a version that kept no space."""
    emulator, _, _ = full
    emulator.kill()
    (disk / "data" / "reserve").unlink(missing_ok=True)
    fill_up(disk, "filler2")
    return disk / "data"


def test_it_starts_where_no_space_was_kept(full_without_space_kept, serve):
    emulator = serve("--data", full_without_space_kept)
    assert emulator.get("o0", bucket="b").content == OBJECT
    assert requests.get(emulator.documents("c/d0"), timeout=30).status_code == 200
    first = emulator.usage()
    assert first["notCounted"]["reason"]
    for _ in range(3):
        assert emulator.get("o0", bucket="b").status_code == 200
    assert known_requests(emulator.usage()) == known_requests(first) + 3
    assert upload(emulator, 1_000).status_code == 507
    assert emulator.stop() == 0


def test_an_ephemeral_emulator_on_a_full_disk_can_be_read(serve, disk, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(disk))
    emulator = serve()
    objects, _ = take_until_refused(lambda number: upload(emulator, number))
    documents, _ = take_until_refused(lambda number: create(emulator, number))
    fill_up(disk)
    assert documents >= 0
    assert delete_object(emulator, 0).status_code == 204
    listed = requests.get(emulator.documents("c"), params={"pageSize": 1}, timeout=30)
    assert listed.status_code == 200
    assert emulator.stop() == 0

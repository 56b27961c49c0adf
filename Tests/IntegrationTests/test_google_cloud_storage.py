# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0
"""The unchanged google-cloud-storage client against the emulator: everyday calls on buckets and objects."""

import uuid

import pytest

from google.api_core import exceptions


def test_bucket_lifecycle(storage_client):
    name = f"bucket-{uuid.uuid4().hex}"
    assert storage_client.lookup_bucket(name) is None
    assert storage_client.bucket(name).exists() is False
    with pytest.raises(exceptions.NotFound, match="The specified bucket does not exist"):
        storage_client.get_bucket(name)

    created = storage_client.create_bucket(name)
    assert created.time_created is not None
    assert storage_client.get_bucket(name).name == name
    assert storage_client.bucket(name).exists()
    assert name in [bucket.name for bucket in storage_client.list_buckets()]
    assert [bucket.name for bucket in storage_client.list_buckets(prefix=name)] == [name]
    with pytest.raises(exceptions.Conflict):
        storage_client.create_bucket(name)

    created.blob("a.txt").upload_from_string("a")
    with pytest.raises(exceptions.Conflict, match="not empty"):
        created.delete()
    created.delete(force=True)
    assert storage_client.lookup_bucket(name) is None


@pytest.mark.parametrize("content", [b"", b"hello", bytes(range(256)) * 4096], ids=["empty", "small", "1 MiB"])
def test_upload_and_download(bucket, content):
    blob = bucket.blob("dir/é #1.bin")
    blob.metadata = {"color": "blue"}
    blob.upload_from_string(content, content_type="image/x-test")
    assert blob.size == len(content)
    assert blob.generation > 0

    fresh = bucket.blob("dir/é #1.bin")
    assert fresh.download_as_bytes() == content
    fresh.reload()
    assert fresh.content_type == "image/x-test"
    assert fresh.metadata == {"color": "blue"}
    assert (fresh.md5_hash, fresh.crc32c, fresh.etag) == (blob.md5_hash, blob.crc32c, blob.etag)
    assert fresh.id == f"{bucket.name}/dir/é #1.bin/{fresh.generation}"


@pytest.mark.parametrize("checksum", ["md5", "crc32c", None])
def test_downloads_through_the_media_link_are_verified(bucket, checksum):
    blob = bucket.blob("a.txt")
    blob.upload_from_string("hello world", checksum=checksum)
    assert bucket.get_blob("a.txt").download_as_bytes(checksum=checksum) == b"hello world"


@pytest.mark.parametrize(
    "start, end, expected",
    [(0, 4, b"hello"), (6, None, b"world"), (-3, None, b"rld"), (10, 99, b"d")],
)
def test_ranges(bucket, start, end, expected):
    blob = bucket.blob("a.txt")
    blob.upload_from_string("hello world")
    assert blob.download_as_bytes(start=start, end=end) == expected


def test_range_past_the_end(bucket):
    blob = bucket.blob("a.txt")
    blob.upload_from_string("hello")
    with pytest.raises(exceptions.RequestRangeNotSatisfiable):
        blob.download_as_bytes(start=5)


def test_absent_objects(bucket):
    blob = bucket.blob("absent")
    assert not blob.exists()
    assert bucket.get_blob("absent") is None
    for call in (blob.download_as_bytes, blob.reload, blob.delete):
        with pytest.raises(exceptions.NotFound, match=f"No such object: {bucket.name}/absent"):
            call()


def test_existing_objects(bucket):
    blob = bucket.blob("a")
    blob.upload_from_string("1")
    assert blob.exists()
    blob.delete()
    assert not blob.exists()


def test_listings(storage_client, bucket):
    for name in ("a.txt", "b/1", "b/2", "c/d/3", "z"):
        bucket.blob(name).upload_from_string(name)

    def names(**arguments):
        return [blob.name for blob in storage_client.list_blobs(bucket, **arguments)]

    assert names() == ["a.txt", "b/1", "b/2", "c/d/3", "z"]
    assert names(prefix="b/") == ["b/1", "b/2"]
    assert names(start_offset="b/2", end_offset="z") == ["b/2", "c/d/3"]
    assert names(max_results=3) == ["a.txt", "b/1", "b/2"]
    assert names(page_size=2) == ["a.txt", "b/1", "b/2", "c/d/3", "z"]
    assert names(fields="items(name),nextPageToken", page_size=2) == ["a.txt", "b/1", "b/2", "c/d/3", "z"]

    listing = storage_client.list_blobs(bucket, delimiter="/", page_size=2)
    assert [blob.name for blob in listing] == ["a.txt", "z"]
    assert listing.prefixes == {"b/", "c/"}
    assert list(storage_client.list_blobs(bucket, prefix="none/")) == []


def test_metadata_are_patched(bucket):
    blob = bucket.blob("a.txt")
    blob.cache_control = "no-store"
    blob.upload_from_string("a")
    blob.cache_control = None
    blob.content_language = "eo"
    blob.metadata = {"a": "1", "b": "2"}
    blob.patch()
    blob.metadata = {"a": None}
    blob.patch()
    fresh = bucket.get_blob("a.txt")
    assert (fresh.cache_control, fresh.content_language, fresh.metadata) == (None, "eo", {"b": "2"})
    assert fresh.metageneration == 3


def test_preconditions(bucket):
    blob = bucket.blob("a.txt")
    blob.upload_from_string("1", if_generation_match=0)
    first = blob.generation
    with pytest.raises(exceptions.PreconditionFailed):
        bucket.blob("a.txt").upload_from_string("2", if_generation_match=0)
    assert blob.download_as_bytes() == b"1"
    blob.upload_from_string("2", if_generation_match=first)
    assert blob.generation > first

    other = bucket.blob("a.txt")
    with pytest.raises(exceptions.PreconditionFailed):
        other.download_as_bytes(if_generation_match=first)
    with pytest.raises(exceptions.PreconditionFailed):
        other.reload(if_metageneration_match=7)
    with pytest.raises(exceptions.NotModified):
        other.reload(if_generation_not_match=blob.generation)
    with pytest.raises(exceptions.PreconditionFailed):
        other.delete(if_generation_match=first)
    other.delete(if_generation_match=blob.generation)
    assert not other.exists()


def test_old_generations_are_gone(bucket):
    blob = bucket.blob("a.txt")
    blob.upload_from_string("1")
    first = blob.generation
    bucket.blob("a.txt").upload_from_string("2")
    with pytest.raises(exceptions.NotFound):
        bucket.blob("a.txt", generation=first).download_as_bytes()


def test_wrong_checksums_store_nothing(bucket):
    blob = bucket.blob("a.txt")
    blob.md5_hash = "AAAAAAAAAAAAAAAAAAAAAA=="
    with pytest.raises(exceptions.BadRequest, match="MD5"):
        blob.upload_from_string("hello", checksum=None)
    assert not bucket.blob("a.txt").exists()


def test_downloads_are_metered(emulator, bucket):
    bucket.blob("owner/feed/0.jpg").upload_from_string(b"x" * 10_000)
    before = emulator.usage()
    assert len(bucket.blob("owner/feed/0.jpg").download_as_bytes()) == 10_000
    after = emulator.usage()
    assert after["bytes"]["bodySent"] - before["bytes"]["bodySent"] == 10_000
    assert after["billed"]["classB"] - before["billed"]["classB"] == 1

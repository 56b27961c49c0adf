# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""A working day of an app's server: forty and more calls by google-cloud-storage and by firebase-admin, all right.

The official emulator fails 10 of the first 27 (firebase-tools 14.15.1).
"""

import contextlib
import os
import uuid

import firebase_admin
import pytest
from firebase_admin import storage as admin_storage
from google.api_core import exceptions
from google.auth.credentials import AnonymousCredentials
from google.cloud import storage

MIB = 1 << 20


class EmulatorCredential(firebase_admin.credentials.Base):
    def get_credential(self):
        return AnonymousCredentials()


@contextlib.contextmanager
def google_client():
    yield storage.Client(project="demo-test", credentials=AnonymousCredentials())


@contextlib.contextmanager
def admin_client():
    name = f"bucket-{uuid.uuid4().hex}"
    app = firebase_admin.initialize_app(EmulatorCredential(), {"projectId": "demo-test", "storageBucket": name})
    try:
        yield admin_storage.bucket().client
    finally:
        firebase_admin.delete_app(app)


@pytest.mark.parametrize("connect", [google_client, admin_client])
def test_forty_calls_are_right(emulator, monkeypatch, tmp_path, connect):
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", f"http://{emulator.storage}")
    monkeypatch.setenv("DISABLE_GCS_PYTHON_CLIENT_OTEL_BUCKET_METADATA", "true")
    with connect() as client:
        bucket = works_with_buckets(client)
        works_with_objects(bucket, tmp_path)
        works_with_copies(bucket)
        works_with_versions(bucket)
        works_with_access(bucket)
        cleans_up(client, bucket)
    assert emulator.usage()["requests"] >= 40


def works_with_buckets(client):
    bucket = client.bucket(f"bucket-{uuid.uuid4().hex}")
    assert not bucket.exists()
    bucket.storage_class = "NEARLINE"
    bucket.create(location="EUROPE-WEST1")
    assert bucket.exists()
    bucket.labels = {"team": "feed"}
    bucket.add_lifecycle_delete_rule(age=30)
    bucket.patch()
    found = client.get_bucket(bucket.name)
    assert (found.labels, found.location, found.storage_class) == ({"team": "feed"}, "EUROPE-WEST1", "NEARLINE")
    assert list(found.lifecycle_rules) == [{"action": {"type": "Delete"}, "condition": {"age": 30}}]
    bucket.labels = {}
    bucket.update()
    assert client.get_bucket(bucket.name).labels == {}
    assert bucket.name in [other.name for other in client.list_buckets(prefix="bucket-")]
    with pytest.raises(exceptions.Conflict):
        client.create_bucket(bucket.name)
    return bucket


def works_with_objects(bucket, folder):
    blob = bucket.blob("posts/1/0.txt", chunk_size=256 << 10)
    blob.metadata = {"owner": "u1"}
    blob.cache_control = "public, max-age=60"
    data = os.urandom(MIB) + b"end"
    blob.upload_from_string(data, content_type="text/plain")
    assert blob.size == len(data) and blob.storage_class == "NEARLINE"
    assert blob.download_as_bytes() == data
    assert blob.download_as_bytes(start=MIB, end=MIB + 2) == b"end"
    file = folder / "0.bin"
    blob.download_to_filename(file)
    assert file.read_bytes() == data
    other = bucket.blob("posts/1/1.txt")
    other.upload_from_filename(file)
    assert other.md5_hash == blob.md5_hash
    with bucket.blob("posts/2/0.txt").open("w") as stream:
        stream.write("written as a stream")
    with bucket.blob("posts/2/0.txt").open("r") as stream:
        assert stream.read() == "written as a stream"
    blob.metadata = {"owner": None, "editor": "u2"}
    blob.patch()
    again = bucket.get_blob("posts/1/0.txt")
    assert (again.metadata, again.cache_control, again.metageneration) == ({"editor": "u2"}, "public, max-age=60", 2)
    again.content_language = "de"
    again.update()
    assert bucket.get_blob("posts/1/0.txt").content_language == "de"
    assert bucket.get_blob("posts/none") is None
    pages = bucket.list_blobs(prefix="posts/", delimiter="/")
    assert list(pages) == [] and sorted(pages.prefixes) == ["posts/1/", "posts/2/"]
    names = [found.name for page in bucket.list_blobs(page_size=1).pages for found in page]
    assert names == ["posts/1/0.txt", "posts/1/1.txt", "posts/2/0.txt"]
    with pytest.raises(exceptions.NotFound):
        bucket.blob("posts/none").download_as_bytes()


def works_with_copies(bucket):
    first = bucket.blob("posts/1/1.txt")
    copy = bucket.copy_blob(first, bucket, "copies/a")
    assert copy.generation != bucket.get_blob("posts/1/1.txt").generation
    assert bucket.rename_blob(copy, "copies/b").name == "copies/b"
    assert not bucket.blob("copies/a").exists()
    moved = bucket.move_blob(bucket.get_blob("copies/b"), "copies/c")
    assert moved.size == MIB + 3
    token, rewritten, total = bucket.blob("copies/d").rewrite(moved)
    assert (token, rewritten, total) == (None, MIB + 3, MIB + 3)
    bucket.blob("copies/d").update_storage_class("COLDLINE")
    assert bucket.get_blob("copies/d").storage_class == "COLDLINE"
    joined = bucket.blob("copies/joined")
    joined.content_type = "text/plain"
    joined.compose([bucket.blob("posts/2/0.txt"), bucket.blob("posts/2/0.txt")])
    assert joined.download_as_text() == "written as a stream" * 2
    assert bucket.get_blob("copies/joined").component_count == 2


def works_with_versions(bucket):
    bucket.versioning_enabled = True
    bucket.patch()
    blob = bucket.blob("versioned")
    blob.upload_from_string("1", if_generation_match=0)
    first = blob.generation
    blob.upload_from_string("2", if_generation_match=first)
    assert bucket.blob("versioned", generation=first).download_as_bytes() == b"1"
    assert [found.generation for found in bucket.list_blobs(prefix="versioned", versions=True)] == [first, blob.generation]
    with pytest.raises(exceptions.PreconditionFailed):
        blob.upload_from_string("3", if_generation_match=first)
    bucket.delete_blob("versioned", generation=first)
    assert bucket.get_blob("versioned", generation=first) is None
    bucket.versioning_enabled = False
    bucket.patch()


def works_with_access(bucket):
    blob = bucket.blob("posts/2/0.txt")
    blob.acl.reload()
    blob.acl.all().grant_read()
    blob.acl.save()
    assert {"entity": "allUsers", "role": "READER"} in list(bucket.get_blob("posts/2/0.txt").acl)
    policy = bucket.get_iam_policy(requested_policy_version=3)
    policy.bindings.append({"role": "roles/storage.objectViewer", "members": {"user:a@example.com"}})
    bucket.set_iam_policy(policy)
    assert "roles/storage.objectViewer" in [binding["role"] for binding in bucket.get_iam_policy().bindings]
    assert bucket.test_iam_permissions(["storage.objects.get"]) == ["storage.objects.get"]
    bucket.iam_configuration.uniform_bucket_level_access_enabled = True
    bucket.patch()
    with pytest.raises(exceptions.BadRequest):
        blob.acl.reload()


def cleans_up(client, bucket):
    with pytest.raises(exceptions.Conflict):
        bucket.delete()
    with client.batch():
        for name in ["copies/c", "copies/d", "copies/joined"]:
            bucket.delete_blob(name)
    bucket.delete_blobs(list(bucket.list_blobs(prefix="posts/")))
    assert [blob.name for blob in bucket.list_blobs()] == ["versioned"]
    bucket.delete(force=True)
    assert not bucket.exists()

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The v0 API answers as production did when it was recorded; see recordings.py. Each test names its recording."""

import json

import pytest
from cloud import folder, multipart, quote
from recordings import (
    ANY_ORIGIN,
    BRIEFLY_KEPT,
    BYTES,
    DELETED,
    GCS_READ,
    LARGE,
    PLAIN,
    REVERSED,
    SHORT,
    TOKEN,
    V0_DELETED,
    V0_NOT_FOUND,
    V0_READ,
    V0_WRITE,
    Mask,
    gcs_media,
    v0_error,
    v0_media,
    v0_object,
)

METADATA_TYPE = "application/json; charset=utf-8"
CHUNK = 256 << 10


def test_a_simple_upload_makes_a_token_and_a_disposition(cloud):
    # firebase--simple-upload.json
    name = folder("simple/object.bin")
    cloud.assert_absent(name)
    uploaded = cloud.upload(name)
    assert uploaded == (200, V0_WRITE, v0_object(name))
    assert cloud.v0("GET", name) == (200, V0_READ, uploaded[2])
    assert cloud.v0("GET", name, alt="media") == (200, v0_media(disposition="object.bin"), BYTES.data)
    generation = uploaded[2]["generation"]
    assert cloud.gcs("DELETE", name, ifGenerationMatch=generation) == DELETED
    cloud.assert_absent(name)


def test_a_simple_upload_of_octets_has_the_type_of_its_extension(cloud):
    # firebase--list.json, of which `.bin` objects elsewhere are the other half; the JSON API keeps what it is sent
    name = folder("list/firebase/a.txt")
    uploaded = cloud.upload(name)
    assert uploaded == (200, V0_WRITE, v0_object(name, contentType="text/plain"))
    assert cloud.v0("GET", name) == (200, V0_READ, uploaded[2])
    media = {**v0_media(disposition="a.txt"), "content-type": "text/plain"}
    assert cloud.v0("GET", name, alt="media") == (200, media, BYTES.data)
    assert cloud.gcs_upload(name)[2]["contentType"] == "application/octet-stream"


# Multipart uploads: firebase--multipart-upload.json


def upload_multipart(cloud, name, *parts):
    body, content_type = multipart(*parts)
    headers = {"X-Goog-Upload-Protocol": "multipart", "Content-Type": content_type}
    return cloud.call("POST", cloud.v0_objects, name=name, data=body, headers=headers)


def test_a_multipart_upload_keeps_the_metadata_apart_from_the_token(cloud):
    name = folder("multipart/valid.bin")
    marker = {"marker": "multipart-observation"}
    wish = json.dumps({"name": name, "contentType": "application/octet-stream", "metadata": marker}).encode()
    uploaded = upload_multipart(cloud, name, (METADATA_TYPE, wish), ("application/octet-stream", BYTES.data))
    assert uploaded == (200, V0_WRITE, v0_object(name, metadata=marker))
    assert cloud.v0("GET", name) == (200, V0_READ, uploaded[2])
    media = v0_media(disposition="valid.bin", metadata=marker)
    assert cloud.v0("GET", name, alt="media") == (200, media, BYTES.data)
    tokens = {"firebaseStorageDownloadTokens": uploaded[2]["downloadTokens"]}
    disposition = "inline; filename*=utf-8''valid.bin"
    resource = cloud.gcs_object(name, contentDisposition=disposition, metadata={**marker, **tokens})
    assert cloud.gcs("GET", name) == (200, GCS_READ, resource)
    assert cloud.gcs("GET", name, alt="media") == (200, gcs_media(), BYTES.data)


MULTIPART_EXPOSES = {
    **ANY_ORIGIN,
    "access-control-expose-headers": "Content-Length, Content-Type, Date, Server, Transfer-Encoding, "
    "X-GUploader-UploadID, X-Google-Trace",
}


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (
            [(METADATA_TYPE, b"{invalid-json"), ("application/octet-stream", BYTES.data)],
            (400, V0_WRITE, v0_error(400, "Invalid metadata input.")),
        ),
        (
            [(METADATA_TYPE, b"{}")],
            (400, {**PLAIN, **MULTIPART_EXPOSES}, b"Multipart body does not contain 2 or 3 parts."),
        ),
    ],
    ids=["broken JSON", "no media"],
)
def test_a_broken_multipart_upload_makes_nothing(cloud, parts, expected):
    name = folder("multipart/broken.bin")
    assert upload_multipart(cloud, name, *parts) == expected
    cloud.assert_absent(name)


# Resumable uploads: firebase--resumable-upload.json

STARTED = {"x-goog-upload-status": "active", "x-goog-upload-chunk-granularity": str(CHUNK)}
ACTIVE = (200, {**PLAIN, "x-goog-upload-status": "active"}, b"")
CANCELLED = (200, {**PLAIN, "x-goog-upload-status": "cancelled"}, b"")


def received(byte_count):
    return (200, {**PLAIN, **STARTED, "x-goog-upload-size-received": str(byte_count)}, b"")


def start(cloud, name):
    headers = {
        "X-Goog-Upload-Protocol": "resumable",
        "X-Goog-Upload-Command": "start",
        "X-Goog-Upload-Header-Content-Length": LARGE.size,
        "X-Goog-Upload-Header-Content-Type": "application/octet-stream",
        "Content-Type": METADATA_TYPE,
    }
    wish = json.dumps({"name": name, "contentType": "application/octet-stream"})
    status, fields, body = cloud.call("POST", cloud.v0_objects, name=name, data=wish, headers=headers)
    start = f"{cloud.v0_objects}?name={quote(name)}&upload_id="
    address = Mask("upload URL", rf"{start.replace('?', '[?]')}[^&]+&upload_protocol=resumable")
    links = {"x-goog-upload-url": address, "x-goog-upload-control-url": address}
    assert (status, fields, body) == (200, {**PLAIN, **STARTED, **links}, b"")
    assert fields["x-goog-upload-url"] == fields["x-goog-upload-control-url"]
    return fields["x-goog-upload-url"]


def command(cloud, address, text, offset=None, data=b""):
    headers = {"X-Goog-Upload-Command": text}
    if offset is not None:
        headers["X-Goog-Upload-Offset"] = str(offset)
    return cloud.call("POST", address, data=data, headers=headers)


def test_a_resumable_upload_says_no_more_than_it_must(cloud):
    name = folder("resumable.bin")
    address = start(cloud, name)
    assert command(cloud, address, "query") == received(0)
    assert command(cloud, address, "upload", 0, LARGE.data[:CHUNK]) == ACTIVE
    assert command(cloud, address, "query") == received(CHUNK)
    cloud.assert_absent(name)
    final = {**V0_WRITE, "x-goog-upload-status": "final"}
    last = command(cloud, address, "upload, finalize", CHUNK, LARGE.data[CHUNK:])
    assert last == (200, final, v0_object(name, LARGE))
    media = v0_media(LARGE, disposition="resumable.bin")
    assert cloud.v0("GET", name, alt="media") == (200, media, LARGE.data)
    assert cloud.gcs("GET", name, alt="media") == (200, gcs_media(LARGE), LARGE.data)


def test_a_wrong_offset_leaves_the_upload_as_it_was_until_it_is_cancelled(cloud):
    name = folder("resumable-wrong-offset.bin")
    address = start(cloud, name)
    wrong = b"Client uploaded to the wrong offset (1 instead of 0)."
    assert command(cloud, address, "upload", 1, b"x") == (400, PLAIN, wrong)
    cloud.assert_absent(name)
    assert command(cloud, address, "query") == received(0)
    assert command(cloud, address, "cancel") == CANCELLED
    assert command(cloud, address, "query") == CANCELLED
    cloud.assert_absent(name)


# Metadata, downloads, tokens


def test_patch_merges_metadata_and_leaves_the_tokens(cloud):
    # firebase--metadata.json
    name = folder("metadata.bin")
    token = cloud.upload(name)[2]["downloadTokens"]
    steps = [
        ({"cacheControl": "private, max-age=0", "metadata": {"marker": "first", "remove": "present"}}, "2", {
            "marker": "first", "remove": "present",
        }),
        ({"metadata": {"marker": "second", "remove": None}}, "3", {"marker": "second"}),
    ]
    for change, metageneration, metadata in steps:
        members = {"cacheControl": "private, max-age=0", "metadata": metadata, "downloadTokens": token}
        patched = v0_object(name, metageneration=metageneration, **members)
        assert cloud.v0("PATCH", name, change) == (200, V0_WRITE, patched)
        assert cloud.v0("GET", name) == (200, V0_READ, patched)
        # The owner must never keep the bytes, whatever the object says.
        media = v0_media(BYTES, metageneration, disposition="metadata.bin", metadata=metadata)
        assert cloud.v0("GET", name, alt="media") == (200, media, BYTES.data)


@pytest.mark.parametrize(
    ("wish", "content_range", "data"),
    [
        ("bytes=0-2", "bytes 0-2/5", BYTES.data[:3]),
        ("bytes=3-", "bytes 3-4/5", BYTES.data[3:]),
        ("bytes=-2", "bytes 3-4/5", BYTES.data[3:]),
    ],
    ids=["first bytes", "from a byte", "last bytes"],
)
def test_a_part_has_the_sums_of_the_whole(cloud, wish, content_range, data):
    # firebase--download.json
    name = folder("download.bin")
    cloud.upload(name)
    fields = v0_media(disposition="download.bin", content_range=content_range)
    assert cloud.v0("GET", name, alt="media", headers={"Range": wish}) == (206, fields, data)


def test_tokens_come_and_go_and_open_the_object_to_anybody(cloud):
    # firebase--download-tokens.json
    name = folder("tokens.bin")
    first = cloud.upload(name, SHORT)[2]["downloadTokens"]
    status, fields, body = cloud.v0("POST", name, create_token="true")
    second = body["downloadTokens"].split(",")[0]
    both = v0_object(name, SHORT, metageneration="2", downloadTokens=f"{second},{first}")
    assert (status, fields, body) == (200, V0_WRITE, both)
    assert second == TOKEN and second != first
    for _ in range(2):
        assert cloud.v0("GET", name) == (200, V0_READ, both)
    media = v0_media(SHORT, "2", tokens=f"{second},{first}", disposition="tokens.bin", caching=BRIEFLY_KEPT)
    for _ in range(2):
        by_token = cloud.v0("GET", name, alt="media", token=second, credentials={})
        assert by_token == (200, media, SHORT.data)
    one = v0_object(name, SHORT, metageneration="3", downloadTokens=first)
    assert cloud.v0("POST", name, delete_token=second) == (200, V0_WRITE, one)
    refused = cloud.v0("GET", name, alt="media", token=second, credentials={})
    assert refused == (403, V0_READ, v0_error(403, "Permission denied."))


def test_a_deleted_object_is_gone_at_once_and_cannot_be_deleted_again(cloud):
    # firebase--delete.json
    name = folder("delete.bin")
    cloud.upload(name)
    assert cloud.v0("DELETE", name) == (204, V0_DELETED, b"")
    cloud.assert_absent(name)
    assert cloud.v0("DELETE", name) == V0_NOT_FOUND


def test_an_upload_over_an_object_leaves_nothing_of_it(cloud):
    # firebase--overwrite.json
    name = folder("overwrite.bin")
    former = cloud.upload(name)[2]
    cloud.v0("PATCH", name, {"cacheControl": "no-store", "metadata": {"marker": "before-overwrite"}})
    media = v0_media(BYTES, "2", disposition="overwrite.bin", metadata={"marker": "before-overwrite"})
    assert cloud.v0("GET", name, alt="media") == (200, media, BYTES.data)
    uploaded = cloud.upload(name, REVERSED)
    assert uploaded == (200, V0_WRITE, v0_object(name, REVERSED))
    assert uploaded[2]["generation"] > former["generation"]
    assert uploaded[2]["downloadTokens"] != former["downloadTokens"]
    assert cloud.v0("GET", name) == (200, V0_READ, uploaded[2])
    media = v0_media(REVERSED, disposition="overwrite.bin")
    assert cloud.v0("GET", name, alt="media") == (200, media, REVERSED.data)

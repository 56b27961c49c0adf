# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The JSON API answers as production did when it was recorded; see recordings.py. Each test names its recording."""

import json
import re

import pytest
from cloud import folder, multipart, quote
from recordings import (
    BYTES,
    DELETED,
    DIGITS,
    GCS_READ,
    GCS_WRITE,
    GCS_WRITTEN,
    LARGE,
    NEVER_KEPT,
    PLAIN,
    V0_READ,
    VARY,
    Mask,
    gcs_error,
    gcs_media,
    gcs_not_found,
    upload_refused,
    v0_object,
)

CHUNK = 256 << 10
OCTETS = "application/octet-stream"


def upload_multipart(cloud, name, wish, *media):
    body, content_type = multipart(("application/json; charset=utf-8", wish), *((OCTETS, data) for data in media))
    headers = {"Content-Type": content_type}
    return cloud.call("POST", cloud.uploads, name=name, uploadType="multipart", data=body, headers=headers)


# Uploads in one request: gcs--simple-multipart-upload.json


@pytest.mark.parametrize("metadata", [None, {"marker": "multipart-observation"}], ids=["media", "multipart"])
def test_an_upload_gains_its_token_when_the_v0_api_first_describes_it(cloud, metadata):
    name = folder("multipart/gcs/valid.bin")
    wish = json.dumps({"name": name, "contentType": OCTETS, "metadata": metadata}).encode()
    uploaded = upload_multipart(cloud, name, wish, BYTES.data) if metadata else cloud.gcs_upload(name)
    assert uploaded == (200, GCS_WRITTEN, cloud.gcs_object(name, metadata=metadata))
    assert cloud.gcs("GET", name) == (200, GCS_READ, uploaded[2])
    assert cloud.gcs("GET", name, alt="media") == (200, gcs_media(), BYTES.data)
    described = cloud.v0("GET", name)
    minted = v0_object(name, contentDisposition=None, metageneration="2", metadata=metadata)
    assert described == (200, V0_READ, minted)
    tokens = {"firebaseStorageDownloadTokens": described[2]["downloadTokens"]}
    resource = cloud.gcs_object(name, metageneration="2", metadata={**(metadata or {}), **tokens})
    assert cloud.gcs("GET", name) == (200, GCS_READ, resource)


def test_metadata_that_is_no_json_is_told_in_json_that_calls_itself_html(cloud):
    name = folder("multipart/gcs/invalid-json.bin")
    status, fields, body = upload_multipart(cloud, name, b"{invalid-json", BYTES.data)
    message = "Parse Error: Unexpected end of string. Expected : between key:value pair.\ninvalid-json\n            ^"
    assert (status, fields, body) == upload_refused(message)
    cloud.assert_absent(name)


def test_a_multipart_upload_of_one_part_is_none(cloud):
    name = folder("multipart/gcs/missing-media.bin")
    message = "Payload size invalid. Expected 2-3 payloads. Actual size: 1"
    refused = (400, GCS_WRITE, gcs_error(400, message, "invalidPayloadSize"))
    assert upload_multipart(cloud, name, b"{}") == refused
    cloud.assert_absent(name)


# Checksums: gcs--checksums.json

WRONG_MD5 = "AAAAAAAAAAAAAAAAAAAAAA=="


@pytest.mark.parametrize(
    "sums",
    [{"md5Hash": DIGITS.md5}, {"crc32c": DIGITS.crc32c}, {"md5Hash": DIGITS.md5, "crc32c": DIGITS.crc32c}],
    ids=["MD5", "CRC32C", "both"],
)
def test_sums_that_are_right_change_nothing(cloud, sums):
    name = folder("checksums.bin")
    wish = json.dumps({"name": name, "contentType": OCTETS, **sums}).encode()
    uploaded = upload_multipart(cloud, name, wish, DIGITS.data)
    assert uploaded == (200, GCS_WRITTEN, cloud.gcs_object(name, DIGITS))


@pytest.mark.parametrize(
    ("sums", "message"),
    [
        (
            {"md5Hash": WRONG_MD5},
            f'Provided MD5 hash "{WRONG_MD5}" doesn\'t match calculated MD5 hash "{DIGITS.md5}".',
        ),
        ({"crc32c": "AAAAAA=="}, f'Provided CRC32C "AAAAAA==" doesn\'t match calculated CRC32C "{DIGITS.crc32c}".'),
        ({"md5Hash": "!not-base64!"}, "Provided value (!not-base64!) is not a base64-encoded 128-bit MD5 hash."),
        ({"crc32c": "!not-base64!"}, "Invalid argument."),
    ],
    ids=["wrong MD5", "wrong CRC32C", "no MD5", "no CRC32C"],
)
def test_sums_that_are_wrong_are_told_and_nothing_is_made(cloud, sums, message):
    name = folder("checksums.bin")
    wish = json.dumps({"name": name, "contentType": OCTETS, **sums}).encode()
    refused = (400, GCS_WRITE, gcs_error(400, message, "invalid"))
    assert upload_multipart(cloud, name, wish, DIGITS.data) == refused
    cloud.assert_absent(name)


def test_a_resumable_upload_tells_the_sums_of_what_has_come(cloud):
    # gcs--resumable-upload.json
    name = folder("gcs/resumable.bin")
    marker = {"marker": "gcs-resumable"}
    headers = {
        "Content-Type": "application/json", "X-Upload-Content-Type": OCTETS, "X-Upload-Content-Length": LARGE.size
    }
    query = f"uploadType=resumable&name={quote(name)}&ifGenerationMatch=0"
    wish = json.dumps({"name": name, "contentType": OCTETS, "metadata": marker})
    status, fields, body = cloud.call("POST", f"{cloud.uploads}?{query}", data=wish, headers=headers)
    location = Mask("location", re.escape(f"{cloud.uploads}?{query}&upload_id=") + "[^&]+")
    assert (status, fields, body) == (200, {**NEVER_KEPT, **PLAIN, **VARY, "location": location}, b"")
    address = fields["location"]
    sums = {"x-goog-running-hash": "crc32c=PjCw/w==", "x-range-md5": "fc47c91acf3074fb684c73ef7584605f"}
    incomplete = (308, {**PLAIN, **sums, "range": f"bytes=0-{CHUNK - 1}"}, b"")
    chunk = {"Content-Range": f"bytes 0-{CHUNK - 1}/{LARGE.size}"}
    assert cloud.call("PUT", address, data=LARGE.data[:CHUNK], headers=chunk) == incomplete
    probe = {"Content-Range": f"bytes */{LARGE.size}"}
    assert cloud.call("PUT", address, headers=probe) == incomplete
    last = {"Content-Range": f"bytes {CHUNK}-{CHUNK + 2}/{LARGE.size}"}
    uploaded = cloud.call("PUT", address, data=LARGE.data[CHUNK:], headers=last)
    assert uploaded == (200, GCS_WRITTEN, cloud.gcs_object(name, LARGE, metadata=marker))


# Downloads: gcs--download.json


@pytest.mark.parametrize("names_generation", [False, True], ids=["live", "by generation"])
@pytest.mark.parametrize(
    ("wish", "content_range", "data"),
    [
        ("bytes=0-2", "bytes 0-2/5", BYTES.data[:3]),
        ("bytes=3-", "bytes 3-4/5", BYTES.data[3:]),
        ("bytes=-2", "bytes 3-4/5", BYTES.data[3:]),
    ],
    ids=["first bytes", "from a byte", "last bytes"],
)
def test_a_part_has_no_sums(cloud, names_generation, wish, content_range, data):
    name = folder("gcs/download.bin")
    generation = cloud.gcs_upload(name)[2]["generation"]
    query = {"generation": generation} if names_generation else {}
    fields = gcs_media(content_range=content_range, x_goog_hash=None)
    assert cloud.gcs("GET", name, alt="media", headers={"Range": wish}, **query) == (206, fields, data)


def test_the_live_version_may_be_named(cloud):
    name = folder("gcs/download.bin")
    resource = cloud.gcs_upload(name)[2]
    generation = resource["generation"]
    assert cloud.gcs("GET", name, generation=generation) == (200, GCS_READ, resource)
    whole = (200, gcs_media(generation=generation), BYTES.data)
    assert cloud.gcs("GET", name, generation=generation, alt="media") == whole


def test_patch_merges_and_put_replaces(cloud):
    # gcs--metadata.json
    name = folder("gcs/metadata.bin")
    generation = cloud.gcs_upload(name)[2]["generation"]
    first = {"cacheControl": "private, max-age=0", "metadata": {"marker": "first", "remove": "present"}}
    second = {"contentType": OCTETS, "metadata": {"marker": "second"}}
    for method, wish, metageneration in [("PATCH", first, "2"), ("PUT", second, "3")]:
        resource = cloud.gcs_object(name, generation=generation, metageneration=metageneration, **wish)
        assert cloud.gcs(method, name, wish) == (200, GCS_WRITTEN, resource)
        assert cloud.gcs("GET", name) == (200, GCS_READ, resource)
        media = gcs_media(metageneration=metageneration)
        assert cloud.gcs("GET", name, alt="media") == (200, media, BYTES.data)


def test_a_deleted_object_is_gone_at_once(cloud):
    # gcs--delete.json
    name = folder("gcs/delete.bin")
    cloud.gcs_upload(name)
    assert cloud.gcs("DELETE", name) == DELETED
    cloud.assert_absent(name)
    assert cloud.gcs("DELETE", name) == gcs_not_found(name)

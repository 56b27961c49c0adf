# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Errors, and what one API shows of the other's objects, as in production when it was recorded; see recordings.py."""

import pytest
from cloud import folder
from recordings import (
    BRIEFLY_KEPT,
    BYTES,
    DELETED,
    EMPTY,
    GCS_LIST,
    GCS_MEDIA_REFUSED,
    GCS_READ,
    GCS_WRITTEN,
    V0_BAD_REQUEST,
    V0_DELETED,
    V0_NOT_FOR_YOU,
    V0_NOT_FOUND,
    V0_READ,
    V0_WRITE,
    gcs_media,
    gcs_not_found,
    upload_refused,
    v0_error,
    v0_media,
    v0_object,
)

# Absent objects: errors--missing.json


@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
def test_an_absent_object_cannot_be_changed(cloud, method):
    name = folder("errors/missing.bin")
    change = {"metadata": {"marker": "missing"}} if method == "PATCH" else None
    # An administrator, too, gets the refusal of a change.
    assert cloud.v0(method, name, change) == (V0_NOT_FOR_YOU if method == "PATCH" else V0_NOT_FOUND)
    assert cloud.gcs(method, name, change) == gcs_not_found(name)
    cloud.assert_absent(name)


# Names: errors--object-name.json

BROKEN_LINE = "gcs-line\nbreak.bin"
OVERSIZED = "gcs-" + "x" * 1025


def oversized(name):
    return name[:1025]


@pytest.mark.parametrize("last", [BROKEN_LINE, OVERSIZED], ids=["line break", "1025 bytes"])
def test_v0_has_no_objects_of_impossible_names_and_makes_none(cloud, last):
    name = oversized(folder(f"errors/object-name/{last}"))
    assert cloud.upload(name) == V0_BAD_REQUEST
    cloud.assert_absent(name)


@pytest.mark.parametrize(
    ("last", "message"),
    [
        (BROKEN_LINE, "Disallowed unicode characters present in object name '{}'"),
        (OVERSIZED, "The maximum object length is 1024 characters, but got a name with 1025 characters: '{:.77}...'"),
    ],
    ids=["line break", "1025 bytes"],
)
def test_json_tells_impossible_names_in_json_that_calls_itself_html(cloud, last, message):
    name = oversized(folder(f"errors/object-name/{last}"))
    assert cloud.gcs_upload(name) == upload_refused(message.format(name))
    cloud.assert_absent(name)


@pytest.mark.parametrize("last", ["list\n", "x" * 1025], ids=["line break", "1025 bytes"])
def test_prefixes_need_not_be_names_but_v0_wants_directories(cloud, last):
    prefix = oversized(folder(f"errors/object-name/{last}"))
    message = "The prefix parameter is required to be empty or ends with a single / character."
    assert cloud.call("GET", cloud.v0_objects, prefix=prefix) == (400, V0_READ, v0_error(400, message))
    assert cloud.call("GET", cloud.objects, prefix=prefix) == (200, GCS_LIST, {"kind": "storage#objects"})


# Ranges: errors--range.json

NO_RANGE = (
    "<?xml version='1.0' encoding='UTF-8'?><Error><Code>InvalidRange</Code>"
    "<Message>The requested range cannot be satisfied.</Message><Details>{}</Details></Error>"
)


@pytest.mark.parametrize("wish", ["invalid", "bytes=3-1"])
def test_a_range_that_is_none_is_ignored(cloud, wish):
    name = folder("errors/range.bin")
    cloud.minted(name)
    headers = {"Range": wish}
    assert cloud.v0("GET", name, alt="media", headers=headers) == (200, v0_media(BYTES, "2"), BYTES.data)
    assert cloud.gcs("GET", name, alt="media", headers=headers) == (200, gcs_media(BYTES, "2"), BYTES.data)


@pytest.mark.parametrize(
    ("content", "wish"),
    [(BYTES, "bytes=99-"), (BYTES, "bytes=-0"), (EMPTY, "bytes=0-0"), (EMPTY, "bytes=0-")],
    ids=["behind the end", "last none", "first of none", "all of none"],
)
def test_a_range_that_an_object_has_nothing_of_is_refused_by_each_api_in_its_way(cloud, content, wish):
    name = folder("errors/range.bin")
    cloud.minted(name, content)
    told = v0_media(content, "2", caching=BRIEFLY_KEPT, content_type="application/xml; charset=UTF-8")
    headers = {"Range": wish}
    assert cloud.v0("GET", name, alt="media", headers=headers) == (416, told, NO_RANGE.format(wish).encode())
    refused = {**GCS_MEDIA_REFUSED, "content-range": f"bytes */{content.size}"}
    expected = (416, refused, b"Request range not satisfiable")
    assert cloud.gcs("GET", name, alt="media", headers=headers) == expected


def test_the_last_byte_of_nothing_is_all_of_it(cloud):
    name = folder("errors/range.bin")
    cloud.minted(name, EMPTY)
    headers = {"Range": "bytes=-1"}
    assert cloud.v0("GET", name, alt="media", headers=headers) == (200, v0_media(EMPTY, "2"), b"")
    part = gcs_media(EMPTY, "2", content_range="bytes 0-0/0", x_goog_hash="crc32c=AAAAAA==")
    assert cloud.gcs("GET", name, alt="media", headers=headers) == (206, part, b"")


def test_bytes_are_read_without_a_token_being_made(cloud):
    name = folder("errors/range.bin")
    cloud.gcs_upload(name)
    assert cloud.v0("GET", name, alt="media") == (200, v0_media(BYTES, "1", tokens=None), BYTES.data)
    assert cloud.gcs("GET", name)[2]["metageneration"] == "1"
    assert cloud.v0("GET", name)[2]["metageneration"] == "2"
    assert cloud.v0("GET", name, alt="media") == (200, v0_media(BYTES, "2"), BYTES.data)
    # What replaces the object has no token until it is described.
    cloud.gcs_upload(name, EMPTY)
    assert cloud.v0("GET", name, alt="media") == (200, v0_media(EMPTY, "1", tokens=None), b"")


# Callers: auth--admin.json, auth--firebase-id-token.json, errors--authorization.json. Those whom security rules keep
# out are missing here, as security rules are.


def test_the_owner_may_do_everything(cloud):
    # auth--admin.json
    name = folder("auth/admin.bin")
    created = cloud.gcs_upload(name, ifGenerationMatch=0)
    assert created == (200, GCS_WRITTEN, cloud.gcs_object(name))
    assert cloud.gcs("DELETE", name, ifGenerationMatch=created[2]["generation"]) == DELETED
    assert cloud.upload(name) == (200, V0_WRITE, v0_object(name))
    assert cloud.v0("DELETE", name) == (204, V0_DELETED, b"")
    cloud.assert_absent(name)


def test_a_user_is_told_how_long_bytes_may_be_kept(cloud):
    # auth--firebase-id-token.json, errors--authorization.json: the user whom the rules allow
    name = folder("auth/user.bin")
    assert cloud.upload(name, credentials={}) == (200, V0_WRITE, v0_object(name))
    media = v0_media(disposition="user.bin", caching=BRIEFLY_KEPT)
    assert cloud.v0("GET", name, alt="media", credentials={}) == (200, media, BYTES.data)


def test_each_api_shows_what_the_other_changed(cloud):
    # cross-dialect--state.json
    name = folder("cross/a b%+snow.bin")
    assert cloud.gcs_upload(name) == (200, GCS_WRITTEN, cloud.gcs_object(name))
    minted = cloud.v0("GET", name)
    assert minted == (200, V0_READ, v0_object(name, contentDisposition=None, metageneration="2"))
    assert cloud.v0("GET", name, alt="media") == (200, v0_media(BYTES, "2"), BYTES.data)
    token, marker = minted[2]["downloadTokens"], {"marker": "cross-dialect-updated"}
    patched = v0_object(name, contentDisposition=None, metageneration="3", metadata=marker, downloadTokens=token)
    assert cloud.v0("PATCH", name, {"metadata": marker}) == (200, V0_WRITE, patched)
    metadata = {**marker, "firebaseStorageDownloadTokens": token}
    resource = cloud.gcs_object(name, metageneration="3", metadata=metadata)
    assert cloud.gcs("GET", name) == (200, GCS_READ, resource)
    assert cloud.gcs("GET", name, alt="media") == (200, gcs_media(BYTES, "3"), BYTES.data)
    assert cloud.v0("DELETE", name) == (204, V0_DELETED, b"")
    cloud.assert_absent(name)

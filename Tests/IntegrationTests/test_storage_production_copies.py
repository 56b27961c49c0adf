# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Copies and rewrites as in production when they were recorded: gcs--copy-rewrite.json; see recordings.py."""

import pytest
from cloud import folder, quote
from harness import BUCKET
from recordings import (
    BYTES,
    GCS_READ,
    GCS_WRITE,
    GCS_WRITTEN,
    PRECONDITION_FAILED,
    V0_READ,
    Mask,
    gcs_media,
    gcs_not_found,
    v0_object,
)

COPIER = {"entity": Mask("owner", r"\S+")}


@pytest.fixture
def source(cloud):
    """An object with metadata and a token; its resource."""
    name = folder("copy/source.bin")
    cloud.gcs_upload(name)
    cloud.gcs("PATCH", name, {"metadata": {"marker": "copy-source"}})
    cloud.v0("GET", name)
    return cloud.gcs("GET", name)[2]


def copy(cloud, source, verb, name, wish):
    guards = {
        "ifGenerationMatch": 0,
        "ifSourceGenerationMatch": source["generation"],
        "ifSourceMetagenerationMatch": source["metageneration"],
    }
    return cloud.gcs("POST", source["name"], wish, verb=f"/{verb}/b/{BUCKET}/o/{quote(name)}", **guards)


def test_a_copy_has_the_token_of_its_source(cloud, source):
    name = folder("copy/copied.bin")
    members = {"metadata": source["metadata"], "metageneration": "1"}
    copied = copy(cloud, source, "copyTo", name, {})
    assert copied == (200, GCS_WRITTEN, cloud.gcs_object(name, **members, owner=COPIER))
    tokens = source["metadata"]["firebaseStorageDownloadTokens"]
    described = v0_object(name, contentDisposition=None, downloadTokens=tokens, metadata={"marker": "copy-source"})
    assert cloud.v0("GET", name) == (200, V0_READ, described)
    assert cloud.gcs("GET", name) == (200, GCS_READ, cloud.gcs_object(name, **members))


def test_a_rewrite_that_describes_the_object_drops_the_token(cloud, source):
    name = folder("copy/rewritten.bin")
    wish = {"contentType": "text/plain", "metadata": {"marker": "rewrite-override"}}
    rewritten = {
        "kind": "storage#rewriteResponse",
        "done": True,
        "objectSize": "5",
        "totalBytesRewritten": "5",
        "resource": cloud.gcs_object(name, **wish, owner=COPIER),
    }
    assert copy(cloud, source, "rewriteTo", name, wish) == (200, GCS_WRITE, rewritten)
    described = cloud.v0("GET", name)
    assert described == (200, V0_READ, v0_object(name, contentDisposition=None, metageneration="2", **wish))
    assert described[2]["downloadTokens"] not in source["metadata"].values()
    media = gcs_media(metageneration="2", content_type="text/plain")
    assert cloud.gcs("GET", name, alt="media") == (200, media, BYTES.data)


@pytest.mark.parametrize("verb", ["copyTo", "rewriteTo"])
def test_what_is_not_there_cannot_be_copied(cloud, source, verb):
    absent = {**source, "name": folder("copy/absent.bin")}
    name = folder("copy/destination.bin")
    assert copy(cloud, absent, verb, name, {}) == gcs_not_found(absent["name"])
    cloud.assert_absent(name)


@pytest.mark.parametrize("verb", ["copyTo", "rewriteTo"])
def test_a_copy_that_must_be_new_leaves_what_is_there(cloud, source, verb):
    name = folder("copy/live.bin")
    live = cloud.gcs_upload(name)[2]
    assert copy(cloud, source, verb, name, {}) == PRECONDITION_FAILED
    assert cloud.gcs("GET", name) == (200, GCS_READ, live)
    assert cloud.gcs("GET", source["name"]) == (200, GCS_READ, source)

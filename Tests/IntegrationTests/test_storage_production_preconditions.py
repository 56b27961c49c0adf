# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Preconditions hold and fail as in production when it was recorded; see recordings.py. Tables name the recording."""

import pytest
from cloud import folder
from recordings import (
    BYTES,
    DELETED,
    GCS_READ,
    GCS_WRITE,
    GCS_WRITTEN,
    NOT_MODIFIED_BY_WRITE,
    NOT_MODIFIED_MEDIA,
    NOT_MODIFIED_SINCE_READ,
    PRECONDITION_FAILED,
    PRECONDITION_FAILED_FOR_MEDIA,
    REVERSED,
    V0_READ,
    gcs_error,
    gcs_media,
    gcs_media_not_found,
    gcs_not_found,
    v0_object,
)

NAME = "subject.bin"

# Generations: gcs--generation-preconditions.json

CALLS = {
    "upload": lambda cloud, name, guard: cloud.gcs_upload(name, REVERSED, **guard),
    "read": lambda cloud, name, guard: cloud.gcs("GET", name, **guard),
    "download": lambda cloud, name, guard: cloud.gcs("GET", name, alt="media", **guard),
    "delete": lambda cloud, name, guard: cloud.gcs("DELETE", name, **guard),
}
# A guard's generation: the generation, a former one, none although there is an object, and none where there is none.
STATES = ["current", "stale", "zero", "absent"]
STATUSES = {
    ("upload", "ifGenerationMatch"): [200, 412, 412, 200],
    ("upload", "ifGenerationNotMatch"): [304, 200, 200, 412],
    ("read", "ifGenerationMatch"): [200, 412, 412, 404],
    ("read", "ifGenerationNotMatch"): [304, 200, 200, 404],
    ("download", "ifGenerationMatch"): [200, 412, 412, 404],
    ("download", "ifGenerationNotMatch"): [304, 200, 200, 404],
    ("delete", "ifGenerationMatch"): [204, 412, 412, 404],
    ("delete", "ifGenerationNotMatch"): [304, 204, 204, 404],
}


def expected(cloud, name, operation, status):
    """Production's answer of a status to an operation, on an object as it is now."""
    if operation == "download":
        return {
            200: (200, gcs_media(metageneration="2"), BYTES.data),
            304: NOT_MODIFIED_MEDIA,
            404: gcs_media_not_found(name),
            412: PRECONDITION_FAILED_FOR_MEDIA,
        }[status]
    if operation == "upload" and status == 200:
        return (200, GCS_WRITTEN, cloud.gcs_object(name, REVERSED))
    return {
        200: (200, GCS_READ, cloud.gcs("GET", name)[2]),
        204: DELETED,
        304: NOT_MODIFIED_SINCE_READ if operation == "read" else NOT_MODIFIED_BY_WRITE,
        404: gcs_not_found(name),
        412: PRECONDITION_FAILED,
    }[status]


@pytest.mark.parametrize(
    ("operation", "guard", "state", "status"),
    [
        (operation, guard, state, status)
        for (operation, guard), statuses in STATUSES.items()
        for state, status in zip(STATES, statuses)
    ],
)
def test_generations_guard(cloud, operation, guard, state, status):
    name = folder(NAME)
    generation = cloud.minted(name)["generation"] if state != "absent" else "0"
    if state == "stale":
        cloud.minted(name)
    before = cloud.gcs("GET", name)[2], cloud.v0("GET", name)[2]
    answer = expected(cloud, name, operation, status)
    assert CALLS[operation](cloud, name, {guard: "0" if state == "zero" else generation}) == answer
    if status == 204:
        cloud.assert_absent(name)
    elif (operation, status) != ("upload", 200):
        assert (cloud.gcs("GET", name)[2], cloud.v0("GET", name)[2]) == before


def test_an_upload_over_an_object_drops_its_metadata_and_its_token(cloud):
    name = folder(NAME)
    former = cloud.minted(name)
    resource = cloud.gcs_upload(name, REVERSED, ifGenerationMatch=former["generation"])[2]
    assert resource == cloud.gcs_object(name, REVERSED)
    assert resource["generation"] > former["generation"]
    assert cloud.gcs("GET", name) == (200, GCS_READ, resource)


# Metagenerations: gcs--metageneration-preconditions.json

CHANGE = {"contentType": "application/octet-stream", "metadata": {"preconditionMarker": "subject-update"}}




def subject(cloud, is_stale):
    """An object of metageneration 2, or 3 where a guard that names 2 is to be stale."""
    name = folder(NAME)
    resource = cloud.minted(name)
    if is_stale:
        cloud.gcs("PATCH", name, {"metadata": {"preconditionMarker": "advanced"}})
        resource = cloud.gcs("GET", name)[2]
    return resource


@pytest.mark.parametrize(
    ("guard", "value", "is_stale", "holds", "otherwise"),
    [
        ("ifMetagenerationMatch", "2", False, True, None),
        ("ifMetagenerationMatch", "2", True, False, PRECONDITION_FAILED),
        ("ifMetagenerationMatch", "-1", False, False, PRECONDITION_FAILED),
        ("ifMetagenerationNotMatch", "2", False, False, NOT_MODIFIED_BY_WRITE),
        ("ifMetagenerationNotMatch", "2", True, True, None),
        ("ifMetagenerationNotMatch", "-1", False, True, None),
    ],
    ids=["match", "match stale", "match -1", "not match", "not match stale", "not match -1"],
)
@pytest.mark.parametrize("method", ["PATCH", "PUT", "DELETE"])
def test_metagenerations_guard(cloud, method, guard, value, is_stale, holds, otherwise):
    former = subject(cloud, is_stale)
    name = former["name"]
    guards = {"ifGenerationMatch": former["generation"], guard: value}
    answered = cloud.gcs(method, name, None if method == "DELETE" else CHANGE, **guards)
    if not holds:
        assert answered == otherwise
        assert cloud.gcs("GET", name) == (200, GCS_READ, former)
    elif method == "DELETE":
        assert answered == DELETED
        cloud.assert_absent(name)
    else:
        # PATCH leaves the token where it is; PUT replaces all metadata, of which the token is a part.
        kept = former["metadata"] if method == "PATCH" else {}
        after = {
            "generation": former["generation"],
            "metageneration": str(int(former["metageneration"]) + 1),
            "metadata": {**kept, **CHANGE["metadata"]},
        }
        assert answered == (200, GCS_WRITTEN, cloud.gcs_object(name, **after))


@pytest.mark.parametrize("value", ["", "1.5", "not-a-number"])
@pytest.mark.parametrize("guard", ["ifMetagenerationMatch", "ifMetagenerationNotMatch"])
@pytest.mark.parametrize("method", ["PATCH", "PUT", "DELETE"])
def test_a_guard_that_is_no_number_changes_nothing(cloud, method, guard, value):
    former = subject(cloud, is_stale=False)
    name = former["name"]
    guards = {"ifGenerationMatch": former["generation"], guard: value}
    refusal = gcs_error(
        400, f"Invalid long value: '{value}'.", "invalidParameter", locationType="parameter", location=guard
    )
    assert cloud.gcs(method, name, None if method == "DELETE" else CHANGE, **guards) == (400, GCS_WRITE, refusal)
    assert cloud.gcs("GET", name) == (200, GCS_READ, former)


def test_put_drops_the_token_and_the_v0_api_makes_another(cloud):
    former = subject(cloud, is_stale=False)
    name = former["name"]
    cloud.gcs("PUT", name, CHANGE, ifMetagenerationMatch=2)
    now = cloud.v0("GET", name)
    assert now == (200, V0_READ, v0_object(name, contentDisposition=None, metageneration="4", **CHANGE))
    assert now[2]["downloadTokens"] != former["metadata"]["firebaseStorageDownloadTokens"]

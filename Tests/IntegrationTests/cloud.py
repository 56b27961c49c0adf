# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Calls on Cloud Storage as the recorder of production's answers makes them; see recordings.py."""

import json
import re
import uuid

import requests
from harness import BUCKET
from recordings import (
    BYTES,
    GCS_LIST,
    TIME,
    V0_NOT_FOUND,
    Mask,
    common_members,
    gcs_media_not_found,
    gcs_not_found,
    present,
)

OWNER = {"Authorization": "Bearer owner"}
OCTETS = {"Content-Type": "application/octet-stream"}

# Fields that depend on the connection and the moment, which the recordings leave out.
VOLATILE = {"connection", "content-length", "date", "keep-alive", "server", "transfer-encoding"}


def answer(response):
    """An answer as the recordings have it: the status, the fields that do not depend on the moment, and the body."""
    fields = {name.lower(): value for name, value in response.headers.items() if name.lower() not in VOLATILE}
    is_json = fields.get("content-type", "").startswith("application/json") and response.content
    return response.status_code, fields, response.json() if is_json else response.content


def folder(recipe):
    """A folder of its own for the objects of a test."""
    return f"storage-object/{uuid.uuid4().hex[:20]}/{recipe}"


def quote(text):
    return requests.utils.quote(text, safe="")


def multipart(*parts):
    """A multipart upload of (content type, bytes); returns its body and its content type."""
    framed = b"".join(
        f"--bound\r\nContent-Type: {content_type}\r\n\r\n".encode() + data + b"\r\n" for content_type, data in parts
    )
    return framed + b"--bound--\r\n", "multipart/related; boundary=bound"


class Cloud:
    """Calls on both APIs by the owner of the project, as the recorder makes them."""

    def __init__(self, emulator):
        self.origin = f"http://{emulator.storage}"
        self.v0_objects = f"{self.origin}/v0/b/{BUCKET}/o"
        self.objects = f"{self.origin}/storage/v1/b/{BUCKET}/o"
        self.uploads = f"{self.origin}/upload/storage/v1/b/{BUCKET}/o"

    def call(self, method, url, data=None, headers=None, credentials=OWNER, **query):
        """Sends a request and returns its answer; `credentials={}` is anybody."""
        target = url + ("?" if query else "") + "&".join(f"{key}={quote(str(value))}" for key, value in query.items())
        fields = {"Accept-Encoding": "identity", **credentials, **(headers or {})}
        return answer(requests.request(method, target, data=data, headers=fields, timeout=20))

    def v0(self, method, name, body=None, **options):
        """A call on an object through the v0 API; the body is sent as JSON."""
        return self.call(method, f"{self.v0_objects}/{quote(name)}", **with_json(options, body))

    def gcs(self, method, name, body=None, verb="", **options):
        """A call on an object through the JSON API; the body is sent as JSON."""
        return self.call(method, f"{self.objects}/{quote(name)}{verb}", **with_json(options, body))

    def upload(self, name, content=BYTES, **options):
        """A simple upload through the v0 API."""
        return self.call("POST", self.v0_objects, name=name, data=content.data, headers=OCTETS, **options)

    def gcs_upload(self, name, content=BYTES, **query):
        """A simple upload through the JSON API."""
        return self.call(
            "POST", self.uploads, name=name, uploadType="media", data=content.data, headers=OCTETS, **query
        )

    def minted(self, name, content=BYTES):
        """Makes an object through the JSON API, and its download token by a look through the v0 API; its resource."""
        assert self.gcs_upload(name, content)[0] == 200
        assert self.v0("GET", name)[0] == 200
        return self.gcs("GET", name)[2]

    def gcs_object(self, name, content=BYTES, **members):
        """An object as the JSON API describes it."""
        generation = members.get("generation", r"\d{16}")
        place = f"/storage/v1/b/{BUCKET}/o/{quote(name)}"
        media = re.escape(f"{self.origin}/download{place}?generation=") + generation + re.escape("&alt=media")
        own = {
            "id": Mask("id", re.escape(f"{BUCKET}/{name}/") + generation),
            "kind": "storage#object",
            "mediaLink": Mask("media link", media),
            "selfLink": f"{self.origin}{place}",
            "timeFinalized": TIME,
            "timeStorageClassUpdated": TIME,
        }
        return present(common_members(name, content, {**own, **members}))

    def assert_absent(self, name):
        """Holds every way of looking for an object against what production answers when there is none."""
        assert self.v0("GET", name) == V0_NOT_FOUND
        assert self.v0("GET", name, alt="media") == V0_NOT_FOUND
        assert self.gcs("GET", name) == gcs_not_found(name)
        assert self.gcs("GET", name, alt="media") == gcs_media_not_found(name)
        listing = self.call("GET", self.objects, prefix=name, maxResults=1000)
        assert listing == (200, GCS_LIST, {"kind": "storage#objects"})


def with_json(options, value):
    if value is None:
        return options
    return {**options, "data": json.dumps(value), "headers": {"Content-Type": "application/json"}}

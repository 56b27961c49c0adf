# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""What Cloud Storage itself answered in 2026, in the words of its recurring header fields and bodies.

The exchanges are public in the repository t-k/fireemu, conformance/fixtures/storage-object-production; tests name the
file. They hold no order of header fields and members. Masks stand for what no two runs have in common; links lead to
the server that was asked (production's lead to googleapis.com).
"""

import base64
import json
import re

from harness import BUCKET


class Mask:
    """Equals every text of a form."""

    def __init__(self, name, pattern):
        self.name, self.pattern = name, pattern

    def __eq__(self, other):
        return isinstance(other, str) and re.fullmatch(self.pattern, other) is not None

    def __repr__(self):
        return f"<{self.name}>"


HTTP_DATE = Mask("HTTP date", r"[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT")
TIME = Mask("time", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
ETAG = Mask("etag", r"[A-Za-z0-9+/]+=*")
GENERATION = Mask("generation", r"\d{16}")
TOKEN = Mask("token", r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
PAGE_TOKEN = Mask("page token", r".+")


class Content:
    """Bytes and production's sums of them."""

    def __init__(self, data, crc32c, md5):
        self.data, self.crc32c, self.md5 = data, crc32c, md5
        self.size = str(len(data))
        self.tag = f'"{base64.b64decode(md5).hex()}"'


BYTES = Content(bytes.fromhex("00017f80ff"), "1Kspzg==", "/upD6bdvwxw0vOxAPcxL+A==")
REVERSED = Content(BYTES.data[::-1], "vjoVNQ==", "6JnTKwgIrXzMisIUzQRzpw==")
SHORT = Content(bytes.fromhex("0001ff"), "3rtoXA==", "/7uM1aIyt9kGkEUz6WCfSA==")
EMPTY = Content(b"", "AAAAAA==", "1B2M2Y8AsgTpgAmY7PhCfg==")
DIGITS = Content(b"123456789", "4waSgw==", "JfnnlDI7RTiF9RgfG2JNCw==")
LARGE = Content(b"\x5a" * (256 << 10) + bytes.fromhex("0001ff"), "xNDiAQ==", "cc8pme/fiR/h+9YRkZOzww==")

# Header fields

NEVER_KEPT = {
    "cache-control": "no-cache, no-store, max-age=0, must-revalidate",
    "expires": "Mon, 01 Jan 1990 00:00:00 GMT",
    "pragma": "no-cache",
}
BRIEFLY_KEPT = {"cache-control": "private, max-age=0", "expires": HTTP_DATE}
KEPT_UNCHANGED = {"cache-control": "private, max-age=0, must-revalidate, no-transform", "expires": HTTP_DATE}
ANY_ORIGIN = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "Content-Range, X-Firebase-Storage-XSRF",
}
VARY = {"vary": "Origin, X-Origin"}
JSON = {"content-type": "application/json; charset=UTF-8"}
BARE_JSON = {"content-type": "application/json"}
HTML = {"content-type": "text/html; charset=UTF-8"}
PLAIN = {"content-type": "text/plain; charset=utf-8"}

V0_WRITE = {**ANY_ORIGIN, **JSON, "x-content-type-options": "nosniff"}
V0_READ = {**V0_WRITE, **BRIEFLY_KEPT}
V0_DELETED = {**ANY_ORIGIN, **BRIEFLY_KEPT}

GCS_LIST = {**KEPT_UNCHANGED, **JSON, **VARY}
GCS_READ = {**GCS_LIST, "etag": ETAG}
GCS_WRITE = {**NEVER_KEPT, **JSON, **VARY}
GCS_WRITTEN = {**GCS_WRITE, "etag": ETAG}
GCS_EMPTY = {**NEVER_KEPT, **BARE_JSON, **VARY}
GCS_MEDIA_REFUSED = {**BRIEFLY_KEPT, **HTML, **VARY}
GCS_UPLOAD_REFUSED = {**NEVER_KEPT, **HTML, **VARY}


def media_fields(content, generation, metageneration, content_type):
    return {
        "content-type": content_type,
        "last-modified": HTTP_DATE,
        "x-goog-generation": generation,
        "x-goog-metageneration": metageneration,
        "x-goog-storage-class": "STANDARD",
        "x-goog-stored-content-encoding": "identity",
        "x-goog-stored-content-length": content.size,
    }


def v0_media(
    content=BYTES, metageneration="1", *, tokens=TOKEN, disposition=None, caching=NEVER_KEPT, metadata=None, **others
):
    """The header fields of v0 media; `None` stands for what an object made by the JSON API does not have."""
    return present({
        **media_fields(content, others.pop("generation", GENERATION), metageneration, "application/octet-stream"),
        **caching,
        "accept-ranges": "bytes",
        "content-disposition": disposition and f"inline; filename*=utf-8''{disposition}",
        "etag": content.tag,
        "x-goog-hash": f"crc32c={content.crc32c}, md5={content.md5}",
        "x-goog-meta-firebasestoragedownloadtokens": tokens,
        **{f"x-goog-meta-{key.lower()}": value for key, value in (metadata or {}).items()},
        **{key.replace("_", "-"): value for key, value in others.items()},
    })


def gcs_media(content=BYTES, metageneration="1", content_type="application/octet-stream", **others):
    """The header fields of media by the JSON API, which tells neither metadata nor tokens."""
    return present({
        **media_fields(content, others.pop("generation", GENERATION), metageneration, content_type),
        **NEVER_KEPT,
        **VARY,
        "content-disposition": "attachment",
        "etag": ETAG,
        "x-goog-hash": f"crc32c={content.crc32c},md5={content.md5}",
        **{key.replace("_", "-"): value for key, value in others.items()},
    })


# Bodies


def present(members):
    return {key: value for key, value in members.items() if value is not None}


def common_members(name, content, members):
    return {
        "bucket": BUCKET,
        "contentType": "application/octet-stream",
        "crc32c": content.crc32c,
        "etag": ETAG,
        "generation": GENERATION,
        "md5Hash": content.md5,
        "metageneration": "1",
        "name": name,
        "size": content.size,
        "storageClass": "STANDARD",
        "timeCreated": TIME,
        "updated": TIME,
        **members,
    }


def v0_object(name, content=BYTES, **members):
    """An object as the v0 API describes it; `contentDisposition=None` is one that the JSON API made."""
    own = {
        "contentDisposition": f"inline; filename*=utf-8''{name.rsplit('/', 1)[-1]}",
        "contentEncoding": "identity",
        "downloadTokens": TOKEN,
    }
    return present(common_members(name, content, {**own, **members}))


def v0_error(code, message):
    return {"error": {"code": code, "message": message}}


def gcs_error(code, message, reason, **location):
    return {
        "error": {
            "code": code,
            "message": message,
            "errors": [{"message": message, "domain": "global", "reason": reason, **location}],
        }
    }


def upload_refused(message):
    """The refusal by the servers for uploads to the JSON API, of which the order of the members is recorded too."""
    error = {"message": message, "domain": "global", "reason": "invalid"}
    whole = {"error": {"code": 400, "message": message, "errors": [error]}}
    return (400, GCS_UPLOAD_REFUSED, json.dumps(whole, separators=(",", ":")).encode())


V0_NOT_FOUND = (404, V0_READ, v0_error(404, "Not Found."))
V0_NOT_FOR_YOU = (403, V0_WRITE, v0_error(403, "Permission denied."))
V0_BAD_REQUEST = (400, V0_WRITE, v0_error(400, "Bad Request."))

UNMET = "At least one of the pre-conditions you specified did not hold."
PRECONDITION_FAILED = (
    412, GCS_WRITE, gcs_error(412, UNMET, "conditionNotMet", locationType="header", location="If-Match")
)
PRECONDITION_FAILED_FOR_MEDIA = (412, GCS_MEDIA_REFUSED, UNMET.encode())
NOT_MODIFIED_BY_WRITE = (304, GCS_EMPTY, b"")
NOT_MODIFIED_SINCE_READ = (304, {**KEPT_UNCHANGED, **BARE_JSON, **VARY}, b"")
NOT_MODIFIED_MEDIA = (304, {**BRIEFLY_KEPT, **VARY, "content-type": "application/octet-stream"}, b"")
DELETED = (204, GCS_EMPTY, b"")


def gcs_not_found(name):
    return (404, GCS_WRITE, gcs_error(404, f"No such object: {BUCKET}/{name}", "notFound"))


def gcs_media_not_found(name):
    return (404, GCS_MEDIA_REFUSED, f"No such object: {BUCKET}/{name}".encode())

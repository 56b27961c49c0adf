# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The same request again gets the same answer from memory, until something that it tells of has changed."""

import json

import pytest
import requests
from harness import BUCKET

OBJECT = f"/v0/b/{BUCKET}/o/a"
JSON_OBJECT = f"/storage/v1/b/{BUCKET}/o/a"
READS = {
    "v0": OBJECT + "?alt=media",
    "JSON API": JSON_OBJECT + "?alt=media",
    "XML API": f"/{BUCKET}/a",
}
COPY_SOURCE = "/storage/v1/b/other/o/b"
DATES = {"date", "expires"}


class Reader:
    """Reads over one connection, until an answer surely comes from memory."""

    def __init__(self, emulator, target, **headers):
        self.url = f"http://{emulator.storage}{target}"
        self.session = requests.Session()
        self.headers = headers

    def read(self):
        response = self.session.get(self.url, headers=self.headers)
        fields = {name: value for name, value in response.headers.items() if name.lower() not in DATES}
        return response.status_code, fields, response.content

    def warm(self):
        answers = [self.read() for _ in range(4)]
        assert all(answer == answers[0] for answer in answers)
        return answers[0]


def call(emulator, method, target, body=None):
    response = requests.request(method, f"http://{emulator.storage}{target}", data=body)
    assert response.status_code < 300, response.text
    return response


@pytest.fixture
def stored(emulator):
    emulator.put("a", b"first")
    call(emulator, "POST", "/storage/v1/b", json.dumps({"name": "other"}))
    call(emulator, "POST", "/upload/storage/v1/b/other/o?uploadType=media&name=b", b"second")
    return emulator


CHANGES = {
    "overwritten through v0": ("POST", f"/v0/b/{BUCKET}/o?name=a", b"second", b"second"),
    "overwritten through the JSON API": (
        "POST",
        f"/upload/storage/v1/b/{BUCKET}/o?uploadType=media&name=a",
        b"second",
        b"second",
    ),
    "overwritten through the XML API": ("PUT", f"/{BUCKET}/a", b"second", b"second"),
    "copied over": ("POST", f"{COPY_SOURCE}/rewriteTo/b/{BUCKET}/o/a", None, b"second"),
    "composed over": (
        "POST",
        f"{JSON_OBJECT}/compose",
        json.dumps({"sourceObjects": [{"name": "a"}, {"name": "a"}]}),
        b"firstfirst",
    ),
    "described anew": ("PATCH", JSON_OBJECT, json.dumps({"contentType": "text/new"}), b"first"),
    "deleted": ("DELETE", OBJECT, None, None),
    "wiped": ("POST", "/internal/reset", None, None),
}


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_shows_at_once(stored, read, change):
    reader = Reader(stored, READS[read])
    before = reader.warm()
    assert before[2] == b"first"
    method, target, body, expected = CHANGES[change]
    call(stored, method, target, body)
    status, fields, content = reader.read()
    if expected is None:
        assert status == 404
    else:
        assert (status, content) == (200, expected)
        assert fields != before[1]


def test_a_revoked_token_opens_nothing(stored):
    token = call(stored, "GET", OBJECT).json()["downloadTokens"]
    reader = Reader(stored, f"{OBJECT}?alt=media&token={token}")
    assert reader.warm()[0] == 200
    call(stored, "POST", f"{OBJECT}?delete_token={token}")
    assert reader.read()[0] == 403


@pytest.mark.parametrize("headers", [{"Range": "bytes=1-2"}, {"Origin": "http://page"}, {"If-None-Match": "*"}])
def test_the_whole_head_decides(stored, headers):
    plain = Reader(stored, READS["v0"])
    other = Reader(stored, READS["v0"], **headers)
    assert plain.warm() != other.warm()
    assert plain.warm() == Reader(stored, READS["v0"]).read()


def test_a_long_head_is_read_to_its_end(stored):
    long = {"Authorization": "Bearer " + "x" * 2_100}
    assert Reader(stored, READS["v0"], **long).warm()[2] == b"first"
    ranged = Reader(stored, READS["v0"], **long, Range="bytes=0-1")
    assert ranged.warm()[2] == b"fi"
    # A connection that has read nothing before reads less at first.
    assert Reader(stored, READS["v0"], **long, Range="bytes=1-2").read()[2] == b"ir"
    assert Reader(stored, READS["v0"], **long).read()[2] == b"first"


def test_a_planned_fault_strikes_each_time(stored):
    plan = {"instructions": {"storage.objects.get": ["return-503", "return-502", "return-503"]}}
    plan_id = call(stored, "POST", "/retry_test", json.dumps(plan)).json()["id"]
    assert Reader(stored, READS["JSON API"]).warm()[0] == 200
    struck = Reader(stored, READS["JSON API"], **{"x-retry-test-id": plan_id})
    assert [struck.read()[0] for _ in range(5)] == [503, 502, 503, 200, 200]


def test_every_repeat_is_metered(stored):
    mark = stored.mark()
    Reader(stored, READS["JSON API"], **{"X-Firebase-Storage-Version": "ios/11"}).warm()
    usage = stored.usage(since=mark)
    assert usage["requests"] == usage["billed"]["classB"] == 4
    assert usage["bytes"]["bodySent"] == usage["billed"]["egressBytes"] == 4 * len(b"first")
    assert list(stored.usage(since=mark, by="client")) == ["ios/11"]
    assert list(stored.usage(since=mark, by="object")) == ["a"]

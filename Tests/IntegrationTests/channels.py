# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""A page's side of WebChannel, a request at a time, so that each may be lost, repeated or cut."""

import itertools
import json
from urllib.parse import quote

import requests

from harness import DATABASE, DOCUMENTS

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def chunks(text):
    """The arrays of all whole chunks in a text, whose lengths are UTF-16 code units."""
    units, arrays = text.encode("utf-16-le"), []
    while (end := units.find("\n".encode("utf-16-le"))) >= 0:
        length = int(units[:end].decode("utf-16-le"))
        chunk = units[end + 2 : end + 2 + 2 * length]
        if len(chunk) < 2 * length:
            break
        arrays += json.loads(chunk.decode("utf-16-le"))
        units = units[end + 2 + 2 * length :]
    return arrays


def form(messages, first=0, headers=None):
    """The body of a request with messages."""
    parts = [f"count={len(messages)}", f"ofs={first}"]
    parts += [f"req{n}___data__={quote(json.dumps(message))}" for n, message in enumerate(messages)]
    if headers:
        parts.insert(0, f"headers={quote(''.join(f'{name}:{value}' + chr(13) + chr(10) for name, value in headers.items()))}")
    return "&".join(parts)


def query_of(collection, **constraints):
    return {"query": {"parent": DOCUMENTS, "structuredQuery": {"from": [{"collectionId": collection}], **constraints}}}


class Channel:
    """A session of a page."""

    def __init__(self, emulator, call="Listen", messages=(), headers=None):
        self.address = f"http://{emulator.firestore}/google.firestore.v1.Firestore/{call}/channel"
        self.http = requests.Session()
        self.rids, self.sent, self.last = itertools.count(1), 0, 0
        answer = self.post(form(messages, headers=headers), CVER=22)
        answer.raise_for_status()
        self.sent = len(messages)
        [[zero, [kind, self.sid, prefix, version, *rest]]] = chunks(answer.text)
        assert [zero, kind, prefix, version] == [0, "c", "", 8]

    def post(self, body, **query):
        query = {"VER": 8, "database": DATABASE, "RID": next(self.rids), "t": 1} | query
        return self.http.post(self.address, body, params=query, headers=FORM, timeout=30)

    def send(self, *messages, first=None):
        """Sends messages; returns the server's word on the back channel."""
        first = self.sent if first is None else first
        answer = self.post(form(messages, first), SID=self.sid, AID=self.last)
        self.sent = max(self.sent, first + len(messages))
        assert answer.status_code == 200, answer.text
        # Three numbers, and no list of arrays.
        return json.loads(answer.text.partition("\n")[2])

    def back_channel(self, aid=None, poll=False, **query):
        """Opens a back channel, whose answer is read as it comes."""
        aid = self.last if aid is None else aid
        query = {"VER": 8, "RID": "rpc", "SID": self.sid, "AID": aid, "CI": int(poll), "TYPE": "xmlhttp", "t": 1} | query
        return self.http.get(self.address, params=query, stream=True, timeout=60)

    def poll(self, **query):
        """What a back channel answers that ends with its first chunk."""
        answer = self.back_channel(poll=True, **query)
        assert answer.status_code == 200, answer.text
        answer.encoding = "utf-8"
        arrays = chunks(answer.text)
        assert [number for number, _ in arrays] == list(range(arrays[0][0], arrays[0][0] + len(arrays)))
        self.last = arrays[-1][0]
        return [array[0] for _, array in arrays]

    def until(self, is_last):
        """Polls until there is an answer as expected; returns all before it, and it."""
        found = []
        while not found or not is_last(found[-1]):
            found += [answer for answer in self.poll() if answer != "noop"]
        return found

    def terminate(self):
        return self.post("", SID=self.sid, TYPE="terminate")

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Requests of pages that were altered on their way, beside pages that are well and must not notice."""

import math
import random
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import requests

from channels import Channel, form, query_of
from harness import DATABASE, DOCUMENTS
from trials.process_figures import resident_kibibytes

LISTEN = {"database": DATABASE, "addTarget": query_of("well") | {"targetId": 2}}
REMOVE = {"database": DATABASE, "removeTarget": 2}
PATH = "/google.firestore.v1.Firestore/{}/channel"
# Requests after which a change is written, and new sessions are opened: they end by what they are sent.
ROUND = 100
# A session without requests is forgotten after a minute (`ChannelLimits.abandonedLookCount`).
FORGOTTEN_SECONDS = 65
NUMBERS = ["-1", "0", "1", "2", "77", "1000000", "2147483648", "4294967295", "4294967296", "9" * 30, "1e3", "0x1", "", "%00", "١"]
SPLICES = ["&", "=", "%", "%0", "%ff", "%00", "\r\n", "ofs=", "count=", "req0___data__=", "headers=", "{", "}", '"', "[", "null", "\ud83d"]


class GarbledChannels:
    """The trial: sends requests of its own sessions and of none, each altered in a few places.

    A request must get an answer that is no fault of the server, and the pages that are well every event, once and in order.
    """

    def __init__(self, emulator, seed):
        self.emulator, self.chance = emulator, random.Random(seed)
        self.problems, self.statuses, self.count = [], {}, 0
        self.written = 0
        host, port = emulator.firestore.split(":")
        self.address = (host, int(port))
        self.sessions = []

    def run(self, count, show=lambda line: None):
        """Sends a number of requests."""
        # One change before, one in each round, one at the end.
        last = self.written + 2 + math.ceil(count / ROUND)
        self._write()
        well = [Channel(self.emulator, messages=[LISTEN]) for _ in range(4)]
        with ThreadPoolExecutor(len(well)) as pool:
            following = [pool.submit(self._follow, channel, last) for channel in well]
            self._send_all(count, show)
            self._write()
            for future in following:
                if error := future.exception(timeout=60):
                    self.problems.append(f"a page that is well: {error!r}")

    def _send_all(self, count, show):
        for number in range(count):
            if number % ROUND == 0:
                self._write()
                self.sessions = [self._session(call) for call in ["Listen", "Write"] for _ in range(4)]
            self._send(*self._garbled())
            if (number + 1) % 10_000 == 0:
                show(f"{number + 1:,} requests: {self.statuses}")

    def grown_kibibytes(self, count):
        """The memory that the emulator needs more after a number of requests, when abandoned sessions are forgotten."""
        time.sleep(FORGOTTEN_SECONDS)
        before = resident_kibibytes(self.emulator.process.pid)
        self.run(count)
        time.sleep(FORGOTTEN_SECONDS)
        return resident_kibibytes(self.emulator.process.pid) - before

    # The pages that are well

    def _write(self):
        self.written += 1
        body = {"fields": {"n": {"integerValue": self.written}}}
        requests.patch(f"http://{self.emulator.firestore}/v1/{DOCUMENTS}/well/d", json=body, timeout=20).raise_for_status()

    def _follow(self, channel, last):
        seen = []
        while seen[-1:] != [last]:
            for answer in channel.poll():
                if answer != "noop" and "documentChange" in answer:
                    seen.append(int(answer["documentChange"]["document"]["fields"]["n"]["integerValue"]))
        # Of changes that come together only the last is sent.
        if seen != sorted(set(seen)):
            self.problems.append(f"a page was told {seen}")
        channel.terminate()

    # The others

    def _session(self, call):
        return Channel(self.emulator, call, messages=[LISTEN]).sid

    def _garbled(self):
        """A request: its method, path with query, header fields and body."""
        chance = self.chance
        sid = chance.choice(self.sessions) if chance.random() < 0.9 else chance.choice(["x", "null", ""])
        call = chance.choice([*["Listen", "Write"] * 9, "listen", ""])
        query = {"VER": "8", "database": DATABASE, "RID": str(chance.randrange(9)), "CVER": "22", "t": "1"}
        if chance.random() < 0.8:
            query |= {"SID": sid, "AID": chance.choice("0001")}
        method, body = "POST", form([LISTEN, REMOVE][: chance.randrange(3)], chance.randrange(4))
        kind = chance.randrange(4)
        if kind == 0:
            # A poll with nothing to wait for would hold this connection until the next write.
            method, body = "GET", ""
            query |= {"RID": "rpc", "CI": "1", "TYPE": "xmlhttp", "TO": "1"}
        elif kind == 1:
            query |= {"TYPE": chance.choice(["terminate", "terminate2"])}
        if chance.random() < 0.03:
            method = chance.choice(["PUT", "HEAD"])
        for _ in range(chance.choice([0, 0, 0, 1, 2, 3])):
            name = chance.choice([*query, "SID", "AID", "VER", "TYPE", "CI", "TO", "$req", "$httpHeaders", "RID"])
            query[name] = chance.choice([*NUMBERS, *map(quote, ["[", "{}", "ü", "\0"]), sid, "x" * chance.randrange(3_000)])
        target = PATH.format(call) + "?" + "&".join(f"{name}={value}" for name, value in query.items())
        fields = [f"Origin: {chance.choice(['http://a.example', 'null', 'x' * 300])}"] * chance.randrange(2)
        return method, self._altered(target, False), fields, self._altered(body, True).encode("utf-8", "surrogatepass")

    def _altered(self, text, is_body):
        chance = self.chance
        for _ in range(chance.choice([0, 1, 1, 3] if is_body else [0] * 9 + [1])):
            place, width = chance.randrange(len(text) + 1), chance.randrange(12)
            piece = chance.choice([*NUMBERS, *(SPLICES if is_body else SPLICES[:6]), text[:width], chr(chance.randrange(33, 127))])
            text = text[:place] + piece + text[place + chance.choice([0, width, len(text)]) :]
        return text

    def _send(self, method, target, fields, body):
        self.count += 1
        length = len(body) if self.chance.random() < 0.97 else max(0, len(body) + self.chance.choice([-1, -5, 1]))
        head = "\r\n".join([f"{method} {target} HTTP/1.1", "Host: x", "Connection: close", *fields, f"Content-Length: {length}", "", ""])
        sent = head.encode("utf-8", "surrogatepass") + body
        with socket.create_connection(self.address, timeout=20) as connection:
            connection.sendall(sent)
            if length > len(body):
                connection.shutdown(socket.SHUT_WR)
            try:
                status = connection.recv(1 << 16)[:12].decode("latin-1")
            except OSError as error:
                status = f"{error}"
        self.statuses[status[9:]] = self.statuses.get(status[9:], 0) + 1
        is_cut = length > len(body) and status == ""
        if not is_cut and not (status.startswith("HTTP/1.1 ") and status[9:10] in "24"):
            self.problems.append(f"{status!r} for {sent[:2_000]!r}")

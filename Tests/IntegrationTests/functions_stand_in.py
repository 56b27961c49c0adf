#!/usr/bin/env python3
# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Stands in for the official Functions emulator, and for services that take CloudEvents: records what is posted.

It answers like firebase-tools 15.28.1 (`src/emulator/functionsEmulator.ts`): 404 for a function that it does not know,
204 for a disabled one, an acknowledgement for events that it hands on itself, and at `/backends` the functions that it has.
"""

import base64
import json
import sys
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Event:
    """An event as it was posted; header names are in lower case."""

    path: str
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def message(self):
        """The fields of the event's `DocumentEventData`, by number; the Functions emulator is sent base 64."""
        is_bytes = not self.path.startswith("/functions/")
        return message_fields(self.body if is_bytes else base64.b64decode(self.body, validate=True))


def message_fields(data):
    """Takes a message of protocol buffers apart whose fields have lengths: {number: [content, …]}."""
    fields = {}
    place = 0

    def varint():
        nonlocal place
        number = shift = 0
        while True:
            byte = data[place]
            place += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    while place < len(data):
        tag = varint()
        assert tag & 7 == 2, f"the field {tag >> 3} has no length"
        length = varint()
        fields.setdefault(tag >> 3, []).append(data[place : place + length])
        place += length
    return fields


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        assert self.path == "/backends"
        backend = {"directory": "/functions", "env": {}, "functionTriggers": self.server.stand_in.functions}
        self.send(200, json.dumps({"backends": [backend]}).encode())

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.send(*self.server.stand_in.take(Event(self.path, headers, body)))

    def send(self, status, answer):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512


class FunctionsStandIn:
    """A server at a free port; `address` is host:port. One that is away has its port, and refuses connections until `come()`."""

    def __init__(self, port=0, is_keeping=True, is_away=False):
        self.events = []
        self.count = 0
        self.is_keeping = is_keeping
        self.functions = []
        self.decisions = {}
        self._changed = threading.Condition()
        self._statuses = []
        self._unknown = set()
        self.server = Server(("127.0.0.1", port), Handler, bind_and_activate=False)
        self.server.stand_in = self
        self.server.server_bind()
        self.address = f"127.0.0.1:{self.server.server_address[1]}"
        if not is_away:
            self.come()

    def come(self):
        self.server.server_activate()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, *statuses):
        """The statuses of the next answers."""
        with self._changed:
            self._statuses = list(statuses)

    def forget(self, key):
        """Answers events for a function as if a reload had renamed it."""
        with self._changed:
            self._unknown.add(key)

    def add(self, name, **members):
        """Loads a function with these members of its listing."""
        labels = {"EVENTARC_CLOUD_EVENT_SOURCE": "run-emulated.googleapis.com/projects/demo/locations/us-central1"}
        function = {"name": name, "id": f"us-central1-{name}", "region": "us-central1", "labels": labels, **members}
        self.functions = [*self.functions, function]

    def take(self, event):
        if event.path.endswith("/triggers/firemeter-lists-keys"):
            keys = ", ".join(f"{function['id']}-0" for function in self.functions)
            return 404, f"Function x does not exist, valid functions are: {keys}".encode()
        if event.path in self.decisions:
            return 200, json.dumps(self.decisions[event.path]).encode()
        with self._changed:
            self.count += 1
            if self.is_keeping:
                self.events.append(event)
            self._changed.notify_all()
            if self._statuses:
                status = self._statuses.pop(0)
                return status, b"" if status == 204 else b"{}"
            key = event.path.rpartition("/")[2]
            if key in self._unknown:
                return 404, f"Function {key} does not exist, valid functions are: ".encode()
        if event.path.endswith("/trigger_multicast"):
            return 200, b'{"status":"multicast_acknowledged"}'
        return 200, b"{}"

    def wait(self, count, seconds=15):
        """The events once there are this many."""
        with self._changed:
            if not self._changed.wait_for(lambda: self.count >= count, seconds):
                paths = [event.path for event in self.events]
                raise AssertionError(f"{self.count} of {count} events after {seconds} s: {paths[-20:]}")
            return list(self.events)

    def settled(self, count, quiet_seconds=0.5):
        """The events, of which there are this many and, for a while, not more."""
        self.wait(count)
        time.sleep(quiet_seconds)
        with self._changed:
            paths = [event.path for event in self.events]
            assert self.count == count, f"{self.count} events instead of {count}: {paths[-20:]}"
            return list(self.events)

    def clear(self):
        with self._changed:
            self.events.clear()
            self.count = 0


def main():
    """Serves at the port that is given, and writes the number of events once a second in which some came."""
    stand_in = FunctionsStandIn(int(sys.argv[1]) if len(sys.argv) > 1 else 0, is_keeping=False)
    print(stand_in.address, flush=True)
    last = 0
    while True:
        time.sleep(1)
        if stand_in.count != last:
            last = stand_in.count
            print(last, flush=True)


if __name__ == "__main__":
    main()

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""HTTP/1.1 calls that a kill may break off."""

import http.client
import json


class Gone(Exception):
    """The server went before it answered."""


class Caller:
    """One connection that is kept; a broken one is reported as `Gone`."""

    def __init__(self, address, timeout=20):
        host, port = address.rsplit(":", 1)
        self._connection = http.client.HTTPConnection(host, int(port), timeout=timeout)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._connection.close()

    def call(self, method, target, body=None, headers=None):
        """Returns the answer's status, header fields and body."""
        try:
            self._connection.request(method, target, body=body, headers=headers or {})
            response = self._connection.getresponse()
            return response.status, response.headers, response.read()
        except (OSError, http.client.HTTPException) as error:
            raise Gone from error

    def json(self, method, target, value=None):
        """Calls with JSON; returns the answer's status and its JSON."""
        body = None if value is None else json.dumps(value)
        status, _, data = self.call(method, target, body, {"Content-Type": "application/json"})
        return status, json.loads(data)

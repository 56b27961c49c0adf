# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""A stand-in for the server that gives service accounts their access tokens."""

import http.server
import json
import urllib.parse


class TokenHandler(http.server.BaseHTTPRequestHandler):
    """Gives a service account, as access token, the JSON Web Token with which it asks: so servers know whose it is."""

    def do_POST(self):
        form = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        assertion = urllib.parse.parse_qs(form)["assertion"][0]
        token = {"access_token": self.server.token_prefix + assertion, "token_type": "Bearer", "expires_in": 3600}
        body = json.dumps(token).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def token_server(prefix=""):
    """The server, which does not answer yet, and its `token_uri`. Tokens from Google begin with `ya29.`."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), TokenHandler)
    server.token_prefix = prefix
    return server, f"http://127.0.0.1:{server.server_port}/token"

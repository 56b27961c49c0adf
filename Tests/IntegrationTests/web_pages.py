# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Pages with the Firebase Web SDK, unchanged, in browsers without a window."""

import http.server
import json
import os
import subprocess
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

HERE = Path(__file__).resolve().parent
WEB_SDK = Path(os.environ.get("FIREMETER_WEB_SDK", HERE.parents[2] / "shared" / "web-sdk"))

CHROMIUM = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir={profile}"]
BROWSERS = {
    "chromium": [*CHROMIUM, "--remote-debugging-port=0"],
    "firefox": ["firefox-esr", "--headless", "--no-remote", "--profile", "{profile}"],
}
THIS_MACHINE_ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
# For pages in Chromium that open others: those are not blocked, run as fast in the background, and reach this machine alone.
SEVERAL_WINDOWS = [
    *["--disable-popup-blocking", "--disable-background-timer-throttling", "--disable-renderer-backgrounding"],
    *["--disable-backgrounding-occluded-windows", THIS_MACHINE_ALONE],
]

# A page with these is isolated from windows of other origins, and loses the reference to its pop-ups.
ISOLATION = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}

FAILURES = """<script>
const text = (event) => event.reason?.stack ?? event.reason ?? event.message ?? (event.type ? "a script is missing" : event);
const failed = (event) => fetch("/failed", {method: "POST", body: `${text(event)}`});
onunhandledrejection = onerror = failed;
</script>"""


def _with_own_sdk(text):
    """Has pages, and the SDK's files, import from here what they import from Google's CDN."""
    start = text.find("https://www.gstatic.com/firebasejs/")
    return text.replace(text[start : text.find("firebase-app.js", start)], "/sdk/") if start >= 0 else text


class _Pages(http.server.BaseHTTPRequestHandler):
    """Serves the page, the SDK at /sdk, the scripts of tests at /web and documents at /docs; what pages post is an answer.

    A page whose query has `isolated` is sent with the fields of `ISOLATION`.
    """

    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def reply(self, text, kind="text/javascript", status=200):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        for name, value in ISOLATION.items() if "isolated" in parse_qs(urlsplit(self.path).query) else []:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/":
            self.reply(f"<!doctype html>{FAILURES}<script type=module onerror='failed(event)'>{self.server.script}</script>", "text/html")
        elif path.startswith("/sdk/") and (script := WEB_SDK / path.removeprefix("/sdk/")).is_file():
            self.reply(_with_own_sdk(script.read_text()))
        elif path.startswith("/docs/") and (page := HERE.parents[1] / path[1:]).is_file():
            self.reply(_with_own_sdk(page.read_text()), "text/html")
        elif path.startswith("/web/") and (script := HERE / path[1:]).is_file():
            self.reply(script.read_text(), "text/html" if path.endswith(".html") else "text/javascript")
        else:
            self.reply("", status=404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.answers.append((self.path, body.decode()))
        self.reply("", "text/plain")
        self.server.answered.set()


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        """Browsers reset connections that they need no more."""


@contextmanager
def serving(script=""):
    """Serves pages; yields the server."""
    server = _Server(("127.0.0.1", 0), _Pages)
    server.script, server.answers, server.answered = script, [], threading.Event()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def run_page(script, query="", browser="chromium", seconds=60, arguments=()):
    """Runs a module in a page; returns what it posts to /done. The browser gets the arguments besides its own."""
    with serving(script) as server, tempfile.TemporaryDirectory(prefix="firemeter-browser-", ignore_cleanup_errors=True) as profile:
        command = [word.format(profile=profile) for word in BROWSERS[browser]]
        address = f"http://127.0.0.1:{server.server_port}/{query}"
        running = subprocess.Popen([*command, *arguments, address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            assert server.answered.wait(seconds), "the page did not end"
        finally:
            running.terminate()
            running.wait(timeout=20)
        path, body = server.answers[0]
        assert path == "/done", body
        return json.loads(body)

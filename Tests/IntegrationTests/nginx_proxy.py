# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""nginx (Debian: nginx-light) between a page and the emulator."""

import getpass
import shutil
import socket
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from harness import wait_until

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin")

# Ways with answers: a proxy hands on each part at once; holds them back unless an answer says that it is not to be held back,
# as those of channels do; or holds them all back.
PROXIES = {
    "unbuffered": "proxy_buffering off;",
    "buffered": "proxy_buffering on;",
    "holding-back": "proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;",
}

# Its workers write long bodies into files, so they are of the user whose the directory is.
CONFIGURATION = """
daemon off;
user {user};
pid {directory}/pid;
error_log {directory}/errors;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path {directory}/bodies;
    proxy_temp_path {directory}/answers;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    server {{
        listen 127.0.0.1:{port};
        client_max_body_size 0;
        location / {{
            proxy_pass http://{address};
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
            {buffering}
        }}
    }}
}}
"""


@contextmanager
def proxied(address, kind):
    """The address of a proxy before a server."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="firemeter-nginx-") as directory:
        configuration = Path(directory, "nginx.conf")
        values = {"directory": directory, "port": port, "address": address, "buffering": PROXIES[kind]}
        values["user"] = getpass.getuser()
        configuration.write_text(CONFIGURATION.format(**values))
        command = [NGINX, "-p", directory, "-e", f"{directory}/errors", "-c", str(configuration)]
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: running.poll() is not None or _listens(port), "nginx to listen")
            assert running.poll() is None, "nginx ended"
            yield f"127.0.0.1:{port}"
        finally:
            running.terminate()
            running.wait(timeout=20)


def _listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except ConnectionRefusedError:
        return False
    return True

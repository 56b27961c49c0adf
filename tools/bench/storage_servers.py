"""The servers that the benchmarks of Cloud Storage compare, each pinned to the first core."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import select
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv-bench-storage"
RIVAL = "gcp-storage-emulator==2026.7.19"
READY_SECONDS_MAX = 30
KIBIBYTE, MEBIBYTE = 1 << 10, 1 << 20
BUCKET = "bench"


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@contextlib.contextmanager
def running(command, is_pinned=True, **keywords):
    """A server, pinned to the first core if need be, ended with the block."""
    pinned = ["taskset", "-c", "0"] if is_pinned else []
    process = subprocess.Popen([*pinned, *map(str, command)], stdin=subprocess.DEVNULL, **keywords)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_until_listening(port):
    deadline = time.monotonic() + READY_SECONDS_MAX
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                sys.exit(f"nothing listens on port {port}")
            time.sleep(0.05)


def request(port, method, path, body=b"", headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    try:
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        data = response.read()
        if response.status >= 300:
            sys.exit(f"{method} {path}: {response.status} {data[:200]!r}")
        return data
    finally:
        connection.close()


def upload_path(name):
    return f"/upload/storage/v1/b/{BUCKET}/o?uploadType=media&name={name}"


def media_path(name):
    return f"/download/storage/v1/b/{BUCKET}/o/{name}?alt=media"


def store(port, objects):
    """Uploads (name, size) pairs of random bytes."""
    for name, size in objects:
        request(port, "POST", upload_path(name), os.urandom(size))


def ours(_folder, objects):
    """Firemeter with everything on."""
    return firemeter(objects)


def unmetered(_folder, objects):
    """Firemeter with its meter switched off."""
    return firemeter(objects, "--no-meter")


def recording(folder, objects):
    """Firemeter that appends every request to a session log."""
    return firemeter(objects, "--record", folder / "session.log", "--record-keep", "2")


def former(_folder, objects):
    """Another build of Firemeter, of the folder that FIREMETER_FORMER_BIN names."""
    if "FIREMETER_FORMER_BIN" not in os.environ:
        sys.exit("name the folder of the former build in FIREMETER_FORMER_BIN")
    return firemeter(objects, folder=os.environ["FIREMETER_FORMER_BIN"])


@contextlib.contextmanager
def firemeter_process(*options, is_pinned=False, folder=None):
    """Firemeter on free ports; yields what it says of itself when it is ready, and its process id as `pid`."""
    binary = pathlib.Path(folder or os.environ.get("FIREMETER_BIN", ROOT / ".build/ready")) / "firemeter"
    if not binary.exists():
        sys.exit(f"{binary} is missing: run tools/build, or name its folder in FIREMETER_BIN")
    ports = ["--firestore-port", "0", "--storage-port", "0", "--console-port", "0"]
    command = [binary, "serve", "--ephemeral", *ports, *options, "--json"]
    with running(command, is_pinned=is_pinned, stdout=subprocess.PIPE) as process:
        readable, _, _ = select.select([process.stdout], [], [], READY_SECONDS_MAX)
        if not readable:
            sys.exit("the emulator did not get ready")
        yield {**json.loads(process.stdout.readline()), "pid": process.pid}


@contextlib.contextmanager
def firemeter(objects, *options, folder=None):
    """Firemeter on the first core; yields its port, the path of a download and its process id."""
    with firemeter_process(*options, is_pinned=True, folder=folder) as ready:
        port = int(ready["storage"].rsplit(":", 1)[1])
        request(port, "POST", "/storage/v1/b", json.dumps({"name": BUCKET}))
        store(port, objects)
        yield port, media_path, ready["pid"]


@contextlib.contextmanager
def nginx(folder, objects):
    """nginx with one worker, sendfile and its access log; yields its port and the path of a download."""
    port = free_port()
    (folder / "files").mkdir()
    for name, size in objects:
        (folder / "files" / name).write_bytes(os.urandom(size))
    # As root it would give up its rights, among them that to read a temporary folder.
    user = "user root;" if os.geteuid() == 0 else ""
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"""
        {user} daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log;
        events {{ worker_connections 1024; }}
        http {{
          access_log {folder}/access.log combined; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
          default_type application/octet-stream;
          client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
          uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
          server {{ listen 127.0.0.1:{port}; root {folder}/files; }}
        }}
        """
    )
    with running(["nginx", "-c", configuration, "-p", folder, "-e", folder / "error.log"]) as process:
        wait_until_listening(port)
        yield port, lambda name: f"/{name}", process.pid


@contextlib.contextmanager
def rival(folder, objects):
    """gcp-storage-emulator, in memory; yields its port and the path of a download."""
    program = VENV / "bin/gcp-storage-emulator"
    if not program.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        subprocess.run([VENV / "bin/pip", "install", "--quiet", RIVAL], check=True)
    port = free_port()
    command = [program, "start", "--host=127.0.0.1", f"--port={port}", "--in-memory", f"--default-bucket={BUCKET}"]
    with running(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_until_listening(port)
        store(port, objects)
        yield port, media_path, process.pid


SERVERS = {
    "nginx": nginx,
    "ours": ours,
    "rival": rival,
    "unmetered": unmetered,
    "recording": recording,
    "former": former,
}


def resident(pid, member):
    status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(re.search(rf"{member}:\s+(\d+)", status)[1]) * KIBIBYTE

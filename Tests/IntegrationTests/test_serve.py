# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

import json
import os
import resource
import signal
import socket
import stat
import subprocess
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

import feeds
from harness import FIREMETER, FREE_PORTS, START_SECONDS, STOP_SECONDS, limited, run_emulator, wait_until
from raw_http import RawConnection

ROOMS = ["firestore", "storage", "console"]


def test_ready_line_tells_addresses_and_startup_time(emulator):
    assert emulator.ready["ready"] is True
    assert list(emulator.ready) == ["ready", "firestore", "storage", "console", "auth", "startupMilliseconds"]
    assert 0 < emulator.ready["startupMilliseconds"] < START_SECONDS * 1_000
    ports = {emulator.ready[room].rsplit(":", 1)[1] for room in ROOMS}
    assert len(ports) == 3 and "0" not in ports


def test_every_port_answers_when_the_emulator_is_ready(emulator):
    assert requests.get(f"http://{emulator.firestore}/", timeout=10).text.strip() == "Ok"
    assert requests.get(f"http://{emulator.storage}/v0/", timeout=10).json() == {"emulator": "storage"}
    hub = requests.get(f"http://{emulator.console}/emulators", timeout=10).json()
    assert f"{hub['firestore']['host']}:{hub['firestore']['port']}" == emulator.firestore
    assert f"{hub['storage']['host']}:{hub['storage']['port']}" == emulator.storage


def test_json_prints_exactly_one_line(serve, feed_json):
    emulator = serve("--seed", feed_json)
    assert emulator.stop() == 0
    assert emulator.ready_line.endswith("}\n")
    assert emulator.rest_of_output() == ""
    assert emulator.errors() == ""


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_an_idle_emulator(emulator, signal_number):
    assert emulator.stop(signal_number) == 0


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_lets_a_download_finish(emulator, signal_number):
    data = bytes(range(256)) * (16 << 12)  # 16 MiB: more than the kernel holds for a client that does not read
    emulator.put("big.bin", data)
    with RawConnection(emulator.storage, receive_buffer=64 << 10) as download:
        download.request("GET", "/v0/b/demo.appspot.com/o/big.bin?alt=media")
        status, fields = download.head()
        assert (status, int(fields["content-length"])) == (200, len(data))
        emulator.process.send_signal(signal_number)
        wait_until(lambda: refuses_connections(emulator.storage), "the port is closed")
        assert emulator.process.poll() is None
        assert download.body(len(data)) == data
    assert emulator.process.wait(timeout=20) == 0


def test_a_download_cut_off_at_shutdown_is_recorded(serve, tmp_path):
    log = tmp_path / "session.log"
    emulator = serve("--record", log)
    emulator.put("big.bin", bytes(32 << 20))
    with RawConnection(emulator.storage, receive_buffer=64 << 10) as download:
        download.request("GET", "/v0/b/demo.appspot.com/o/big.bin?alt=media")
        assert download.head()[0] == 200
        assert emulator.stop() == 0
    requests_logged = [json.loads(line) for line in log.read_text().splitlines()[1:]]
    cut_off = [entry for entry in requests_logged if entry.get("operation") == "storage.objects.get"]
    assert [entry["outcome"] for entry in cut_off] == ["aborted"]
    assert 0 < cut_off[0]["sent"]["body"] < 32 << 20


def test_a_reader_of_the_ready_line_may_be_gone():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [FIREMETER, "serve", *FREE_PORTS, "--console-port", str(port), "--json"],
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    )
    process.stdout.close()
    try:
        wait_until(lambda: not refuses_connections(f"127.0.0.1:{port}"), "the console to answer", START_SECONDS)
        assert requests.get(f"http://127.0.0.1:{port}/usage", timeout=20).status_code == 200
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=STOP_SECONDS) == 0


def test_a_host_that_is_nowhere_is_named():
    ended = run_emulator(*FREE_PORTS, "--host", "nowhere.invalid")
    assert ended.returncode == 69
    assert "nowhere.invalid" in ended.stderr


def test_a_signal_ends_an_emulator_with_idle_keep_alive_connections(emulator):
    with requests.Session() as session:
        assert session.get(f"http://{emulator.storage}/v0/", timeout=10).status_code == 200
        assert session.get(f"http://{emulator.firestore}/", timeout=10).status_code == 200
        assert emulator.stop() == 0


@pytest.mark.parametrize("room", ROOMS)
def test_a_port_in_use_is_named(room):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ports = list(FREE_PORTS)
        ports[ports.index(f"--{room}-port") + 1] = str(port)
        ended = run_emulator(*ports, "--json")
    assert ended.returncode == 69
    assert str(port) in ended.stderr
    assert ended.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--data", "d", "--ephemeral"],
        ["--storage-port", "65536"],
        ["--console-port", "-1"],
        ["--firestore-port", "many"],
        ["--no-meter", "--record", "session.log"],
        ["--unknown"],
        ["surplus"],
        ["--data"],
    ],
    ids=" ".join,
)
def test_wrong_usage_exits_with_64(arguments):
    ended = run_emulator(*arguments)
    assert ended.returncode == 64
    assert ended.stdout == "" and ended.stderr != ""


# Seeds


def test_a_missing_seed_is_named(tmp_path):
    ended = run_emulator(*FREE_PORTS, "--seed", tmp_path / "nowhere")
    assert ended.returncode == 65
    assert f"{tmp_path}/nowhere" in ended.stderr


def test_smaller_copies_are_named_by_their_sides(serve, feed_json):
    emulator = serve("--seed", feed_json, "--seed-variant", "20x20", "--seed-variant", "40x30")
    names = [item["name"] for item in emulator.list(bucket=feeds.BUCKET).json()["items"]]
    originals = [name for name in names if name.endswith("/0")]
    assert originals
    assert sorted(name for name in names if "_" in name) == sorted(
        name + size for name in originals for size in ("_20x20", "_40x30")
    )


@pytest.mark.parametrize("size", ["20", "0x20", "20x", "20x20x20", "x", "99999x1"])
def test_a_copy_has_two_sides(size, feed_json):
    ended = run_emulator(*FREE_PORTS, "--seed", feed_json, "--seed-variant", size)
    assert ended.returncode == 64 and "--seed-variant" in ended.stderr


def test_copies_are_of_a_seed():
    ended = run_emulator(*FREE_PORTS, "--seed-variant", "20x20")
    assert ended.returncode == 64 and "--seed" in ended.stderr


def test_a_seed_without_images_is_named(tmp_path):
    ended = run_emulator(*FREE_PORTS, "--seed", tmp_path)
    assert ended.returncode == 65
    assert str(tmp_path) in ended.stderr


def test_an_unreadable_seed_is_named(tmp_path):
    # Permissions do not bind root; this file cannot be read by anybody.
    (tmp_path / "feed.json").symlink_to("/proc/self/mem")
    ended = run_emulator(*FREE_PORTS, "--seed", tmp_path / "feed.json")
    assert ended.returncode == 65
    assert "feed.json" in ended.stderr


def changed(index, **changes):
    posts = feeds.feed()["posts"]
    posts[index].update(changes)
    return feeds.feed(posts=posts)


@pytest.mark.parametrize(
    ("description", "path"),
    [
        (feeds.feed(schema="firemeter.feed/9"), "schema"),
        (feeds.feed(bucket=7), "bucket"),
        (feeds.feed(users=[]), "users"),
        (feeds.feed(images={}), "images"),
        (feeds.feed(images={"render": {"seed": 1, "medianBytes": 1}}), "images.render.medianBytes"),
        (feeds.feed(images={"directory": "nowhere"}), "images.directory"),
        (changed(1, likes=-1), "posts[1].likes"),
        (changed(2, owner="nobody"), "posts[2].owner"),
        (changed(3, id="p1"), "posts[3].id"),
        (changed(0, createdAt="yesterday"), "posts[0].createdAt"),
        (changed(0, images=0), "posts[0].images"),
        (changed(0, id="a/b"), "posts[0].id"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_malformed_feed_is_refused_with_the_path_of_the_fault(tmp_path, description, path):
    ended = run_emulator(*FREE_PORTS, "--seed", feeds.write_feed(tmp_path, description))
    assert ended.returncode == 65
    assert f"{path}: " in ended.stderr


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"schema": "firemeter.feed/1"} trailing', "\xff\xfe"])
def test_a_feed_that_is_no_json_object_is_refused(tmp_path, text):
    (tmp_path / "feed.json").write_bytes(text.encode("latin-1"))
    ended = run_emulator(*FREE_PORTS, "--seed", tmp_path)
    assert ended.returncode == 65
    assert ended.stderr.startswith("firemeter: cannot seed: ")


@pytest.mark.parametrize(
    ("damage", "name"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]), "bob/p4/1.jpg"),
        (lambda path: path.write_bytes(b""), "bob/p4/1.jpg"),
        (lambda path: path.write_bytes(b"no image at all"), "bob/p4/1.jpg"),
    ],
    ids=["truncated", "empty", "text"],
)
def test_a_broken_image_is_named_and_nothing_is_stored(serve, own_images, image_directory, tmp_path, damage, name):
    data = tmp_path / "data"
    damage(own_images / name)
    ended = run_emulator(*FREE_PORTS, "--data", data, "--seed", own_images)
    assert ended.returncode == 65
    assert name in ended.stderr
    unseeded = serve("--data", data)
    assert unseeded.list(bucket=feeds.BUCKET).json()["items"] == []
    assert unseeded.stop() == 0
    assert_holds_the_feed(serve("--data", data, "--seed", image_directory))


def test_a_pipe_in_place_of_an_image_is_named(tmp_path):
    (tmp_path / "ann" / "p1").mkdir(parents=True)
    os.mkfifo(tmp_path / "ann" / "p1" / "0")
    ended = run_emulator(*FREE_PORTS, "--seed", tmp_path)
    assert ended.returncode == 65
    assert f"{tmp_path}/ann/p1/0: not a regular file" in ended.stderr


def assert_holds_the_feed(emulator):
    items = emulator.list(bucket=feeds.BUCKET).json()["items"]
    assert [item["name"] for item in items] == sorted(feeds.IMAGE_NAMES)
    url = f"http://{emulator.firestore}/v1/{feeds.DOCUMENTS}/posts"
    assert len(requests.get(url, timeout=10).json()["documents"]) == len(feeds.FEED["posts"])


def test_seeds_images_of_a_directory_byte_for_byte(seeded_emulator, image_directory):
    assert_holds_the_feed(seeded_emulator)
    for path in sorted(image_directory.glob("*/*/*")):
        response = seeded_emulator.get(str(path.relative_to(image_directory).with_suffix("")), bucket=feeds.BUCKET)
        assert response.content == path.read_bytes()
        assert response.headers["Content-Type"] == {".jpg": "image/jpeg", ".png": "image/png"}[path.suffix]


def test_seeding_is_not_metered(serve, feed_json):
    assert serve("--seed", feed_json).usage()["requests"] == 0


def test_the_same_seed_gives_the_same_images(serve, feed_json, image_directory):
    emulator = serve("--seed", feed_json)
    for name in ["ann/p1/0", "bob/p4/1"]:
        assert emulator.get(name, bucket=feeds.BUCKET).content == (image_directory / f"{name}.jpg").read_bytes()


# Data directories


def test_data_are_kept_over_restarts(serve, tmp_path):
    first = serve("--data", tmp_path / "data")
    uploaded = first.put("a/b.bin", b"kept")
    created = requests.post(first.documents("cities?documentId=SF"), json={"fields": {"n": {"integerValue": "1"}}})
    assert created.status_code == 200
    usage = first.usage()
    assert first.stop() == 0

    second = serve("--data", tmp_path / "data")
    assert second.get("a/b.bin").content == b"kept"
    assert requests.get(second.object_url("a/b.bin"), timeout=10).json() == uploaded
    assert requests.get(second.documents("cities/SF"), timeout=10).json() == created.json()
    assert second.usage()["bytes"]["received"] > usage["bytes"]["received"], "usage is kept as well"


def test_a_seed_is_loaded_once_into_kept_data(serve, feed_json, tmp_path):
    first = serve("--data", tmp_path / "data", "--seed", feed_json)
    metadata = requests.get(first.object_url("ann/p1/0", feeds.BUCKET), timeout=10).json()
    assert first.stop() == 0
    second = serve("--data", tmp_path / "data", "--seed", feed_json)
    assert requests.get(second.object_url("ann/p1/0", feeds.BUCKET), timeout=10).json() == metadata


def test_ephemeral_data_are_forgotten(serve, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    emulator = serve()
    emulator.put("a", b"x" * 1_000)
    assert emulator.stop() == 0
    assert list(tmp_path.iterdir()) == []


def test_data_of_a_killed_emulator_go_at_the_next_start(serve, tmp_path, monkeypatch):
    temporary, elsewhere = tmp_path / "tmp", tmp_path / "elsewhere"
    for directory in [temporary, elsewhere]:
        directory.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    neighbour = serve()
    neighbour.put("a", b"mine")
    [living] = temporary.iterdir()
    assert stat.S_IMODE(living.stat().st_mode) == 0o700
    killed = serve()
    killed.put("a", b"x" * 1_000)
    [dead] = set(temporary.iterdir()) - {living}
    foreign = [temporary / "firemeter-ephemeral-mine", temporary / f"firemeter-{uuid.uuid4()}"]
    for directory in foreign:
        directory.mkdir()
    link = temporary / f"firemeter-ephemeral-{uuid.uuid4()}"
    link.symlink_to(elsewhere)
    killed.kill()
    assert dead.exists()
    third = serve()
    wait_until(lambda: not dead.exists(), "the data of the killed emulator are gone")
    assert neighbour.get("a").content == b"mine"
    assert neighbour.stop() == 0 and third.stop() == 0
    assert set(temporary.iterdir()) == {*foreign, link} and elsewhere.exists()


def test_a_data_directory_that_cannot_be_made_is_named():
    ended = run_emulator(*FREE_PORTS, "--data", "/proc/firemeter")
    assert ended.returncode == 74
    assert "/proc/firemeter" in ended.stderr


def test_a_file_in_place_of_the_data_directory_is_named(tmp_path):
    (tmp_path / "data").write_text("a file")
    ended = run_emulator(*FREE_PORTS, "--data", tmp_path / "data")
    assert ended.returncode == 74
    assert f"{tmp_path}/data" in ended.stderr
    assert (tmp_path / "data").read_text() == "a file"


def test_two_emulators_cannot_share_a_data_directory(serve, tmp_path):
    first = serve("--data", tmp_path / "data")
    first.put("a", b"mine")
    ended = run_emulator(*FREE_PORTS, "--data", tmp_path / "data")
    assert ended.returncode in (69, 74)
    assert f"{tmp_path}/data" in ended.stderr
    assert first.get("a").content == b"mine"
    assert first.stop() == 0
    assert serve("--data", tmp_path / "data").get("a").content == b"mine"


# The meter's switches


def test_no_meter_serves_but_tells_no_usage(serve):
    emulator = serve("--no-meter")
    emulator.put("a", b"unmetered")
    assert emulator.get("a").content == b"unmetered"
    answer = requests.get(f"http://{emulator.console}/usage", timeout=10)
    assert answer.status_code == 409
    assert "--no-meter" in answer.json()["error"]["message"]


def refuses_connections(address):
    host, port = address.rsplit(":", 1)
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except OSError:
        return True
    return False


# Limits of the process


@pytest.mark.parametrize("storage", [["--ephemeral"], ["--data", "data"]], ids=" ".join)
def test_128_mib_of_data_are_enough_for_many_clients(serve, tmp_path, storage):
    arguments = [tmp_path / "data" if argument == "data" else argument for argument in storage]
    emulator = serve(*arguments, preexec=limited(resource.RLIMIT_DATA, 128 << 20))

    def use(client):
        with requests.Session() as session:
            for number in range(5):
                url = emulator.object_url(f"{client}/{number}").rsplit("/", 1)[0]
                session.post(url, params={"name": f"{client}/{number}"}, data=bytes(100_000), timeout=30)
                session.get(emulator.object_url(f"{client}/{number}"), params={"alt": "media"}, timeout=30)
                session.post(emulator.documents("c"), json={"fields": {"n": {"integerValue": "1"}}}, timeout=30)
        return True

    with ThreadPoolExecutor(30) as clients:
        assert all(clients.map(use, range(30)))
    assert emulator.stop() == 0


@pytest.mark.parametrize(
    ("kind", "command"), [(resource.RLIMIT_DATA, "ulimit -d"), (resource.RLIMIT_AS, "ulimit -v")]
)
def test_too_little_memory_is_refused_in_words(kind, command):
    # The least with which the system can load the program.
    mebibytes = {resource.RLIMIT_DATA: 64, resource.RLIMIT_AS: 700}[kind]
    ended = run_emulator(*FREE_PORTS, preexec=limited(kind, mebibytes << 20))
    assert ended.returncode == 69
    assert ended.stderr.startswith("firemeter: cannot serve with a limit of ") and command in ended.stderr

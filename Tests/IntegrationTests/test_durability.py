# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Law 5: what was acknowledged is there after kill -9, whole and without a repair step."""

import hashlib
import random
import subprocess
import threading

import requests

import feeds
from harness import BINARIES, DOCUMENTS, FREE_PORTS, wait_until

ROUNDS = 8
UPLOADERS = 3
COMMITTERS = 2
HOT = "hot"


def content(name, version):
    """The bytes of an object's version, which say of themselves whether they are whole."""
    generator = random.Random(f"{name} {version}")
    body = generator.randbytes(generator.choice([0, 100, 5_000, 300_000, 1_500_000]))
    head = f"{version:08}".encode()
    return head + hashlib.sha256(head + body).digest() + body


def version_of(data):
    head, digest, body = data[:8], data[8:40], data[40:]
    assert hashlib.sha256(head + body).digest() == digest, "an object is half-written"
    return int(head)


class Acknowledged:
    """What the emulator has confirmed: the last version of each name."""

    def __init__(self):
        self.lock = threading.Lock()
        self.objects = {}
        self.documents = {}
        self.count = 0

    def note(self, kind, name, version):
        with self.lock:
            kind[name] = version
            self.count += 1


def upload(emulator, acknowledged, worker, round_number):
    with requests.Session() as session:
        for step in range(10_000):
            # Each worker has one name of its own that it overwrites, and makes new ones.
            name = f"{HOT}/{worker}" if step % 3 == 0 else f"objects/{round_number}/{worker}/{step}"
            version = round_number * 10_000 + step
            try:
                response = session.post(
                    f"http://{emulator.storage}/v0/b/bkt/o", params={"name": name}, data=content(name, version)
                )
            except requests.RequestException:
                return
            assert response.status_code == 200
            acknowledged.note(acknowledged.objects, name, version)


def commit(emulator, acknowledged, worker, round_number):
    with requests.Session() as session:
        for step in range(10_000):
            version = round_number * 10_000 + step
            names = [f"{HOT}/{worker}", f"{HOT}2/{worker}", f"docs{round_number}/{worker}-{step}"]
            fields = {"version": {"integerValue": str(version)}, "text": {"stringValue": "x" * (step % 7 * 1_000)}}
            writes = [{"update": {"name": f"{DOCUMENTS}/{name}", "fields": fields}} for name in names]
            try:
                response = session.post(emulator.documents(":commit"), json={"writes": writes})
            except requests.RequestException:
                return
            assert response.status_code == 200
            for name in names:
                acknowledged.note(acknowledged.documents, name, version)


def write_until_killed(emulator, acknowledged, round_number):
    """Writes from several threads and kills the emulator at an instant that differs between rounds."""
    jobs = [(upload, n) for n in range(UPLOADERS)] + [(commit, n) for n in range(COMMITTERS)]
    threads = [threading.Thread(target=job, args=(emulator, acknowledged, n, round_number)) for job, n in jobs]
    enough = acknowledged.count + 30 + 17 * round_number % 40
    for thread in threads:
        thread.start()
    try:
        wait_until(lambda: acknowledged.count >= enough, "writes are acknowledged", seconds=30)
    finally:
        emulator.kill()
        for thread in threads:
            thread.join()


def assert_holds(emulator, acknowledged):
    with requests.Session() as session:
        for name, version in acknowledged.objects.items():
            response = session.get(emulator.object_url(name, "bkt") + "?alt=media")
            assert response.status_code == 200, f"{name} is lost"
            found = version_of(response.content)
            assert found == version or name.startswith(HOT) and found > version
            assert response.content == content(name, found)
        for name, version in acknowledged.documents.items():
            response = session.get(emulator.documents(name))
            assert response.status_code == 200, f"{name} is lost"
            found = int(response.json()["fields"]["version"]["integerValue"])
            assert found == version or name.startswith(HOT) and found > version
        assert_commits_are_whole(session, emulator)
        assert_listed_objects_are_whole(session, emulator)


def assert_commits_are_whole(session, emulator):
    """Both hot documents of a worker are written in one commit."""
    for worker in range(COMMITTERS):
        pair = [session.get(emulator.documents(f"{name}/{worker}")) for name in (HOT, f"{HOT}2")]
        assert pair[0].status_code == pair[1].status_code
        if pair[0].status_code == 200:
            assert pair[0].json()["fields"] == pair[1].json()["fields"]


def assert_listed_objects_are_whole(session, emulator):
    items = session.get(f"http://{emulator.storage}/v0/b/bkt/o").json()["items"]
    for item in items:
        version_of(session.get(emulator.object_url(item["name"], "bkt") + "?alt=media").content)


def test_acknowledged_writes_survive_kill_9(serve, tmp_path):
    acknowledged = Acknowledged()
    for round_number in range(ROUNDS):
        emulator = serve("--data", tmp_path / "data")
        assert_holds(emulator, acknowledged)
        write_until_killed(emulator, acknowledged, round_number)
    emulator = serve("--data", tmp_path / "data")
    assert_holds(emulator, acknowledged)
    assert len(acknowledged.objects) > ROUNDS and len(acknowledged.documents) > ROUNDS
    assert emulator.stop() == 0


def test_a_seed_that_was_killed_is_made_good_by_the_next_start(tmp_path, serve, image_directory):
    data = tmp_path / "data"
    process = subprocess.Popen(
        [str(BINARIES / "emulator"), "serve", *FREE_PORTS, "--json", "--data", data, "--seed", image_directory],
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: any((data / "storage").rglob("*")) if data.exists() else False, "the store is open")
    finally:
        process.kill()
        process.wait()
    emulator = serve("--data", data, "--seed", image_directory)
    items = emulator.list(bucket=feeds.BUCKET).json()["items"]
    assert [item["name"] for item in items] == sorted(feeds.IMAGE_NAMES)

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Apps without tokens: who their users are, by address and connection; and apps that keep no documents, but list objects."""

import json
import random
from urllib.parse import quote

import pytest
import requests
from google.auth.credentials import AnonymousCredentials
from google.cloud import storage

from harness import BUCKET, run_audit
from recorded_apps import curl
from test_recorded_apps import inferred_views, replayed

COUNT = 8
PAGE = 4


def image(name, size):
    return random.Random(name).randbytes(size)


def lines_of(log):
    return [json.loads(line) for line in log.read_text().splitlines()]


class Phone:
    """Shows posts with curl, which says nothing of its user; at an address of this machine's own."""

    def __init__(self, emulator, address):
        self.emulator, self.address = emulator, address

    def curl(self, *arguments):
        return curl("--interface", self.address, *arguments)

    def show(self, direction):
        query = {
            "from": [{"collectionId": "posts"}],
            "orderBy": [{"field": {"fieldPath": "likes"}, "direction": direction}],
            "limit": PAGE,
        }
        answer = self.curl("-d", json.dumps({"structuredQuery": query}), self.emulator.documents(":runQuery"))
        names = [line["document"]["name"].rpartition("/")[2] for line in json.loads(answer)]
        for name in names:
            self.curl(f"{self.emulator.object_url(f'posts/{name}/0.jpg')}?alt=media")
        return "list", [f"posts/{name}" for name in names]


def put_posts(emulator):
    for n in range(COUNT):
        emulator.put(f"posts/post{n}/0.jpg", image(n, 5_000 + 500 * n), content_type="image/jpeg")
        fields = {"likes": {"integerValue": str(n)}}
        assert requests.patch(emulator.documents(f"posts/post{n}"), json={"fields": fields}, timeout=30).status_code == 200


@pytest.fixture
def recording(serve, tmp_path):
    """Puts data first: `recording(put)` returns an emulator that records what follows, and the log."""

    def start(put):
        emulator = serve("--data", tmp_path / "data")
        put(emulator)
        assert emulator.stop() == 0
        return serve("--data", tmp_path / "data", "--record", tmp_path / "session.log"), tmp_path / "session.log"

    return start


def test_two_phones_with_the_same_app_are_two_users(recording, tmp_path):
    emulator, log = recording(put_posts)
    phones = [Phone(emulator, address) for address in ("127.0.0.1", "127.0.0.2")]
    truth = [[], []]
    for first, second in [("ASCENDING", "DESCENDING"), ("ASCENDING", "ASCENDING"), ("DESCENDING", "DESCENDING")]:
        truth[0].append(phones[0].show(first))
        truth[1].append(phones[1].show(second))
    assert emulator.stop() == 0
    lines = [line for line in lines_of(log) if line["type"] == "request"]
    # Nine requests of a page are nine connections of curl.
    assert len({line["connection"] for line in lines}) == len(lines) == 6 * (1 + PAGE)
    assert [line["peer"] for line in lines] == ([1] * (1 + PAGE) + [2] * (1 + PAGE)) * 3
    assert "127.0.0" not in log.read_text()
    seen = inferred_views(log, tmp_path / "views.log")
    (program,) = {line["client"] for line in lines}
    assert seen == {f"{program}, address 1": truth[0], f"{program}, address 2": truth[1]}
    assert any("the program at an address" in sentence for sentence in replayed(log)["inferred"]["assumptions"])


def test_one_phone_is_a_program_as_before(recording, tmp_path):
    emulator, log = recording(put_posts)
    truth = [Phone(emulator, "127.0.0.2").show("ASCENDING")]
    assert emulator.stop() == 0
    (program,) = {line["client"] for line in lines_of(log) if line["type"] == "request"}
    assert inferred_views(log, tmp_path / "views.log") == {program: truth}


FOLDERS = {"harbor": 5, "summer": 3, "winter": 4}


def put_albums(emulator):
    for folder, count in FOLDERS.items():
        for n in range(count):
            name = f"albums/{folder}/{random.Random(f'{folder}{n}').getrandbits(40):x}.jpg"
            emulator.put(name, image(name, 20_000 + 1_000 * n), content_type="image/jpeg")


class CurlGallery:
    """Lists folders and their images as the Firebase SDKs do, page by page."""

    def __init__(self, emulator):
        self.emulator = emulator

    def pages(self, prefix):
        token = ""
        while token is not None:
            url = f"http://{self.emulator.storage}/v0/b/{BUCKET}/o?prefix={quote(prefix)}&delimiter=/&maxResults={PAGE}"
            page = json.loads(curl(url + (f"&pageToken={quote(token)}" if token else "")))
            names = [item["name"] for item in page["items"]]
            for name in names:
                curl(f"{self.emulator.object_url(name)}?alt=media")
            yield page["prefixes"], names
            token = page.get("nextPageToken")


class CloudGallery:
    """Lists them with Google's client, by the JSON API."""

    def __init__(self, emulator):
        options = {"api_endpoint": f"http://{emulator.storage}"}
        self.bucket = storage.Client("demo", AnonymousCredentials(), client_options=options).bucket(BUCKET)

    def pages(self, prefix):
        blobs = self.bucket.list_blobs(prefix=prefix, delimiter="/", page_size=PAGE)
        for page in blobs.pages:
            items = list(page)
            for blob in items:
                blob.download_as_bytes()
            yield sorted(page.prefixes), [blob.name for blob in items]


@pytest.mark.parametrize("gallery", [CurlGallery, CloudGallery])
def test_an_app_that_lists_objects_has_its_views(recording, tmp_path, gallery):
    emulator, log = recording(put_albums)
    app = gallery(emulator)
    truth = []
    for _ in range(2):
        folders = []
        for prefixes, names in app.pages("albums/"):
            folders += prefixes
            truth.append(("list", [f"{BUCKET}/{name}" for name in names]))
        assert folders == [f"albums/{folder}/" for folder in FOLDERS]
        for folder in folders:
            truth += [("list", [f"{BUCKET}/{name}" for name in names]) for _, names in app.pages(folder)]
    assert emulator.stop() == 0
    (seen,) = inferred_views(log, tmp_path / "views.log").values()
    assert seen == truth

    report = replayed(log, "--strategy", "all-images", "--strategy", "all-images+persistence:1h")
    recorded, same, persistent = report["strategies"]
    assert report["inferred"]["explained"]["bytePercent"] >= 95
    assert recorded["billed"]["classA"] == len(truth)
    for row in (same, persistent):
        assert row["requests"] == recorded["requests"]
        assert row["bytes"]["body"] == recorded["bytes"]["body"]
        assert row["billed"] == recorded["billed"]
        assert [screen["screen"] for screen in row["screens"]] == [f"objects of {BUCKET} under a prefix"]

    # Parts merge to the report of one run.
    parts = [tmp_path / f"part{number}.json" for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        assert run_audit("replay", log, "--partial", "--part", f"{number}/2", "--output", part).returncode == 0
    whole, merged = run_audit("replay", log, "--format", "json"), run_audit("merge", *parts, "--format", "json")
    assert whole.returncode == merged.returncode == 0 and whole.stdout == merged.stdout

    # An imported session costs the same as what was recorded.
    kept = replayed(tmp_path / "views.log", "--strategy", "all-images")["strategies"]
    assert [row["billed"] for row in kept] == [recorded["billed"], same["billed"]]

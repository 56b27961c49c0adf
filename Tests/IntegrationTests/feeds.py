# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Small data sets: a rendered feed, and its images as a directory of files."""

import copy
import json
import struct
import zlib

import requests

from tokens import bearing, unsigned_token

FEED = {
    "schema": "firemeter.feed/1",
    "project": "demo-feed",
    "database": "(default)",
    "bucket": "demo-feed.appspot.com",
    "collection": "posts",
    "images": {"render": {"seed": 7, "medianBytes": 60_000, "sigma": 0.2}},
    "users": [{"id": "ann", "name": "Ann"}, {"id": "bob", "name": "Bob"}],
    "posts": [
        {"id": "p1", "owner": "ann", "title": "One", "likes": 5, "createdAt": "2026-11-01T08:00:00Z", "images": 2},
        {"id": "p2", "owner": "bob", "title": "Two", "likes": 9, "createdAt": "2026-11-02T08:00:00Z", "images": 3},
        {"id": "p3", "owner": "ann", "title": "Three", "likes": 1, "createdAt": "2026-11-03T08:00:00Z", "images": 1},
        {"id": "p4", "owner": "bob", "title": "Four", "likes": 7, "createdAt": "2026-11-04T08:00:00Z", "images": 2},
    ],
}
BUCKET = FEED["bucket"]
DOCUMENTS = "projects/demo-feed/databases/(default)/documents"
IMAGE_NAMES = [f"{post['owner']}/{post['id']}/{index}" for post in FEED["posts"] for index in range(post["images"])]


def feed(**changes):
    """The feed with some of its members replaced."""
    return {**copy.deepcopy(FEED), **changes}


def write_feed(folder, description=None):
    """Writes a feed.json and returns its path."""
    path = folder / "feed.json"
    path.write_text(json.dumps(description or FEED))
    return path


def download_images(emulator, folder):
    """Writes the images of an emulator's feed as owner/feed/n.jpg."""
    for name in IMAGE_NAMES:
        response = emulator.get(name, bucket=BUCKET)
        assert response.status_code == 200 and response.headers["Content-Type"] == "image/jpeg"
        path = folder / f"{name}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(response.content)


def png(width=64, height=48):
    """A PNG file of a color gradient."""
    rows = b"".join(
        b"\0" + bytes(channel for x in range(width) for channel in (x * 4 % 256, y * 5 % 256, 128))
        for y in range(height)
    )

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def posts_query(limit):
    """The most liked posts."""
    order = [{"field": {"fieldPath": "likes"}, "direction": "DESCENDING"}]
    return {"structuredQuery": {"from": [{"collectionId": "posts"}], "orderBy": order, "limit": limit}}


def show_feed(emulator):
    """The app's feed before its refactoring: two users load all images of every post, each time that it is shown."""
    for uid in ["ann", "bob"]:
        user = {"X-Firemeter-Tag": "feed"} | bearing(unsigned_token(sub=uid, user_id=uid))
        for _ in range(2):
            response, _ = run_posts_query(emulator, 4, headers=user)
            assert response.status_code == 200, response.text
            for name in IMAGE_NAMES:
                assert emulator.get(name, bucket=BUCKET, headers=user).status_code == 200


def run_posts_query(emulator, limit, headers=None):
    """Asks for the most liked posts; the response and the documents."""
    response = requests.post(
        f"http://{emulator.firestore}/v1/{DOCUMENTS}:runQuery", json=posts_query(limit), headers=headers, timeout=20
    )
    return response, [row["document"] for row in response.json() if "document" in row]

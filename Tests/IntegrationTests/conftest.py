# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

import os
import shutil
import tempfile
import uuid
from contextlib import ExitStack, contextmanager

# Before gRPC is imported: its handlers break a fork that only makes room for another program.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "false")

# The commands keep answers between runs: those of tests go with the tests.
CACHE = tempfile.TemporaryDirectory(prefix="firemeter-cache-")
os.environ["XDG_CACHE_HOME"] = CACHE.name

import pytest
from google.auth.credentials import AnonymousCredentials
from google.cloud import storage

import feeds
from chromium import chromium
from harness import Emulator
from suite import Project

pytest.register_assert_rewrite("cloud", "console_page")

TEST_SECONDS = 120


def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(TEST_SECONDS))


@contextmanager
def starting():
    """Yields a function that starts emulators; they are closed at the end, and have to be honest until then."""
    started = []
    # Closes all of them, whatever the others do.
    with ExitStack() as stack:

        def start(*arguments, **options):
            emulator = Emulator(*arguments, **options)
            stack.callback(emulator.close)
            started.append(emulator)
            return emulator

        yield start
        for emulator in started:
            emulator.expect_honest_meter()


@pytest.fixture
def serve():
    """Starts emulators: `serve("--data", path)`."""
    with starting() as start:
        yield start


@pytest.fixture(scope="module")
def serve_for_file():
    """Starts emulators that all tests of a file use."""
    with starting() as start:
        yield start


@pytest.fixture
def emulator(serve):
    """An empty emulator that keeps nothing."""
    return serve("--ephemeral")


@pytest.fixture
def project(tmp_path):
    """A project of Firebase with Authentication, Firestore and Storage, whose emulators end with the test."""
    with ExitStack() as stack:
        yield Project(tmp_path, stack)


@pytest.fixture(scope="module")
def cloud(serve_for_file):
    """An emulator that is called as the recorder of production's answers calls Cloud Storage."""
    # Imported late, so that its assertions are rewritten.
    from cloud import Cloud

    return Cloud(serve_for_file("--ephemeral"))


@pytest.fixture(scope="module")
def started_browser():
    """A browser that all tests of a file use."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(started_browser, emulator, tmp_path):
    """The console's page of the emulator."""
    # Imported late, so that its assertions are rewritten.
    from console_page import ConsolePage

    folder = tmp_path / "saved"
    folder.mkdir()
    yield (page := ConsolePage(started_browser, emulator, folder))
    page.expect_harmless()


@pytest.fixture
def storage_client(emulator, monkeypatch):
    """Google's own client of Cloud Storage, with the emulator."""
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", f"http://{emulator.storage}")
    return storage.Client(project="demo-test", credentials=AnonymousCredentials())


@pytest.fixture
def bucket(storage_client):
    """An empty bucket, as Google's client has it."""
    return storage_client.create_bucket(f"bucket-{uuid.uuid4().hex}")


@pytest.fixture(scope="session")
def feed_json(tmp_path_factory):
    """The description of a feed whose images are rendered."""
    return feeds.write_feed(tmp_path_factory.mktemp("feed"))


@pytest.fixture(scope="session")
def image_directory(tmp_path_factory, feed_json):
    """The rendered images as files `user/feed/n`, one of them a PNG."""
    folder = tmp_path_factory.mktemp("images")
    emulator = Emulator("--ephemeral", "--seed", feed_json)
    try:
        feeds.download_images(emulator, folder)
    finally:
        emulator.close()
    (folder / "bob/p2/2.jpg").unlink()
    (folder / "bob/p2/2.png").write_bytes(feeds.png())
    return folder


@pytest.fixture
def own_images(image_directory, tmp_path):
    """A copy of the images for a test that changes them."""
    return shutil.copytree(image_directory, tmp_path / "images")


@pytest.fixture(scope="module")
def seeded_emulator(image_directory):
    """An emulator that serves the images of a directory."""
    emulator = Emulator("--ephemeral", "--seed", image_directory)
    try:
        yield emulator
    finally:
        emulator.close()

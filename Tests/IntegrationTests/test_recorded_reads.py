# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Why document reads were billed, and what listening would make of them: the simulation against clients that do it."""

import json
import time

import pytest

from firestore_clients import ListenStream, client_of, documents_of, store
from harness import run_audit

COUNT = 12
LISTS = ["likes", "title"]


class QueryingApp:
    """Asks for a list each time that it is shown, over a connection that lasts until the app is quit."""

    def __init__(self, client, connect):
        self.client, self.connect = client, connect
        self.reader = connect()

    def show(self, field):
        return [document.id for document in self.reader.collection("posts").order_by(field).stream()]

    def heard(self, name):
        pass

    def restart(self, minutes):
        self.close()
        self.reader = self.connect()

    def close(self):
        self.reader._firestore_api.transport.close()


class ListeningApp:
    """Listens to the lists that were shown; with persistence it keeps resume tokens over a restart."""

    def __init__(self, client, keeps_tokens):
        self.client = client
        self.keeps_tokens = keeps_tokens
        self.streams, self.tokens = {}, {}

    def show(self, field):
        if field in self.streams:
            return
        self.streams[field] = stream = ListenStream(self.client)
        token = self.tokens.get(field)
        stream.add(self.client.collection("posts").order_by(field), **({"resume_token": token} if token else {}))
        stream.until_current()

    def heard(self, name):
        """Waits until all open lists have heard of a change."""
        for stream in self.streams.values():
            while ("CHANGED", name) not in documents_of(stream.until("BOUNDARY")):
                pass

    def restart(self, minutes):
        """The SDK takes up a listener where it was after 30 minutes at most, with the documents on disk; else it asks anew."""
        keeps = self.keeps_tokens and minutes <= 30
        self.tokens = {field: stream.resume_token for field, stream in self.streams.items()} if keeps else {}
        self.close()

    def close(self):
        for stream in self.streams.values():
            stream.close()
        self.streams = {}


def play(app, minutes):
    """Shows tabs again and again, while others change posts; returns when the app was quit."""
    posts = app.client.collection("posts")

    def change(name):
        posts.document(name).update({"text": f"{time.monotonic_ns()}"})
        app.heard(name)

    for field in ["likes", "title", "likes"]:
        app.show(field)
    change("p3")
    change("p7")
    for field in ["likes", "title", "title"]:
        app.show(field)
    quit_at = time.time_ns() // 1000
    app.restart(minutes)
    change("p1")
    for field in ["title", "likes", "title"]:
        app.show(field)
    return quit_at


def put(client):
    store(client.collection("posts"), {f"p{n}": {"likes": n, "title": f"t{n * 7 % COUNT}"} for n in range(COUNT)})


def reads(emulator):
    return emulator.usage()["billed"]["documentReads"]


@pytest.fixture
def recorded(serve, tmp_path):
    """A log of the app that asks each time, and the moment at which it was quit."""
    log = tmp_path / "session.log"
    emulator = serve("--record", log)
    client = client_of(emulator.firestore, "demo", own_connection=True)
    put(client)
    app = QueryingApp(client, lambda: client_of(emulator.firestore, "demo", own_connection=True))
    quit_at = play(app, 0)
    app.close()
    assert reads(emulator) == 9 * COUNT
    client._firestore_api.transport.close()
    assert emulator.stop() == 0
    return log, quit_at


def paused(log, quit_at, minutes):
    """The log of an app that was quit for some minutes."""
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    for line in lines:
        if line.get("at", 0) >= quit_at:
            line["at"] += minutes * 60_000_000
    later = log.with_name(f"paused-{minutes}.log")
    later.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return later


def replayed(log, *strategies):
    ended = run_audit("replay", log, "--format", "json", *[word for s in strategies for word in ("--strategy", s)])
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)["strategies"]


def test_causes_add_up_to_the_billed_reads(recorded):
    log, _ = recorded
    first = replayed(log, "thumbnails")[0]
    (likes, title) = sorted(first["reads"]["queries"], key=lambda query: query["query"])
    assert first["billed"]["documentReads"] == likes["reads"] + title["reads"] == 9 * COUNT
    assert all(sum(query["causes"].values()) == query["reads"] for query in (likes, title))
    assert (likes["query"], likes["documents"]) == ("posts order by likes", COUNT)
    # The user has read a document whichever list showed it; three were changed in between.
    assert likes["causes"] == {"first": COUNT, "changed": 2, "unchanged": 4 * COUNT - COUNT - 2}
    assert title["causes"] == {"changed": 1, "unchanged": 5 * COUNT - 1}
    assert first["reads"]["remedy"] == {"strategy": "thumbnails+persistence", "documentReads": 2 * COUNT + 2 * 3}
    assert likes["document"] == "docs/refactorings.md#listeners-and-persistence"
    assert likes["sentence"] == (
        f"posts order by likes: {4 * COUNT} reads of {COUNT} documents in 4 views, {3 * COUNT - 2} of them unchanged; "
        f"with thumbnails+persistence {COUNT + 3} reads ({likes['document']})."
    )


@pytest.mark.parametrize("minutes", [20, 40])
def test_listening_as_simulated_is_billed_what_clients_that_listen_are(serve, recorded, minutes):
    log, quit_at = recorded
    names = ["thumbnails+listen", "thumbnails+persistence"]
    simulated = {row["name"]: row["billed"]["documentReads"] for row in replayed(paused(log, quit_at, minutes), *names)}
    emulator = serve()
    client = client_of(emulator.firestore, "demo", own_connection=True)
    put(client)
    # Without a restart in the log, which a pause of 20 minutes is not, a listener of an app that runs hears on.
    for name, keeps_tokens in zip(names, [minutes <= 30, True]):
        before = reads(emulator)
        app = ListeningApp(client, keeps_tokens)
        play(app, minutes)
        app.close()
        assert simulated[name] == reads(emulator) - before, name
    client._firestore_api.transport.close()

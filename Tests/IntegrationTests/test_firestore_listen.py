# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Listeners: what apps are told through Google's Python client, and which messages that takes.

FIRESTORE_UNDER_TEST=host:port runs them against another emulator. The official one (1.19.9) sends the whole result
again on each commit; the tests that it therefore cannot pass, or that restart the emulator, say so.
"""

from concurrent.futures import ThreadPoolExecutor

from google.cloud.firestore_v1 import FieldFilter

from firestore_clients import (  # noqa: F401 (fixtures)
    client,
    connect,
    documents_of,
    firestore_address,
    listening,
    store,
    watching,
)
from harness import wait_until


def ranked(client, count=3):
    """A collection of documents d0, d1, .. by rank."""
    collection = client.collection("players")
    store(collection, {f"d{rank}": {"rank": rank} for rank in range(count)})
    return collection


# Snapshots


def test_a_listener_starts_with_what_is_there(client):
    with watching(ranked(client)) as snapshots:
        assert snapshots.next() == (["d0", "d1", "d2"], [("ADDED", "d0"), ("ADDED", "d1"), ("ADDED", "d2")])


def test_a_listener_of_nothing_starts_empty(client):
    with watching(client.collection("players")) as snapshots:
        assert snapshots.next() == ([], [])


def test_added_modified_and_removed_documents_are_told_as_such(client):
    players = ranked(client)
    with watching(players) as snapshots:
        snapshots.next()
        players.document("d3").set({"rank": 3})
        assert snapshots.next() == (["d0", "d1", "d2", "d3"], [("ADDED", "d3")])
        players.document("d1").update({"rank": 10})
        assert snapshots.next() == (["d0", "d1", "d2", "d3"], [("MODIFIED", "d1")])
        players.document("d0").delete()
        assert snapshots.next() == (["d1", "d2", "d3"], [("REMOVED", "d0")])


def test_a_commit_is_one_snapshot(client):
    players = ranked(client)
    with watching(players) as snapshots:
        snapshots.next()
        batch = client.batch()
        batch.delete(players.document("d0"))
        batch.update(players.document("d1"), {"rank": 10})
        batch.set(players.document("d9"), {"rank": 9})
        batch.commit()
        assert snapshots.next() == (["d1", "d2", "d9"], [("REMOVED", "d0"), ("ADDED", "d9"), ("MODIFIED", "d1")])


def test_a_document_that_stops_matching_is_removed_and_comes_back(client):
    players = ranked(client)
    with watching(players.where(filter=FieldFilter("rank", "<", 2)).order_by("rank")) as snapshots:
        assert snapshots.next()[0] == ["d0", "d1"]
        players.document("d1").update({"rank": 2})
        assert snapshots.next() == (["d0"], [("REMOVED", "d1")])
        players.document("d1").update({"rank": -1})
        assert snapshots.next() == (["d1", "d0"], [("ADDED", "d1")])


def test_a_limit_keeps_its_number(client):
    players = ranked(client)
    with watching(players.order_by("rank").limit(2)) as snapshots:
        assert snapshots.next()[0] == ["d0", "d1"]
        players.document("first").set({"rank": -1})
        assert snapshots.next() == (["first", "d0"], [("REMOVED", "d1"), ("ADDED", "first")])
        players.document("d0").delete()
        assert snapshots.next() == (["first", "d1"], [("REMOVED", "d0"), ("ADDED", "d1")])


def test_a_missing_document_is_told_as_none_until_it_is_made(client):
    document = client.document("players/new")
    with watching(document) as snapshots:
        assert snapshots.next() == ([], [])
        document.set({"rank": 1})
        assert snapshots.next() == (["new"], [("ADDED", "new")])
        document.delete()
        assert snapshots.next() == ([], [("REMOVED", "new")])


def test_a_collection_group_is_listened_to_wherever_its_documents_are(client):
    client.document("games/chess/moves/m1").set({})
    with watching(client.collection_group("moves")) as snapshots:
        assert snapshots.next()[0] == ["m1"]
        client.document("games/go/rounds/r1/moves/m2").set({})
        assert snapshots.next()[1] == [("ADDED", "m2")]


def test_every_listener_is_told(client):
    players = ranked(client)
    top = players.order_by("rank").limit(1)
    with watching(players) as all_players, watching(top) as first, watching(players.document("d0")) as one:
        for snapshots in (all_players, first, one):
            snapshots.next()
        players.document("d0").update({"rank": -5})
        for snapshots in (all_players, first, one):
            assert snapshots.next()[1] == [("MODIFIED", "d0")]


def test_a_listener_is_not_told_of_what_does_not_concern_it(client):
    players = ranked(client)
    with watching(players.where(filter=FieldFilter("rank", "==", 1))) as snapshots:
        snapshots.next()
        players.document("d2").update({"rank": 20})
        client.document("others/o1").set({"rank": 1})
        players.document("d1").delete()
        assert snapshots.next() == ([], [("REMOVED", "d1")])


def test_a_transaction_is_told_when_it_is_committed(client):
    players = ranked(client)
    with watching(players) as snapshots:
        snapshots.next()
        transaction = client.transaction()
        transaction._begin()
        transaction.update(players.document("d1"), {"rank": 10})
        transaction.update(players.document("d2"), {"rank": 20})
        transaction._commit()
        assert snapshots.next()[1] == [("MODIFIED", "d1"), ("MODIFIED", "d2")]


def test_two_hundred_listeners_share_a_connection(client):
    players = ranked(client)
    with ThreadPoolExecutor(20) as pool:
        listeners = list(pool.map(lambda _: watching(players), range(200)))
        streams = list(pool.map(lambda listener: listener.__enter__(), listeners))
        try:
            assert [snapshots.next()[0] for snapshots in streams] == [["d0", "d1", "d2"]] * 200
            players.document("d1").update({"rank": 10})
            assert [snapshots.next()[1] for snapshots in streams] == [[("MODIFIED", "d1")]] * 200
        finally:
            list(pool.map(lambda listener: listener.__exit__(None, None, None), listeners))


def test_a_listener_survives_a_restart(serve, tmp_path, connect):
    # Not for the official emulator, which keeps nothing.
    data = tmp_path / "data"
    emulator = serve("--data", data)
    client = connect(emulator.firestore)
    players = ranked(client)
    with watching(players) as snapshots:
        snapshots.next()
        assert emulator.stop() == 0
        emulator = serve("--data", data, "--firestore-port", emulator.firestore.rpartition(":")[2])
        players.document("d1").update({"rank": 10})
        assert snapshots.next() == (["d0", "d1", "d2"], [("MODIFIED", "d1")])


# Which messages that takes


def test_a_new_target_is_added_filled_and_current(client):
    with listening(client) as stream:
        stream.add(ranked(client))
        assert stream.until_current() == [
            ("ADD", 1),
            *[("CHANGED", f"d{rank}") for rank in range(3)],
            ("CURRENT", 1),
            ("BOUNDARY",),
        ]


def test_a_quiet_collection_is_consistent_although_queries_of_others_were_indexed(client):
    cities = client.collection("cities")
    for part in range(2):
        ranks = range(500 * part, 500 * part + 500)
        store(cities, {f"c{rank}": {"rank": rank, "kind": rank % 7} for rank in ranks})
    assert len(cities.order_by("rank").get()) == 1000
    assert len(cities.order_by("kind", direction="DESCENDING").limit(5).get()) == 5
    assert len(cities.where(filter=FieldFilter("kind", "==", 1)).order_by("rank").get()) == 143
    assert cities.where(filter=FieldFilter("rank", ">=", 0)).sum("kind").get()[0][0].value == 2997
    with listening(client) as stream:
        stream.add(client.collection("quiet"))
        assert stream.until_current() == [("ADD", 1), ("CURRENT", 1), ("BOUNDARY",)]


def test_an_update_is_one_message_however_large_the_result(client):
    # The official emulator sends RESET and all 50.
    players = ranked(client, count=50)
    with listening(client) as stream:
        stream.add(players)
        stream.until_current()
        players.document("d7").update({"rank": 70})
        assert stream.until("BOUNDARY") == [("CHANGED", "d7"), ("BOUNDARY",)]


def test_leaving_and_deletion_are_one_message(client):
    # The official emulator sends RESET and the rest.
    players = ranked(client)
    with listening(client) as stream:
        stream.add(players.where(filter=FieldFilter("rank", "<", 2)))
        stream.until_current()
        players.document("d1").update({"rank": 2})
        assert stream.until("BOUNDARY") == [("LEFT", "d1"), ("BOUNDARY",)]
        players.document("d0").delete()
        assert stream.until("BOUNDARY") == [("DELETED", "d0"), ("BOUNDARY",)]


def test_writing_the_same_again_is_not_told(client):
    players = ranked(client)
    with listening(client) as stream:
        stream.add(players.document("d1"))
        stream.until_current()
        players.document("d1").set({"rank": 1})
        players.document("d1").set({"rank": 10})
        assert documents_of(stream.until("BOUNDARY")) == [("CHANGED", "d1")]


def test_targets_of_a_stream_are_consistent_with_each_other(client):
    players = ranked(client)
    with listening(client) as stream:
        stream.add(players.document("d0"), target_id=1)
        stream.add(players.document("d2"), target_id=2)
        stream.until_current(target_count=2)
        batch = client.batch()
        batch.update(players.document("d0"), {"rank": 5})
        batch.update(players.document("d2"), {"rank": 5})
        batch.commit()
        assert sorted(documents_of(stream.until("BOUNDARY"))) == [("CHANGED", "d0"), ("CHANGED", "d2")]


def test_a_removed_target_is_silent(client):
    players = ranked(client)
    with listening(client) as stream:
        stream.add(players.document("d0"), target_id=1)
        stream.add(players.document("d1"), target_id=2)
        stream.until_current(target_count=2)
        stream.remove(1)
        assert stream.until("REMOVE")[-1] == ("REMOVE", 1)
        assert stream.cause.code == 0
        players.document("d0").update({"rank": 5})
        players.document("d1").update({"rank": 5})
        assert documents_of(stream.until("BOUNDARY")) == [("CHANGED", "d1")]


def test_a_bad_query_removes_its_target_and_spares_the_others(client):
    players = ranked(client)
    with listening(client) as stream:
        stream.add(players.document("d1"), target_id=1)
        stream.until_current()
        stream.add(players.where(filter=FieldFilter("rank", "in", [])), target_id=2)
        assert stream.until("REMOVE")[-1] == ("REMOVE", 2)
        assert (stream.cause.code, stream.cause.message) == (3, "'IN' requires an non-empty ArrayValue.")
        players.document("d1").update({"rank": 5})
        assert documents_of(stream.until("BOUNDARY")) == [("CHANGED", "d1")]


def test_a_target_for_once_is_removed_when_it_is_filled(client):
    # The official emulator keeps the target.
    with listening(client) as stream:
        stream.add(ranked(client).document("d1"), once=True)
        assert documents_of(stream.until("REMOVE")) == [("CHANGED", "d1")]
        assert stream.cause.code == 0


def resumed(client, watched, token, **options):
    """The events of a stream that takes up where another left off."""
    with listening(client) as stream:
        stream.add(watched, resume_token=token, **options)
        return stream.until_current()


def token_of(client, watched):
    with listening(client) as stream:
        stream.add(watched)
        stream.until_current()
        return stream.resume_token


def test_nothing_is_sent_again_when_nothing_has_changed(client):
    # The official emulator sends everything, here and in the tests that follow.
    players = ranked(client)
    token = token_of(client, players)
    assert documents_of(resumed(client, players, token)) == []


def test_only_changes_are_sent_after_a_pause(client):
    players = ranked(client)
    token = token_of(client, players)
    players.document("d1").update({"rank": 5})
    players.document("d1").update({"rank": 6})
    players.document("d9").set({"rank": 9})
    changes = set(documents_of(resumed(client, players, token)))
    assert changes == {("CHANGED", "d1"), ("CHANGED", "d9")}


def test_what_has_gone_in_a_pause_is_told_or_shows_in_the_count(client):
    players = ranked(client)
    token = token_of(client, players)
    players.document("d0").delete()
    events = resumed(client, players, token, expected_count=3)
    assert ("DELETED", "d0") in events or ("FILTER", 2) in events
    assert ("CHANGED", "d1") not in events and ("CHANGED", "d2") not in events


def test_a_resume_token_survives_a_restart(serve, tmp_path, connect):
    # Not for the official emulator, which keeps nothing.
    data = tmp_path / "data"
    emulator = serve("--data", data)
    client = connect(emulator.firestore)
    players = ranked(client)
    token = token_of(client, players)
    players.document("d1").update({"rank": 5})
    emulator.kill()
    client = connect(serve("--data", data).firestore)
    assert documents_of(resumed(client, client.collection("players"), token)) == [("CHANGED", "d1")]


def test_a_token_of_somebody_else_is_refused(client):
    # The official emulator starts afresh.
    with listening(client) as stream:
        stream.add(ranked(client), resume_token=b"not-a-token")
        assert stream.until("REMOVE")[-1] == ("REMOVE", 1)
        assert (stream.cause.code, stream.cause.message) == (3, "bad resume token")


# What they are billed


def test_reads_of_a_listener_are_filed_under_its_query(emulator, connect):
    # Of our own emulator only: others do not count.
    client = connect(emulator.firestore)
    players = ranked(client)
    cities = client.collection("cities")
    store(cities, {"rome": {}, "oslo": {}})
    mark = emulator.mark()
    with listening(client) as stream:
        stream.add(players.order_by("rank"), target_id=1)
        stream.until_current()
        stream.add(cities, target_id=2)
        stream.add(players.document("d0"), target_id=3)
        stream.until_current(target_count=2)
        players.document("d0").update({"rank": -1})
        stream.until("BOUNDARY")
    reads = lambda by: {
        key: group["billed"]["documentReads"]
        for key, group in emulator.usage(by=by, since=mark).items()
        if group["billed"]["documentReads"]
    }
    wait_until(lambda: sum(reads("query").values()) == 8, "the reads on record")
    assert reads("query") == {"players order by rank": 4, "cities": 2, "": 2}
    assert reads("collection") == {"players": 6, "cities": 2}
    assert emulator.usage(since=mark)["billed"]["documentReads"] == 8

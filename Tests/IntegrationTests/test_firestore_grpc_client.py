# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Documents, queries and limits through Google's unchanged Python client.

FIRESTORE_UNDER_TEST=host:port runs them against another emulator; tests say what the official one (1.19.9) cannot do.
"""

import datetime
import math

import pytest
from google.api_core.exceptions import (
    AlreadyExists,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    ResourceExhausted,
)
from google.cloud import firestore
from google.cloud.firestore_v1 import ExplainOptions, FieldFilter, Or
from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
from google.cloud.firestore_v1.vector import Vector

from firestore_clients import client, connect, firestore_address, ids, store  # noqa: F401 (fixtures)

UTC = datetime.timezone.utc


@pytest.fixture
def cities(client):
    """Five cities; `pop` has a tie, one city has none."""
    cities = client.collection("cities")
    store(
        cities,
        {
            "BJ": {"pop": 21, "country": "CN"},
            "LA": {"pop": 3, "country": "US"},
            "SF": {"pop": 1, "country": "US"},
            "TK": {"pop": 3, "country": "JP"},
            "XX": {"country": "US"},
        },
    )
    return cities


# Refusals


@pytest.mark.parametrize("unit, count", [("n", 10_000), ("ü", 10_000), ("n", 3_000_000)])
def test_a_name_of_any_length_is_refused_as_invalid(client, unit, count):
    name = f"projects/demo/databases/(default)/documents/{unit * count}"
    with pytest.raises(InvalidArgument) as refusal:
        request = {"database": client._database_string, "documents": [name]}
        list(client._firestore_api.batch_get_documents(request=request))
    assert "lacks" in refusal.value.message
    assert len(refusal.value.message) <= 4096


# Writing


def test_a_batch_of_500_is_one_commit(client):
    results = store(client.collection("many"), {f"d{n:03}": {"n": n} for n in range(500)})
    assert len({result.update_time for result in results}) == 1
    assert client.collection("many").count().get()[0][0].value == 500


def test_transforms_apply_to_what_is_there(client):
    document = client.document("things/one")
    document.set({"count": 1, "tags": ["a", "b"], "low": 5, "high": 5, "mixed": 1})
    result = document.update(
        {
            "count": firestore.Increment(2),
            "mixed": firestore.Increment(0.5),
            "new": firestore.Increment(7),
            "tags": firestore.ArrayUnion(["b", "c"]),
            "low": firestore.Minimum(3),
            "high": firestore.Maximum(3),
            "seen": firestore.SERVER_TIMESTAMP,
        }
    )
    data = document.get().to_dict()
    seen = data.pop("seen")
    assert data == {"count": 3, "mixed": 1.5, "new": 7, "tags": ["a", "b", "c"], "low": 3, "high": 5}
    assert abs(result.update_time - seen) < datetime.timedelta(seconds=1)


def test_values_are_removed_from_an_array_wherever_they_are(client):
    document = client.document("things/one")
    document.set({"tags": ["a", "b", "a", {"a": 1}]})
    document.update({"tags": firestore.ArrayRemove(["a", {"a": 1}])})
    assert document.get().to_dict() == {"tags": ["b"]}


def test_a_merge_spares_the_other_fields(client):
    document = client.document("things/one")
    document.set({"a": {"x": 1, "y": 2}, "b": 3})
    document.set({"a": {"x": 10}, "c": firestore.DELETE_FIELD}, merge=True)
    assert document.get().to_dict() == {"a": {"x": 10, "y": 2}, "b": 3}


def test_a_write_that_changes_nothing_keeps_the_update_time(client):
    document = client.document("things/one")
    first = document.set({"a": 1}).update_time
    assert document.set({"a": 1}).update_time == first
    assert document.get().update_time == first


def test_updating_a_missing_document_is_refused(client):
    # The official emulator says "no entity to update".
    document = client.document("things/none")
    with pytest.raises(NotFound) as refusal:
        document.update({"a": 1})
    assert refusal.value.message == f"No document to update: {document._document_path}"


def test_creating_a_document_twice_is_refused(client):
    # The official emulator says "entity already exists".
    document = client.document("things/one")
    document.create({})
    with pytest.raises(AlreadyExists) as refusal:
        document.create({})
    assert refusal.value.message == f"Document already exists: {document._document_path}"


def test_deleting_what_must_have_been_unchanged_is_refused_when_it_changed(client):
    document = client.document("things/one")
    old = document.set({"a": 1}).update_time
    document.set({"a": 2})
    with pytest.raises(FailedPrecondition):
        document.delete(option=client.write_option(last_update_time=old))
    assert document.get().exists


def test_a_bulk_writer_writes_and_tells_of_each_failure(client):
    client.document("many/d7").create({"old": True})
    failed = []
    writer = client.bulk_writer()
    writer.on_write_error(lambda error, _: failed.append(error) or False)
    for n in range(300):
        writer.create(client.document(f"many/d{n}"), {"n": n})
    writer.close()
    assert [(error.code, error.operation.reference.id) for error in failed] == [(6, "d7")]
    assert client.collection("many").count().get()[0][0].value == 300
    assert client.document("many/d7").get().to_dict() == {"old": True}


def test_deletion_is_recursive_on_demand(client):
    for path in ["trees/oak", "trees/oak/branches/b1", "trees/oak/branches/b1/leaves/l1", "trees/elm", "others/o"]:
        client.document(path).set({})
    assert client.recursive_delete(client.document("trees/oak")) == 3
    assert ids(client.collection_group("leaves").stream()) == []
    assert ids(client.collection("trees").stream()) == ["elm"]
    assert client.recursive_delete(client.collection("trees")) == 1
    assert [collection.id for collection in client.collections()] == ["others"]


# Sizes


def test_a_document_of_nearly_a_mebibyte_is_kept(client):
    document = client.document("big/one")
    document.set({"a": "x" * 500_000, "b": b"y" * 548_000})
    assert len(document.get().get("a")) == 500_000


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"s": "x" * 1_048_488}, 'The value of property "s" is longer than 1048487 bytes.'),
        ({"a": "x" * 600_000, "b": "x" * 600_000}, "maximum entity size is 1048576 bytes"),
    ],
    ids=["value", "document"],
)
def test_too_large_a_document_is_refused(client, data, message):
    document = client.document("big/one")
    with pytest.raises(InvalidArgument) as refusal:
        document.set(data)
    assert message in refusal.value.message
    assert not document.get().exists


def commit_large(client, document_count, byte_count):
    batch = client.batch()
    for n in range(document_count):
        batch.set(client.document(f"big/d{n}"), {"text": "x" * byte_count})
    # Otherwise the client repeats for a minute what is too large.
    batch.commit(retry=None)


def test_a_commit_of_nine_mebibytes_is_taken(client):
    # The official emulator takes 4 MiB at most.
    commit_large(client, document_count=10, byte_count=900_000)
    assert sum(len(document.get("text")) for document in client.collection("big").stream()) == 9_000_000


def test_a_request_of_twelve_mebibytes_is_refused(client):
    with pytest.raises(ResourceExhausted):
        commit_large(client, document_count=13, byte_count=1_000_000)
    assert client.collection("big").count().get()[0][0].value == 0


# Order


def values_in_order(client):
    """Values of every type as Firestore orders them; none equals its neighbour."""
    return [
        None,
        False,
        True,
        math.nan,
        -math.inf,
        -(2**63),
        -1.5,
        0,
        5e-324,
        1,
        1.5,
        2**53,
        2**53 + 1,
        2**63 - 1,
        math.inf,
        datetime.datetime(1, 1, 1, tzinfo=UTC),
        datetime.datetime(2026, 11, 21, 0, 49, 9, 666545, tzinfo=UTC),
        "",
        "\u0000",
        "Z",
        "a",
        "ab",
        "é",
        "\uffee",
        "😀",
        b"",
        b"\x00",
        b"\x01\x02",
        b"\xff",
        client.document("a/b"),
        client.document("a/b/c/d"),
        client.document("a/c"),
        firestore.GeoPoint(-10, 20),
        firestore.GeoPoint(10, -20),
        firestore.GeoPoint(10, 20),
        [],
        [None],
        [1],
        [1, "a"],
        ["a"],
        Vector([9.0]),
        Vector([1.0, 2.0]),
        Vector([1.0, 3.0]),
        {},
        {"a": 1},
        {"a": 1, "b": 0},
        {"a": "x"},
        {"b": 0},
    ]


@pytest.mark.parametrize("direction", ["ASCENDING", "DESCENDING"])
def test_values_of_all_types_have_an_order(client, direction):
    count = len(values_in_order(client))
    # Names run against the order of the values, so that they cannot be what orders.
    names = [f"v{count - position:02}" for position in range(count)]
    store(
        client.collection("values"), dict(zip(names, ({"v": value} for value in values_in_order(client)), strict=True))
    )
    found = ids(client.collection("values").order_by("v", direction=direction).stream())
    assert found == (names if direction == "ASCENDING" else names[::-1])


def test_equal_numbers_are_ordered_by_name(client):
    store(client.collection("values"), {"c": {"v": 1}, "a": {"v": 1.0}, "b": {"v": 1}})
    assert ids(client.collection("values").order_by("v").stream()) == ["a", "b", "c"]


# Queries


def test_a_collection_group_reaches_every_depth(client):
    for path in ["parks/p1", "cities/SF/parks/p2", "countries/US/states/CA/parks/p3", "cities/SF/parkings/x"]:
        client.document(path).set({"open": path.endswith(("1", "3"))})
    parks = client.collection_group("parks")
    assert sorted(ids(parks.stream())) == ["p1", "p2", "p3"]
    assert sorted(ids(parks.where(filter=FieldFilter("open", "==", True)).stream())) == ["p1", "p3"]
    assert ids(client.collection("cities/SF/parks").stream()) == ["p2"]


def test_cursors_cut_before_and_after_a_value(cities):
    by_population = cities.order_by("pop")
    assert ids(by_population.start_at({"pop": 3}).stream()) == ["LA", "TK", "BJ"]
    assert ids(by_population.start_after({"pop": 3}).stream()) == ["BJ"]
    assert ids(by_population.end_at({"pop": 3}).stream()) == ["SF", "LA", "TK"]
    assert ids(by_population.end_before({"pop": 3}).stream()) == ["SF"]


def test_a_snapshot_as_cursor_tells_ties_apart(cities):
    by_population = cities.order_by("pop")
    assert ids(by_population.start_after(cities.document("LA").get()).stream()) == ["TK", "BJ"]
    assert ids(by_population.end_before(cities.document("TK").get()).stream()) == ["SF", "LA"]


def test_pages_of_a_descending_order_join_without_gap(cities):
    query, seen = cities.order_by("pop", direction="DESCENDING").limit(2), []
    while page := list(query.stream()):
        seen += ids(page)
        query = query.start_after(page[-1])
    assert seen == ["BJ", "TK", "LA", "SF"]


def test_limit_to_last_gives_the_last_in_order(cities):
    # The client turns the order round in the query it is called on: each needs its own.
    assert ids(cities.order_by("pop").limit_to_last(2).get()) == ["TK", "BJ"]
    assert ids(cities.order_by("pop", direction="DESCENDING").limit_to_last(3).get()) == ["TK", "LA", "SF"]


def test_an_offset_skips(cities):
    assert ids(cities.order_by("pop").offset(1).limit(2).stream()) == ["LA", "TK"]
    assert ids(cities.order_by("pop").offset(10).stream()) == []


def test_a_projection_brings_the_chosen_fields(cities):
    assert [city.to_dict() for city in cities.select(["pop"]).stream()][-2:] == [{"pop": 3}, {}]
    assert [city.to_dict() for city in cities.select([]).stream()] == [{}] * 5


def test_a_disjunction_finds_each_document_once(cities):
    either = Or([FieldFilter("pop", "==", 3), FieldFilter("country", "in", ["US", "JP"])])
    assert sorted(ids(cities.where(filter=either).stream())) == ["LA", "SF", "TK", "XX"]


def test_a_query_of_the_past_sees_the_past(cities):
    past = cities.document("SF").update({"pop": 100}).update_time
    cities.document("SF").delete()
    cities.document("LA").update({"pop": 200})
    large = cities.where(filter=FieldFilter("pop", ">=", 100))
    assert ids(large.stream(read_time=past)) == ["SF"]
    assert ids(large.stream()) == ["LA"]


def test_the_future_cannot_be_read(cities):
    with pytest.raises(InvalidArgument) as refusal:
        cities.get(read_time=datetime.datetime.now(UTC) + datetime.timedelta(hours=1))
    assert refusal.value.message == "The requested 'read_time' cannot be in the future."


def test_a_senseless_query_is_refused_in_known_words(cities):
    with pytest.raises(InvalidArgument) as refusal:
        cities.where(filter=FieldFilter("pop", "in", list(range(31)))).get()
    assert refusal.value.message == "'IN' supports up to 30 comparison values."


# Listing


def test_missing_documents_with_children_are_listed(client):
    client.document("cities/SF").set({"pop": 1})
    client.document("cities/LA/parks/p1").set({})
    listed = {document.id: document.get().exists for document in client.collection("cities").list_documents()}
    assert listed == {"LA": False, "SF": True}
    assert ids(client.collection("cities").stream()) == ["SF"]
    assert [collection.id for collection in client.document("cities/LA").collections()] == ["parks"]


def test_lists_are_read_page_by_page(client):
    store(client.collection("many"), {f"d{n:02}": {} for n in range(25)})
    listed = [document.id for document in client.collection("many").list_documents(page_size=10)]
    assert listed == [f"d{n:02}" for n in range(25)]


# Aggregations


def aggregated(query):
    return {result.alias: result.value for result in query.get()[0]}


def test_count_sum_and_average_come_in_one_answer(cities):
    query = cities.count("n").sum("pop", alias="total").avg("pop", alias="mean")
    # All of them see only the documents that have the field.
    assert aggregated(query) == {"n": 4, "total": 28, "mean": 7.0}


def test_aggregations_of_nothing(cities):
    nothing = cities.where(filter=FieldFilter("pop", ">", 100))
    assert aggregated(nothing.count("n").sum("pop", alias="total")) == {"n": 0, "total": 0}


def test_a_count_stops_at_the_limit(cities):
    assert aggregated(cities.limit(3).count("n")) == {"n": 3}


def test_sums_turn_into_floating_point_when_they_must(client):
    numbers = client.collection("numbers")
    store(numbers, {"a": {"v": 2**62, "w": 1}, "b": {"v": 2**62, "w": 0.5}, "c": {"v": 2**62, "w": "text"}})
    assert aggregated(numbers.sum("v", alias="v").sum("w", alias="w")) == {"v": 3 * 2.0**62, "w": 1.5}


def test_an_aggregation_of_the_past_sees_the_past(cities):
    past = cities.document("SF").get().read_time
    cities.document("SF").delete()
    assert cities.count("n").get(read_time=past)[0][0].value == 5
    assert cities.count("n").get()[0][0].value == 4


# PartitionQuery, which the official emulator does not have


def test_partitions_cover_a_group_without_overlap(client):
    expected = []
    for parent in ["", "abc/1/", "xyz/9/"]:
        group = client.collection(f"{parent}items")
        store(group, {f"d{n:03}": {} for n in range(200)})
        expected += [f"{parent}items/d{n:03}" for n in range(200)]
    partitions = list(client.collection_group("items").get_partitions(4))
    found = [document.reference.path for partition in partitions for document in partition.query().stream()]
    assert found == sorted(expected)
    assert 1 <= len(partitions) <= 5


def test_partitions_of_the_past_are_those_of_the_past(client):
    past = client.document("items/one").set({}).update_time
    client.document("items/one").delete()
    partitions = list(client.collection_group("items").get_partitions(2, read_time=past))
    assert [ids(partition.query().stream(read_time=past)) for partition in partitions] == [["one"]]


# Explain, which the official emulator ignores


def test_a_plan_names_the_indexes_and_reads_nothing(cities):
    result = cities.order_by("pop").get(explain_options=ExplainOptions(analyze=False))
    assert list(result) == []
    indexes = result.get_explain_metrics().plan_summary.indexes_used
    assert indexes == [{"properties": "(pop ASC, __name__ ASC)", "query_scope": "Collection"}]


def test_an_analysis_counts_what_is_billed(cities):
    result = cities.order_by("pop").get(explain_options=ExplainOptions(analyze=True))
    assert ids(result) == ["SF", "LA", "TK", "BJ"]
    statistics = result.get_explain_metrics().execution_stats
    assert (statistics.results_returned, statistics.read_operations) == (4, 4)
    assert statistics.debug_stats["billing_details"] == {
        "documents_billable": "4",
        "index_entries_billable": "0",
        "min_query_cost": "0",
        "small_ops": "0",
    }


def test_a_query_that_finds_nothing_is_billed_one_read(client):
    result = client.collection("none").get(explain_options=ExplainOptions(analyze=True))
    statistics = result.get_explain_metrics().execution_stats
    assert (statistics.results_returned, statistics.read_operations) == (0, 1)
    assert statistics.debug_stats["billing_details"]["min_query_cost"] == "1"


def test_a_count_is_billed_by_index_entries(cities):
    result = cities.count("n").get(explain_options=ExplainOptions(analyze=True))
    statistics = result.get_explain_metrics().execution_stats
    assert (statistics.results_returned, statistics.read_operations) == (1, 1)
    assert statistics.debug_stats["billing_details"]["index_entries_billable"] == "5"


# Nearest neighbours


@pytest.fixture
def points(client):
    points = client.collection("points")
    vectors = {"east": [1.0, 0.0], "far": [10.0, 0.0], "north": [0.0, 1.0], "west": [-1.0, 0.0]}
    store(points, {name: {"at": Vector(vector), "far": name == "far"} for name, vector in vectors.items()})
    store(points, {"other": {"at": Vector([1.0, 0.0, 0.0])}, "none": {"at": [1.0, 0.0]}})
    return points


def nearest(query, measure, limit=10, **options):
    """The names and distances of what is near (2, 0)."""
    found = query.find_nearest(
        vector_field="at",
        query_vector=Vector([2.0, 0.0]),
        distance_measure=measure,
        limit=limit,
        distance_result_field="distance",
        **options,
    )
    return [(point.id, round(point.get("distance"), 6)) for point in found.get()]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        (DistanceMeasure.EUCLIDEAN, [("east", 1), ("north", 2.236068), ("west", 3), ("far", 8)]),
        (DistanceMeasure.COSINE, [("east", 0), ("far", 0), ("north", 1), ("west", 2)]),
        (DistanceMeasure.DOT_PRODUCT, [("far", 20), ("east", 2), ("north", 0), ("west", -2)]),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_neighbours_come_nearest_first(points, measure, expected):
    assert nearest(points, measure) == expected


def test_neighbours_are_limited_in_number_and_distance(points):
    assert nearest(points, DistanceMeasure.EUCLIDEAN, limit=1) == [("east", 1)]
    assert nearest(points, DistanceMeasure.EUCLIDEAN, distance_threshold=2.5) == [("east", 1), ("north", 2.236068)]
    assert nearest(points, DistanceMeasure.DOT_PRODUCT, distance_threshold=2) == [("far", 20), ("east", 2)]


def test_neighbours_are_looked_for_among_what_matches(points):
    far = points.where(filter=FieldFilter("far", "==", True))
    assert nearest(far, DistanceMeasure.EUCLIDEAN) == [("far", 8)]

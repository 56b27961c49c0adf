# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

import pytest
import requests

from harness import DATABASE, DOCUMENTS
from raw_http import RawConnection

SAN_FRANCISCO = {"fields": {"pop": {"integerValue": "860000"}, "name": {"stringValue": "San Francisco"}}}


def name(path):
    return f"{DOCUMENTS}/{path}"


def integer(number):
    return {"integerValue": str(number)}


def create(emulator, path, fields):
    collection, document = path.rsplit("/", 1)
    response = requests.post(
        emulator.documents(f"{collection}?documentId={document}"), json={"fields": fields}, timeout=10
    )
    assert response.status_code == 200, response.text
    return response.json()


def assert_refused(response, code, status, message):
    assert response.status_code == code
    assert response.headers["Content-Type"].startswith("application/json")
    body = response.json()
    # Calls that answer with a list of messages wrap the error in one.
    error = (body[0] if isinstance(body, list) else body)["error"]
    assert (error["code"], error["status"]) == (code, status)
    assert message in error["message"]


def test_the_root_says_ok(emulator):
    response = requests.get(f"http://{emulator.firestore}/", timeout=10)
    assert (response.status_code, response.text.strip()) == (200, "Ok")


def test_a_created_document_is_read_back(emulator):
    created = create(emulator, "cities/SF", SAN_FRANCISCO["fields"])
    assert created["name"] == name("cities/SF")
    assert created["fields"] == SAN_FRANCISCO["fields"]
    assert created["createTime"] == created["updateTime"]
    assert requests.get(emulator.documents("cities/SF"), timeout=10).json() == created


def test_a_document_without_an_id_gets_one_of_twenty_characters(emulator):
    response = requests.post(emulator.documents("cities"), json={}, timeout=10)
    assert len(response.json()["name"].rsplit("/", 1)[1]) == 20
    assert "fields" not in response.json()


def test_creating_twice_is_refused(emulator):
    create(emulator, "cities/SF", {})
    response = requests.post(emulator.documents("cities?documentId=SF"), json={}, timeout=10)
    assert_refused(response, 409, "ALREADY_EXISTS", f"Document already exists: {name('cities/SF')}")


def test_a_patch_with_a_mask_changes_and_deletes_fields(emulator):
    created = create(emulator, "cities/SF", {**SAN_FRANCISCO["fields"], "gone": {"booleanValue": True}})
    mask = "updateMask.fieldPaths=pop&updateMask.fieldPaths=gone&currentDocument.exists=true"
    patched = requests.patch(
        emulator.documents(f"cities/SF?{mask}"), json={"fields": {"pop": integer(870_000)}}, timeout=10
    ).json()
    assert patched["fields"] == {**SAN_FRANCISCO["fields"], "pop": integer(870_000)}
    assert patched["createTime"] == created["createTime"] < patched["updateTime"]


def test_a_patch_of_nothing_creates_unless_it_must_exist(emulator):
    refused = requests.patch(emulator.documents("cities/LA?currentDocument.exists=true"), json={}, timeout=10)
    assert_refused(refused, 404, "NOT_FOUND", f"No document to update: {name('cities/LA')}")
    assert requests.patch(emulator.documents("cities/LA"), json=SAN_FRANCISCO, timeout=10).status_code == 200


def test_a_deleted_document_is_gone(emulator):
    create(emulator, "cities/SF", {})
    assert requests.delete(emulator.documents("cities/SF"), timeout=10).json() == {}
    response = requests.get(emulator.documents("cities/SF"), timeout=10)
    assert_refused(response, 404, "NOT_FOUND", "not found")
    assert name("cities/SF") in response.json()["error"]["message"]
    assert requests.delete(emulator.documents("cities/SF"), timeout=10).status_code == 200


def test_a_stale_update_time_is_refused(emulator):
    old = create(emulator, "cities/SF", {"pop": integer(1)})
    assert requests.patch(emulator.documents("cities/SF"), json=SAN_FRANCISCO, timeout=10).status_code == 200
    stale = requests.patch(
        emulator.documents("cities/SF"), params={"currentDocument.updateTime": old["updateTime"]}, json={}, timeout=10
    )
    assert_refused(stale, 400, "FAILED_PRECONDITION", "does not match the required base version")


@pytest.mark.parametrize(
    "value",
    [
        {"nullValue": None},
        {"booleanValue": False},
        integer(-(2**63)),
        integer(2**63 - 1),
        {"doubleValue": 2.5},
        {"doubleValue": "NaN"},
        {"doubleValue": "-Infinity"},
        {"timestampValue": "2026-11-21T00:49:09.666545Z"},
        {"stringValue": "ünï 日本 🔥 \u0000"},
        {"bytesValue": "AAH/"},
        {"referenceValue": name("cities/SF")},
        {"geoPointValue": {"latitude": 37.7, "longitude": -122.4}},
        {"arrayValue": {"values": [integer(1), {"stringValue": "a"}]}},
        {"mapValue": {"fields": {"a": {"mapValue": {"fields": {"b": integer(1)}}}}}},
    ],
    ids=lambda value: next(iter(value)),
)
def test_values_come_back_as_written(emulator, value):
    assert create(emulator, "values/v", {"v": value})["fields"] == {"v": value}


def test_a_commit_applies_transforms_and_writes_in_order(emulator):
    create(emulator, "cities/SF", SAN_FRANCISCO["fields"])
    writes = [
        {
            "update": {"name": name("cities/SF"), "fields": {"mayor": {"stringValue": "DL"}}},
            "updateMask": {"fieldPaths": ["mayor"]},
            "currentDocument": {"exists": True},
            "updateTransforms": [
                {"fieldPath": "seen", "setToServerValue": "REQUEST_TIME"},
                {"fieldPath": "pop", "increment": integer(5)},
                {"fieldPath": "tags", "appendMissingElements": {"values": [{"stringValue": "bay"}]}},
                {"fieldPath": "mx", "maximum": {"doubleValue": 2.5}},
            ],
        },
        {"update": {"name": name("cities/LA"), "fields": {"pop": integer(3_900_000)}}},
        {"delete": name("cities/none")},
    ]
    answer = emulator.firestore_call("commit", {"writes": writes}).json()
    seen, *others = answer["writeResults"][0]["transformResults"]
    assert others == [integer(860_005), {"nullValue": None}, {"doubleValue": 2.5}]
    assert answer["writeResults"][1]["updateTime"] == answer["commitTime"]
    fields = requests.get(emulator.documents("cities/SF"), timeout=10).json()["fields"]
    assert fields == {
        "name": {"stringValue": "San Francisco"},
        "pop": integer(860_005),
        "mayor": {"stringValue": "DL"},
        "seen": seen,
        "tags": {"arrayValue": {"values": [{"stringValue": "bay"}]}},
        "mx": {"doubleValue": 2.5},
    }


def test_a_commit_that_fails_changes_nothing(emulator):
    writes = [
        {"update": {"name": name("cities/LA"), "fields": {}}},
        {"update": {"name": name("cities/none"), "fields": {}}, "currentDocument": {"exists": True}},
    ]
    refused = emulator.firestore_call("commit", {"writes": writes})
    assert_refused(refused, 404, "NOT_FOUND", f"No document to update: {name('cities/none')}")
    assert requests.get(emulator.documents("cities/LA"), timeout=10).status_code == 404


def test_no_op_writes_keep_the_update_time(emulator):
    first = create(emulator, "cities/SF", SAN_FRANCISCO["fields"])
    second = requests.patch(emulator.documents("cities/SF"), json=SAN_FRANCISCO, timeout=10).json()
    assert second["updateTime"] == first["updateTime"]


def query(**parts):
    return {"structuredQuery": {"from": [{"collectionId": "cities"}], **parts}}


def names(response):
    assert response.status_code == 200, response.text
    return [row["document"]["name"].rsplit("/", 1)[1] for row in response.json() if "document" in row]


@pytest.mark.parametrize("page_size", [1, 3, 100])
def test_a_query_pages_with_cursors(emulator, page_size):
    # Equal values: the document's name must break the tie.
    populations = {f"c{number:02}": number // 3 for number in range(10)}
    fields = {key: {"pop": integer(population)} for key, population in populations.items()}
    writes = [{"update": {"name": name(f"cities/{key}"), "fields": value}} for key, value in fields.items()]
    assert emulator.firestore_call("commit", {"writes": writes}).status_code == 200
    order = [{"field": {"fieldPath": "pop"}, "direction": "DESCENDING"}, {"field": {"fieldPath": "__name__"}}]
    found, cursor = [], {}
    while True:
        page = names(emulator.firestore_call("runQuery", query(orderBy=order, limit=page_size, **cursor)))
        found += page
        if len(page) < page_size:
            break
        values = [integer(populations[page[-1]]), {"referenceValue": name(f"cities/{page[-1]}")}]
        cursor = {"startAt": {"values": values, "before": False}}
    assert found == sorted(populations, key=lambda key: (-populations[key], key))


def test_a_query_filters(emulator):
    for key, population in {"LA": 39, "NY": 84, "SF": 8}.items():
        create(emulator, f"cities/{key}", {"pop": integer(population)})
    larger = {"fieldFilter": {"field": {"fieldPath": "pop"}, "op": "GREATER_THAN", "value": integer(10)}}
    assert names(emulator.firestore_call("runQuery", query(where=larger))) == ["LA", "NY"]
    none = {"fieldFilter": {"field": {"fieldPath": "pop"}, "op": "EQUAL", "value": integer(1)}}
    empty = emulator.firestore_call("runQuery", query(where=none)).json()
    assert len(empty) == 1 and "document" not in empty[0] and "readTime" in empty[0]


def test_aggregations_count_and_add(emulator):
    for number in range(3):
        create(emulator, f"cities/c{number}", {"pop": integer(number)})
    body = {
        "structuredAggregationQuery": {
            **query(),
            "aggregations": [
                {"alias": "n", "count": {}},
                {"alias": "s", "sum": {"field": {"fieldPath": "pop"}}},
                {"alias": "a", "avg": {"field": {"fieldPath": "pop"}}},
            ],
        }
    }
    [row] = emulator.firestore_call("runAggregationQuery", body).json()
    assert row["result"]["aggregateFields"] == {"n": integer(3), "s": integer(3), "a": {"doubleValue": 1}}


def test_batch_get_tells_found_and_missing(emulator):
    create(emulator, "cities/LA", {"pop": integer(39), "name": {"stringValue": "LA"}})
    body = {"documents": [name("cities/nope"), name("cities/LA")], "mask": {"fieldPaths": ["pop"]}}
    rows = emulator.firestore_call("batchGet", body).json()
    assert [row["missing"] for row in rows if "missing" in row] == [name("cities/nope")]
    assert [row["found"]["fields"] for row in rows if "found" in row] == [{"pop": integer(39)}]


@pytest.mark.parametrize(
    ("structured_query", "message"),
    [
        (
            {"where": {"fieldFilter": {"field": {"fieldPath": "a"}, "op": "IN", "value": integer(1)}}},
            "'IN' requires an ArrayValue.",
        ),
        (
            {"where": {"fieldFilter": {"field": {"fieldPath": "a"}, "op": "IN", "value": {"arrayValue": {}}}}},
            "'IN' requires an non-empty ArrayValue.",
        ),
        ({"limit": -1}, "limit is negative"),
        ({"offset": -1}, "offset is negative"),
        ({"startAt": {"values": [integer(1)] * 9}}, "Cursor has too many values."),
    ],
    ids=["no list", "empty list", "limit", "offset", "cursor"],
)
def test_senseless_queries_are_refused_in_the_known_words(emulator, structured_query, message):
    assert_refused(
        emulator.firestore_call("runQuery", query(**structured_query)), 400, "INVALID_ARGUMENT", message
    )


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("cities?documentId=__x__", 'Resource id "__x__" is invalid because it is reserved.'),
        ("__cities__?documentId=x", "is invalid because it is reserved."),
        ("cities?documentId=" + "x" * 1501, "The key path element name is longer than 1500 bytes."),
    ],
    ids=["reserved", "reserved collection", "long"],
)
def test_impossible_names_are_refused(emulator, path, message):
    assert_refused(
        requests.post(emulator.documents(path), json={}, timeout=10), 400, "INVALID_ARGUMENT", message
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"__a__": integer(1)}, "field name __a__ is reserved"),
        ({"a": {"arrayValue": {"values": [{"arrayValue": {}}]}}}, "Nested arrays are not allowed"),
        ({"s": {"stringValue": "x" * 1_048_488}}, 'The value of property "s" is longer than 1048487 bytes.'),
        ({f"s{n}": {"stringValue": "x" * 600_000} for n in range(2)}, "maximum entity size is 1048576 bytes"),
    ],
    ids=["reserved", "nested array", "long value", "large document"],
)
def test_impossible_documents_are_refused(emulator, fields, message):
    response = requests.patch(emulator.documents("cities/x"), json={"fields": fields}, timeout=20)
    assert_refused(response, 400, "INVALID_ARGUMENT", message)
    assert requests.get(emulator.documents("cities/x"), timeout=10).status_code == 404


@pytest.mark.parametrize(
    "body",
    [b"{", b"[]", b"{} {}", b'{"writes": 7}', b'{"unknown": 1}', b"\xff", b"{" * 100_000, b"[" * 100_000],
    ids=["cut off", "array", "two", "type", "unknown", "no UTF-8", "deep objects", "deep arrays"],
)
def test_malformed_json_is_refused(emulator, body):
    response = requests.post(emulator.documents(":commit"), data=body, timeout=20)
    assert_refused(response, 400, "INVALID_ARGUMENT", "")
    assert requests.get(f"http://{emulator.firestore}/", timeout=10).status_code == 200


def test_the_parameters_of_googles_front_end_are_taken(emulator):
    create(emulator, "cities/LA", {"pop": integer(39)})
    # As googleapis/gax-nodejs and gapic's Java clients send it with every call.
    found = requests.get(emulator.documents("cities/LA?$alt=json%3Benum-encoding%3Dint&$fields=fields"), timeout=10)
    assert (found.status_code, found.json()) == (200, {"fields": {"pop": integer(39)}})
    mask = {"X-Goog-FieldMask": "documents.name"}
    page = requests.get(emulator.documents("cities?prettyPrint=true"), headers=mask, timeout=10)
    assert page.text == '{\n  "documents": [\n    {\n      "name": "%s"\n    }\n  ]\n}' % name("cities/LA")
    script = requests.get(emulator.documents("cities/none?callback=f"), timeout=10)
    assert script.status_code == 404
    assert script.headers["Content-Type"] == "text/javascript; charset=UTF-8"
    assert script.text.startswith('// API callback\nf({"error":')


@pytest.mark.parametrize("path", ["/v1/projects/p/databases", "/v1/x", "/none", f"/v1/{DATABASE}/documents:nonsense"])
def test_unknown_paths_are_not_found(emulator, path):
    assert requests.post(f"http://{emulator.firestore}{path}", json={}, timeout=10).status_code == 404


LIMIT = 11 << 20


def test_a_body_of_more_than_eleven_mebibytes_is_refused(emulator):
    response = requests.post(emulator.documents(":commit"), data=b" " * (LIMIT + 1), timeout=30)
    assert_refused(response, 400, "INVALID_ARGUMENT", f"exceeds the limit: {LIMIT} bytes")


def test_a_chunked_body_of_more_than_eleven_mebibytes_is_refused(emulator):
    pieces = (b" " * (1 << 20) for _ in range(12))
    assert requests.post(emulator.documents(":commit"), data=pieces, timeout=30).status_code == 400


def test_a_declared_body_of_more_than_eleven_mebibytes_is_refused_before_it_comes(emulator):
    with RawConnection(emulator.firestore) as connection:
        connection.request("POST", f"/v1/{DOCUMENTS}:commit", [f"Content-Length: {LIMIT + 1}"])
        assert connection.response()[0] == 400


def test_pipelines_are_refused_as_by_the_standard_edition(emulator):
    response = emulator.firestore_call("executePipeline", {})
    assert_refused(response, 400, "FAILED_PRECONDITION", "only available for Firestore databases in Enterprise edition")


def test_a_transaction_reads_and_commits(emulator):
    create(emulator, "cities/SF", {})
    begun = emulator.firestore_call("beginTransaction", {}).json()
    read = emulator.firestore_call("batchGet", {"documents": [name("cities/SF")], **begun}).json()
    assert read[0]["found"]["name"] == name("cities/SF")
    write = {"update": {"name": name("cities/SF"), "fields": {"pop": integer(1)}}}
    assert emulator.firestore_call("commit", {"writes": [write], **begun}).status_code == 200
    again = emulator.firestore_call("commit", {"writes": [write], **begun})
    assert_refused(again, 409, "ABORTED", "The referenced transaction has expired or is no longer valid.")


def test_clearing_a_database_spares_the_others(emulator):
    create(emulator, "cities/SF", {})
    other = emulator.documents("cities/SF").replace("/demo/", "/demo2/")
    assert requests.patch(other, json={}, timeout=10).status_code == 200
    cleared = requests.delete(f"http://{emulator.firestore}/emulator/v1/{DOCUMENTS}", timeout=10)
    assert (cleared.status_code, cleared.json()) == (200, {})
    assert requests.get(emulator.documents("cities/SF"), timeout=10).status_code == 404
    assert requests.get(other, timeout=10).status_code == 200


def test_a_preflight_is_granted(emulator):
    headers = {"Origin": "http://localhost:5000", "Access-Control-Request-Headers": "x-goog-api-client"}
    response = requests.options(emulator.documents(":runQuery"), headers=headers, timeout=10)
    assert response.status_code == 200
    assert response.headers["Access-Control-Allow-Origin"] == "http://localhost:5000"
    assert response.headers["Access-Control-Allow-Headers"] == "x-goog-api-client"

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Events for Cloud Functions: to the Functions emulator, which a stand-in plays, and to URLs.

The cases follow firebase-tools 15.28.1, `scripts/triggers-end-to-end-tests/tests.ts`.
"""

import uuid

import pytest
import requests

from functions_stand_in import FunctionsStandIn
from harness import BUCKET, DATABASE, DOCUMENTS, run_emulator, wait_until
from tokens import bearing, unsigned_token

OWNER = {"Authorization": "Bearer owner"}
LEGACY = "providers/cloud.firestore/eventTypes/document."
EVENTARC = "google.cloud.firestore.document.v1."
OTHER_BUCKET = "test-bucket"


@pytest.fixture
def functions():
    with FunctionsStandIn() as stand_in:
        yield stand_in


@pytest.fixture
def served(serve, functions):
    return serve("--project", "demo", "--functions", functions.address)


# Calls as the Functions emulator and clients make them


def register(served, key, event, pattern, project="demo"):
    """Registers a trigger of generation 1."""
    resource = f"projects/{project}/databases/(default)/documents/{pattern}"
    trigger = {"eventType": LEGACY + event, "resource": resource, "service": "firestore.googleapis.com"}
    url = f"http://{served.firestore}/emulator/v1/projects/{project}/triggers/{key}"
    return requests.put(url, json={"eventTrigger": trigger}, timeout=20)


def register_eventarc(served, key, event, pattern, match="PATH_PATTERN", **changes):
    """Registers a trigger of generation 2."""
    trigger = {
        "eventType": EVENTARC + event,
        "database": "(default)",
        "namespace": "(default)",
        "document": {"value": pattern, "matchType": match},
        **changes,
    }
    url = f"http://{served.firestore}/emulator/v1/projects/demo/eventarcTrigger"
    return requests.post(url, params={"eventarcTriggerId": key}, json=trigger, timeout=20), trigger


def write(served, path, number=1):
    fields = {"fields": {"n": {"integerValue": str(number)}}}
    response = requests.patch(served.documents(path), json=fields, headers=OWNER, timeout=20)
    assert response.status_code == 200, response.text
    return response.json()


def delete(served, path):
    assert requests.delete(served.documents(path), headers=OWNER, timeout=20).status_code == 200


def create_user(served, **user):
    url = f"http://{served.auth}/identitytoolkit.googleapis.com/v1/projects/demo/accounts"
    response = requests.post(url, json=user, headers=OWNER, timeout=20)
    assert response.status_code == 200, response.text
    return response.json()["localId"]


def delete_user(served, uid):
    url = f"http://{served.auth}/identitytoolkit.googleapis.com/v1/projects/demo/accounts:delete"
    assert requests.post(url, json={"localId": uid}, headers=OWNER, timeout=20).status_code == 200


def object_call(served, method, bucket, **options):
    url = f"http://{served.storage}/storage/v1/b/{bucket}/o/file.txt"
    assert requests.request(method, url, headers=OWNER, timeout=20, **options).ok


def types(events):
    return sorted(event.json.get("eventType") or event.json["type"] for event in events)


# Cloud Firestore


def test_a_trigger_of_generation_1_gets_creations_updates_and_deletions(served, functions):
    answer = register(served, "us-central1-first-0", "write", "test/{id}")
    assert (answer.status_code, answer.json()) == (200, {})
    created = write(served, "test/start")
    updated = write(served, "test/start", 2)
    delete(served, "test/start")
    events = functions.settled(3)
    assert {event.path for event in events} == {"/functions/projects/demo/triggers/us-central1-first-0"}
    first, second, third = (event.json for event in events)
    assert first["data"] == {"value": created}
    assert second["data"] == {"value": updated, "oldValue": created, "updateMask": {"fieldPaths": ["n"]}}
    assert third["data"] == {"oldValue": updated}
    context = first["context"]
    assert context["timestamp"] == created["updateTime"]
    assert context["eventType"] == LEGACY + "write"
    assert context["resource"] == {"name": f"{DOCUMENTS}/test/start", "service": "firestore.googleapis.com"}
    assert len({event["context"]["eventId"] for event in (first, second, third)}) == 3


@pytest.mark.parametrize(("event", "count"), [("create", 1), ("update", 1), ("delete", 1), ("write", 3)])
def test_a_trigger_of_generation_1_runs_on_its_kind_of_change(served, functions, event, count):
    register(served, "us-central1-f-0", event, "test/{id}")
    write(served, "test/start")
    write(served, "test/start", 2)
    delete(served, "test/start")
    functions.settled(count)


def test_a_trigger_of_generation_2_gets_cloud_events(served, functions):
    answer, trigger = register_eventarc(served, "us-central1-second-0", "written", "test/{id}")
    assert (answer.status_code, answer.json()) == (200, trigger)
    document = write(served, "test/start")
    (event,) = functions.settled(1)
    assert event.path == "/functions/projects/demo/triggers/us-central1-second-0"
    headers = {name: value for name, value in event.headers.items() if name.startswith("ce-")}
    assert headers.pop("ce-id")
    assert headers.pop("ce-dataschema").endswith("/google/events/cloud/firestore/v1/data.proto")
    assert headers == {
        "ce-specversion": "1.0",
        "ce-type": EVENTARC + "written",
        "ce-source": f"//firestore.googleapis.com/{DATABASE}",
        "ce-subject": "documents/test/start",
        "ce-time": document["updateTime"],
        "ce-datacontenttype": "application/protobuf",
        "ce-location": "us-central1",
        "ce-project": "demo",
        "ce-database": "(default)",
        "ce-namespace": "(default)",
        "ce-document": "test/start",
    }
    assert event.headers["content-type"] == "application/protobuf"
    assert list(event.message) == [1]
    assert f"{DOCUMENTS}/test/start".encode() in event.message[1][0]


def test_an_update_has_both_documents_and_the_changed_fields(served, functions):
    write(served, "test/start")
    register_eventarc(served, "us-central1-f-0", "updated", "test/start", match="EXACT")
    write(served, "test/start", 2)
    (event,) = functions.settled(1)
    assert sorted(event.message) == [1, 2, 3]
    assert event.message[3] == [b"\x0a\x01n"]


def test_a_type_with_the_principal_names_its_kind(served, functions):
    register_eventarc(served, "us-central1-f-0", "written.withAuthContext", "test/{id}")
    write(served, "test/start")
    (event,) = functions.settled(1)
    assert event.headers["ce-type"] == EVENTARC + "written.withAuthContext"
    assert event.headers["ce-authtype"] == "service_account"
    assert "ce-authid" not in event.headers


@pytest.mark.parametrize(
    ("headers", "kind", "principal"),
    [({}, "unauthenticated", None), (bearing(unsigned_token(sub="ann", user_id="ann"), "Bearer"), "unknown", "ann")],
)
@pytest.mark.parametrize("verb", ["patch", "commit"])
def test_a_change_has_the_user_that_made_it(served, functions, headers, kind, principal, verb):
    register_eventarc(served, "us-central1-f-0", "written.withAuthContext", "test/{id}")
    if verb == "patch":
        answer = requests.patch(served.documents("test/start"), json={}, headers=headers, timeout=20)
    else:
        body = {"writes": [{"update": {"name": f"{DOCUMENTS}/test/start"}}]}
        url = f"http://{served.firestore}/v1/{DOCUMENTS}:commit"
        answer = requests.post(url, json=body, headers=headers, timeout=20)
    assert answer.status_code == 200, answer.text
    (event,) = functions.settled(1)
    assert (event.headers["ce-authtype"], event.headers.get("ce-authid")) == (kind, principal)


def test_documents_deleted_with_all_below_them_are_events(served, functions):
    register_eventarc(served, "us-central1-f-0", "deleted", "{all=**}")
    for path in ["test/start", "test/start/more/1", "other/1"]:
        write(served, path)
    url = f"http://{served.firestore}/emulator/v1/{DOCUMENTS}/test/start"
    assert requests.delete(url, headers=OWNER, timeout=20).status_code == 200
    assert {event.headers["ce-document"] for event in functions.settled(2)} == {"test/start", "test/start/more/1"}


def test_events_are_counted_by_function(served, functions):
    register_eventarc(served, "us-central1-f-0", "written", "test/{id}")
    functions.answer(200, 500, 200)
    write(served, "test/start")
    write(served, "test/start", 2)
    functions.settled(2)
    create_user(served, localId="ann")
    url = f"http://{served.console}/usage/functions"

    def counts():
        report = requests.get(url, timeout=20).json()
        return report["triggers"], [
            (each["name"], each["succeeded"], each["failed"], each["repeated"], each["dropped"])
            for each in report["functions"]
        ]

    created = "providers/firebase.auth/eventTypes/user.create"
    expected = (1, [(created, 1, 0, 0, 0), ("us-central1-f", 1, 1, 0, 0)])
    wait_until(lambda: counts() == expected, f"{expected}")


def test_no_events_are_counted_without_functions(emulator):
    answer = requests.get(f"http://{emulator.console}/usage/functions", timeout=20)
    assert answer.json() == {"triggers": 0, "functions": []}


@pytest.mark.parametrize(
    ("pattern", "count"), [("{all=**}", 3), ("test/{id}", 1), ("test/{id}/{rest=**}", 2), ("test/start/{sub}/{id}", 1)]
)
def test_patterns_choose_documents(served, functions, pattern, count):
    register_eventarc(served, "us-central1-f-0", "written", pattern)
    for path in ("test/start", "test/start/more/1", "other/1"):
        write(served, path)
    functions.settled(count)


def test_a_commit_makes_one_event_for_each_document(served, functions):
    register(served, "us-central1-f-0", "write", "test/{id}")
    writes = [{"update": {"name": f"{DOCUMENTS}/test/{number}", "fields": {}}} for number in range(20)]
    assert served.firestore_call("commit", {"writes": writes}).status_code == 200
    names = [event.json["context"]["resource"]["name"] for event in functions.settled(20)]
    assert sorted(names) == sorted(f"{DOCUMENTS}/test/{number}" for number in range(20))


def test_writes_without_effect_make_no_events(served, functions):
    write(served, "test/start")
    register(served, "us-central1-f-0", "write", "{all=**}")
    write(served, "test/start")
    delete(served, "test/missing")
    functions.settled(0)


def test_the_events_of_a_document_come_in_order(served, functions):
    register(served, "us-central1-f-0", "write", "test/{id}")
    for number in range(50):
        write(served, "test/start", number)
    numbers = [int(event.json["data"]["value"]["fields"]["n"]["integerValue"]) for event in functions.settled(50)]
    assert numbers == list(range(50))


def test_a_function_of_an_earlier_load_gets_no_more_events(served, functions):
    """Its trigger may be forgotten at once, or once functions have had ten seconds to be loaded."""
    register(served, "us-central1-f-0", "write", "test/{id}")
    functions.forget("us-central1-f-0")
    register(served, "us-central1-f-1", "write", "test/{id}")
    write(served, "test/start")
    paths = [event.path.rpartition("/")[2] for event in functions.settled(2)]
    assert sorted(paths) == ["us-central1-f-0", "us-central1-f-1"]


# Functions of `firebase emulators:start --only functions`, which registers none of them


def runs(functions, served, collection):
    """Whether a document's creation runs a function."""
    count = functions.count
    write(served, f"{collection}/{uuid.uuid4().hex}")
    try:
        functions.wait(count + 1, seconds=0.2)
    except AssertionError:
        return False
    return True


def test_functions_that_are_listed_get_events(served, functions):
    resource = "projects/demo/databases/(default)/documents/notes/{note}"
    functions.add("one", platform="gcfv1", eventTrigger={"eventType": LEGACY + "create", "resource": resource})
    wait_until(lambda: runs(functions, served, "notes"), "the functions to be read again")
    filters = {"database": "(default)", "namespace": "(default)"}
    trigger = {"eventType": EVENTARC + "written", "eventFilters": filters}
    trigger["eventFilterPathPatterns"] = {"document": "users/{user}"}
    functions.add("two", platform="gcfv2", eventTrigger=trigger)
    wait_until(lambda: runs(functions, served, "users"), "the functions to be read again")
    keys = {event.path.rpartition("/")[2] for event in functions.events}
    assert keys == {"us-central1-one-0", "us-central1-two-0"}
    functions.functions = []
    wait_until(lambda: not runs(functions, served, "users"), "the functions to be read again")


def test_functions_that_are_listed_decide_on_sign_ins(serve):
    with FunctionsStandIn() as functions:
        served = serve("--project", "demo", "--functions", functions.address)
        url = f"http://{served.auth}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k"

        def name():
            user = {"email": f"{uuid.uuid4().hex}@example.com", "password": "secret"}
            response = requests.post(url, json=user, timeout=20)
            assert response.status_code == 200, response.text
            return response.json().get("displayName")

        assert name() is None
        change = {"userRecord": {"updateMask": "displayName", "displayName": "Chosen"}}
        functions.decisions["/demo/us-central1/choose"] = change
        trigger = {"eventType": "providers/cloud.auth/eventTypes/user.beforeCreate", "options": {}}
        functions.add("choose", platform="gcfv2", blockingTrigger=trigger)
        wait_until(lambda: name() == "Chosen", "the functions to be read again")
        functions.functions = []
        wait_until(lambda: name() is None, "the functions to be read again")


@pytest.mark.parametrize(
    "body", ["", "[", "{}", '{"eventTrigger":{"eventType":"x","resource":"y"}}', " " * 100_000], ids=len
)
def test_a_registration_that_makes_no_sense_is_refused(served, body):
    url = f"http://{served.firestore}/emulator/v1/projects/demo/triggers/us-central1-f-0"
    answer = requests.put(url, data=body, headers={"Content-Type": "application/json"}, timeout=20)
    assert answer.status_code == 400
    assert answer.json()["error"]["status"] == "INVALID_ARGUMENT"


def test_a_trigger_cannot_be_deleted(served):
    register(served, "us-central1-f-0", "write", "test/{id}")
    url = f"http://{served.firestore}/emulator/v1/projects/demo/triggers/us-central1-f-0"
    assert requests.delete(url, timeout=20).status_code == 404


def test_a_functions_emulator_that_is_gone_fails_no_write(serve):
    with FunctionsStandIn() as functions:
        address = functions.address
    served = serve("--ephemeral", "--functions", address)
    register(served, "us-central1-f-0", "write", "test/{id}")
    for number in range(20):
        write(served, "test/start", number)


# Authentication


def test_a_user_is_created_and_deleted(served, functions):
    uid = f"uid{uuid.uuid4().hex}"
    create_user(served, localId=uid, email="user@example.com", displayName="A user")
    delete_user(served, uid)
    created, deleted = functions.settled(2)
    assert {event.path for event in (created, deleted)} == {"/functions/projects/demo/trigger_multicast"}
    assert created.json["eventType"] == "providers/firebase.auth/eventTypes/user.create"
    assert deleted.json["eventType"] == "providers/firebase.auth/eventTypes/user.delete"
    assert created.json["resource"] == {"name": "projects/demo", "service": "firebaseauth.googleapis.com"}
    data = created.json["data"]
    assert (data["uid"], data["email"], data["displayName"]) == (uid, "user@example.com", "A user")
    assert data["customClaims"] == {}
    assert data["metadata"]["creationTime"].endswith("Z")
    assert "passwordHash" not in data


def test_a_user_has_second_factors(served, functions):
    factors = [{"phoneInfo": "+15555550100"}]
    create_user(served, localId="ann", email="ann@example.com", emailVerified=True, mfaInfo=factors)
    create_user(served, localId="bob")
    ann, bob = (event.json["data"] for event in functions.settled(2))
    (factor,) = ann["mfaInfo"]
    assert (factor["phoneInfo"], factor["mfaEnrollmentId"] != "") == ("+15555550100", True)
    assert "mfaInfo" not in bob


def test_a_sign_up_makes_an_event_and_a_sign_in_none(served, functions):
    url = f"http://{served.auth}/identitytoolkit.googleapis.com/v1/accounts"
    user = {"email": "email@gmail.com", "password": "mypassword", "returnSecureToken": True}
    assert requests.post(f"{url}:signUp?key=k", json=user, timeout=20).ok
    assert requests.post(f"{url}:signInWithPassword?key=k", json=user, timeout=20).ok
    functions.settled(1)


# Cloud Storage


def storage_types(*actions):
    legacy = {"finalized": "finalize", "metadataUpdated": "metadataUpdate", "deleted": "delete"}
    return sorted(
        [f"google.storage.object.{legacy[action]}" for action in actions]
        + [f"google.cloud.storage.object.v1.{action}" for action in actions]
    )


@pytest.mark.parametrize("bucket", [BUCKET, OTHER_BUCKET])
def test_an_object_is_written(served, functions, bucket):
    served.put("file.txt", b"hello world!", bucket=bucket)
    events = functions.settled(2)
    assert types(events) == storage_types("finalized")
    legacy, cloud_event = events
    assert legacy.headers["content-type"].startswith("application/json")
    assert cloud_event.headers["content-type"] == "application/cloudevents+json; charset=UTF-8"
    for event in events:
        assert event.path.endswith("/trigger_multicast")
        assert (event.json["data"]["bucket"], event.json["data"]["name"]) == (bucket, "file.txt")
        assert event.json["data"]["size"] == "12"
    assert legacy.json["resource"]["name"] == f"projects/_/buckets/{bucket}/objects/file.txt"
    assert (cloud_event.json["bucket"], cloud_event.json["subject"]) == (bucket, "objects/file.txt")


@pytest.mark.parametrize("bucket", [BUCKET, OTHER_BUCKET])
def test_an_object_is_written_and_its_metadata_changed(served, functions, bucket):
    served.put("file.txt", b"hello metadata update!", bucket=bucket)
    object_call(served, "PATCH", bucket, json={"metadata": {"somekey": "someval"}})
    events = functions.settled(4)
    assert types(events) == storage_types("finalized", "metadataUpdated")
    assert events[-1].json["data"]["metadata"]["somekey"] == "someval"


@pytest.mark.parametrize("bucket", [BUCKET, OTHER_BUCKET])
def test_an_object_is_written_and_deleted(served, functions, bucket):
    served.put("file.txt", b"something new!", bucket=bucket)
    object_call(served, "DELETE", bucket)
    assert types(functions.settled(4)) == storage_types("finalized", "deleted")


# Disabled and enabled


def test_background_triggers_are_disabled_and_enabled(serve, functions):
    served = serve("--project", "demo", "--functions", functions.address, "--hub-port", "0")
    hub = f"http://{served.ready['hub']}/functions"
    register(served, "us-central1-f-0", "write", "test/{id}")
    answer = requests.put(f"{hub}/disableBackgroundTriggers", timeout=20)
    assert (answer.status_code, answer.json()) == (200, {"enabled": False})
    create_user(served, email="first@example.com")
    served.put("file.txt", b"hello")
    write(served, "test/start")
    functions.settled(0)
    answer = requests.put(f"{hub}/enableBackgroundTriggers", timeout=20)
    assert (answer.status_code, answer.json()) == (200, {"enabled": True})
    create_user(served, email="second@example.com")
    write(served, "test/start", 2)
    functions.settled(2)


# URLs


def test_a_url_gets_cloud_events_as_bytes(serve, functions):
    served = serve("--ephemeral", "--events", f"http://{functions.address}/hook")
    document = write(served, "test/start")
    (event,) = functions.settled(1)
    assert event.path == "/hook"
    assert event.headers["ce-type"] == EVENTARC + "created"
    assert event.headers["ce-time"] == document["updateTime"]
    assert event.headers["content-type"] == "application/protobuf"
    assert list(event.message) == [1]


def test_a_url_with_filters_gets_no_others(serve, functions):
    filters = f"type={EVENTARC}written&document=test/{{id}}"
    served = serve("--ephemeral", "--events", f"http://{functions.address}/hook#{filters}")
    write(served, "other/1")
    served.put("file.txt", b"hello")
    create_user(served, email="user@example.com")
    write(served, "test/start")
    (event,) = functions.settled(1)
    assert event.headers["ce-type"] == EVENTARC + "written"


def test_a_url_gets_objects_and_users(serve, functions):
    served = serve("--ephemeral", "--events", f"http://{functions.address}/hook")
    served.put("file.txt", b"hello")
    (stored,) = functions.settled(1)
    assert stored.headers["ce-type"] == "google.cloud.storage.object.v1.finalized"
    assert stored.headers["ce-source"] == f"//storage.googleapis.com/projects/_/buckets/{BUCKET}"
    assert stored.headers["ce-subject"] == "objects/file.txt"
    uid = create_user(served, email="user@example.com")
    user = functions.settled(2)[-1]
    assert user.headers["ce-type"] == "google.firebase.auth.user.v1.created"
    assert user.headers["ce-subject"] == f"users/{uid}"


def test_an_event_is_sent_to_a_url_again(serve, functions):
    served = serve("--ephemeral", "--events", f"http://{functions.address}/hook")
    functions.answer(503, 429)
    write(served, "test/start")
    events = functions.settled(3)
    assert len({event.headers["ce-id"] for event in events}) == 1


@pytest.mark.parametrize("url", ["https://example.com/", "localhost", "http://127.0.0.1:9/#type=unknown"])
def test_a_url_that_makes_no_sense_is_refused_at_the_start(url):
    ended = run_emulator("--ephemeral", "--events", url)
    assert ended.returncode != 0
    assert "event" in ended.stderr.lower()

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The Admin SDK, from PyPI and unchanged: what its own integration tests do with Firestore, sync and async."""

import asyncio
import datetime
import os

import firebase_admin
import pytest
from firebase_admin import firestore, firestore_async
from google.auth.credentials import AnonymousCredentials
from google.cloud.firestore_v1 import FieldFilter

from firestore_clients import firestore_address  # noqa: F401 (fixture)

OTHER_DATABASE = "testing-database"
CITY = {"name": "Mountain View", "country": "USA", "population": 77846, "capital": False}
MOVIE = {"title": "Interstellar", "director": "Christopher Nolan", "year": 2014, "tags": ["space", "time"]}


class EmulatorCredential(firebase_admin.credentials.Base):
    """The emulator asks for no identity."""

    def get_credential(self):
        return AnonymousCredentials()


@pytest.fixture
def app(firestore_address, monkeypatch):  # noqa: F811
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", firestore_address)
    app = firebase_admin.initialize_app(EmulatorCredential(), {"projectId": f"demo-admin-{os.urandom(6).hex()}"})
    yield app
    firebase_admin.delete_app(app)


def run(scenario, *databases):
    """Runs an async scenario with clients of these databases, which belong to one event loop."""

    async def main():
        clients = [firestore_async.client(database_id=database) for database in databases or [None]]
        await asyncio.wait_for(scenario(*clients), timeout=30)

    asyncio.run(main())


# One after the other


def test_a_document_is_added_read_updated_and_deleted(app):
    client = firestore.client()
    document = client.collection("cities").document()
    document.set(CITY)
    assert document.get().to_dict() == CITY
    document.update({"population": 80000})
    assert document.get().to_dict() == {**CITY, "population": 80000}
    document.delete()
    assert not document.get().exists


def test_an_added_document_gets_a_name(app):
    update_time, document = firestore.client().collection("cities").add(CITY)
    snapshot = document.get()
    assert (len(document.id), snapshot.to_dict(), snapshot.create_time) == (20, CITY, update_time)


def test_server_timestamps_are_those_of_the_write(app):
    document = firestore.client().collection("cities").document()
    written = document.set({**CITY, "timestamp": firestore.SERVER_TIMESTAMP})
    timestamp = document.get().to_dict()["timestamp"]
    assert isinstance(timestamp, datetime.datetime)
    assert abs(written.update_time - timestamp) < datetime.timedelta(seconds=1)


def test_collections_are_listed(app):
    client = firestore.client()
    client.document("cities/MV").set(CITY)
    client.document("movies/M1/cast/C1").set({"name": "Cooper"})
    assert sorted(collection.id for collection in client.collections()) == ["cities", "movies"]
    assert [collection.id for collection in client.document("movies/M1").collections()] == ["cast"]


def test_documents_are_queried(app):
    cities = firestore.client().collection("cities")
    for name, population in {"small": 10, "middle": 500, "large": 90000}.items():
        cities.document(name).set({**CITY, "population": population})
    query = cities.where(filter=FieldFilter("population", ">", 100)).order_by("population", direction="DESCENDING")
    assert [city.id for city in query.stream()] == ["large", "middle"]
    assert query.count().get()[0][0].value == 2


def test_a_transaction_reads_and_writes(app):
    client = firestore.client()
    document = client.document("cities/MV")
    document.set(CITY)

    @firestore.transactional
    def grow(transaction):
        population = document.get(transaction=transaction).get("population")
        transaction.update(document, {"population": population + 1})
        return population

    assert grow(client.transaction()) == 77846
    assert document.get().get("population") == 77847


def test_a_database_may_be_named(app):
    document = firestore.client(database_id=OTHER_DATABASE).collection("cities").document()
    document.set(CITY)
    assert document.get().to_dict() == CITY
    document.delete()
    assert not document.get().exists


def test_databases_do_not_see_each_other(app):
    default, other = firestore.client(), firestore.client(database_id=OTHER_DATABASE)
    default.document("cities/same").set(CITY)
    other.document("cities/same").set(MOVIE)
    other.document("movies/only").set(MOVIE)
    assert default.document("cities/same").get().to_dict() == CITY
    assert other.document("cities/same").get().to_dict() == MOVIE
    assert [collection.id for collection in default.collections()] == ["cities"]
    default.document("cities/same").delete()
    assert other.document("cities/same").get().exists


# Asynchronously


def test_async_a_document_is_added_read_updated_and_deleted(app):
    async def scenario(client):
        document = client.collection("cities").document()
        await document.set(CITY)
        assert (await document.get()).to_dict() == CITY
        await document.update({"population": 80000})
        assert (await document.get()).to_dict() == {**CITY, "population": 80000}
        await document.delete()
        assert not (await document.get()).exists

    run(scenario)


def test_async_server_timestamps_are_those_of_the_write(app):
    async def scenario(client):
        document = client.collection("cities").document()
        written = await document.set({**CITY, "timestamp": firestore_async.SERVER_TIMESTAMP})
        timestamp = (await document.get()).to_dict()["timestamp"]
        assert abs(written.update_time - timestamp) < datetime.timedelta(seconds=1)

    run(scenario)


def test_async_documents_are_queried(app):
    async def scenario(client):
        cities = client.collection("cities")
        await asyncio.gather(*(cities.document(f"c{n}").set({**CITY, "population": n}) for n in range(20)))
        query = cities.where(filter=FieldFilter("population", ">=", 18)).order_by("population")
        assert [city.id async for city in query.stream()] == ["c18", "c19"]

    run(scenario)


def test_async_transactions_contend_and_lose_nothing(app):
    async def scenario(client):
        document = client.document("cities/MV")
        await document.set(CITY)

        @firestore_async.async_transactional
        async def grow(transaction):
            snapshot = await document.get(transaction=transaction)
            transaction.update(document, {"population": snapshot.get("population") + 1})

        await asyncio.gather(*(grow(client.transaction(max_attempts=20)) for _ in range(3)))
        assert (await document.get()).get("population") == 77849

    run(scenario)


def test_async_a_database_may_be_named(app):
    async def scenario(client):
        document = client.collection("cities").document()
        await document.set(CITY)
        assert (await document.get()).to_dict() == CITY

    run(scenario, OTHER_DATABASE)


def test_async_databases_do_not_see_each_other(app):
    async def scenario(default, other):
        await asyncio.gather(default.document("cities/same").set(CITY), other.document("cities/same").set(MOVIE))
        assert (await default.document("cities/same").get()).to_dict() == CITY
        assert (await other.document("cities/same").get()).to_dict() == MOVIE

    run(scenario, None, OTHER_DATABASE)

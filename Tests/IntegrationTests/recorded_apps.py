# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Apps that know nothing of Firemeter, each with documents and names of its own, and what their users truly saw.

An app has data, `put` there by an administrator before anything is recorded, and a session, `played` with its client. What it
returns is the truth: ("list", names of the documents that were listed with their images) and ("open", the document's name).
"""

import json
import random
import subprocess
from urllib.parse import quote

import requests
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore, storage

from firestore_clients import client_of
from harness import BUCKET
from tokens import unsigned_token
from web_pages import run_page

PROJECT = "demo"
COUNT = 18
PAGE = 6


def image(name, size):
    """Bytes that no compression makes smaller, the same in every run."""
    return random.Random(name).randbytes(size)


def bytes_of(n, k):
    return 4_000 + 900 * n + 300 * k


class PythonApp:
    """Recipes on Google's Python clients: images are named by convention, after the cook and the document's id."""

    # The client's caches, in the words of strategies.
    caches = ""
    layout = "recipes: users/{cook}/recipes/{id}/photo_{n}.png"

    def put(self, emulator):
        database = client_of(emulator.firestore, PROJECT, own_connection=True)
        for n in range(COUNT):
            name, cook, count = f"dish{n:02}", ["ann", "bob"][n % 2], 1 + n % 4
            for k in range(count):
                path = f"users/{cook}/recipes/{name}/photo_{k}.png"
                emulator.put(path, image(path, bytes_of(n, k)), content_type="image/png")
            fields = {"cook": cook, "stars": (n * 7) % COUNT, "photos": count, "text": "Stir, then serve with a spoon."}
            database.collection("recipes").document(name).set(fields)
        database._firestore_api.transport.close()

    def play(self, emulator, loads_all):
        database = client_of(emulator.firestore, PROJECT, own_connection=True)
        options = {"api_endpoint": f"http://{emulator.storage}"}
        bucket = storage.Client(PROJECT, AnonymousCredentials(), client_options=options).bucket(BUCKET)
        truth, chance = [], random.Random(3)

        def load(document, numbers):
            for k in numbers:
                bucket.blob(f"users/{document.get('cook')}/recipes/{document.id}/photo_{k}.png").download_as_bytes()

        def show(query):
            page = list(query.limit(PAGE).stream())
            for document in page:
                load(document, range(document.get("photos")) if loads_all else [0])
            truth.append(("list", [document.reference.path for document in page]))
            return page

        for step in range(10):
            tab = database.collection("recipes").order_by("stars", direction=["ASCENDING", "DESCENDING"][step % 2])
            page = show(tab)
            if step in (4, 5):
                page = show(tab.start_after(page[-1]))
            opened = chance.choice([document for document in page if document.get("photos") > 1])
            truth.append(("open", opened.reference.path))
            if loads_all:
                opened.reference.get()
            else:
                load(opened, range(1, opened.get("photos")))
        database._firestore_api.transport.close()
        return {None: truth}


class CurlApp:
    """Albums in curl, for two users with tokens: addresses of images stand in nested documents, and need no token of theirs."""

    caches = ""
    layout = "albums/shots: {cover}"

    def put(self, emulator):
        for n in range(COUNT):
            names = [f"uploads/{random.Random(f'{n} {k}').getrandbits(64):x}.webp" for k in range(2 + n % 3)]
            tokens = [emulator.put(name, image(name, bytes_of(n, 0)))["downloadTokens"] for name in names]
            urls = [
                f"http://{self.host}/v0/b/{BUCKET}/o/{quote(name, safe='')}?alt=media&token={token}"
                for name, token in zip(names, tokens)
            ]
            fields = {
                "taken": {"integerValue": str(n * 5 % COUNT)},
                "cover": {"stringValue": urls[0]},
                "more": {"arrayValue": {"values": [{"stringValue": url} for url in urls[1:]]}},
            }
            response = requests.patch(
                f"http://{emulator.firestore}/v1/{self.root}/albums/summer/shots/s{n}",
                json={"fields": fields},
                headers={"Authorization": "Bearer owner"},
                timeout=30,
            )
            assert response.status_code == 200, response.text

    # Emulators are at the same ports as a rule; the tests' are not.
    host = "localhost:9199"
    root = f"projects/{PROJECT}/databases/(default)/documents"

    def play(self, emulator, loads_all):
        truth = {"uma": [], "vic": []}
        for user in [*["uma", "vic"] * 2, "uma"]:
            for order in ["DESCENDING", "ASCENDING"]:
                self.visit(emulator, user, order, loads_all, truth[user])
        return truth

    def visit(self, emulator, user, order, loads_all, truth):
        token = f"Authorization: Bearer {unsigned_token(sub=user, user_id=user)}"
        here = f"http://{emulator.firestore}/v1/{self.root}/albums/summer"
        query = {
            "from": [{"collectionId": "shots"}],
            "orderBy": [{"field": {"fieldPath": "taken"}, "direction": order}],
            "limit": PAGE,
        }
        body = json.dumps({"structuredQuery": query})
        page = [line["document"] for line in json.loads(curl("-H", token, "-d", body, f"{here}:runQuery"))]
        images = {document["name"]: urls(document) for document in page}
        there = ["--connect-to", f"{self.host}:{emulator.storage}"]
        for document in page:
            for url in images[document["name"]] if loads_all else images[document["name"]][:1]:
                curl(*there, url)
        truth.append(("list", [below_root(document) for document in page]))
        opened = page[len(truth) % PAGE]
        truth.append(("open", below_root(opened)))
        curl("-H", token, f"http://{emulator.firestore}/v1/{opened['name']}")
        if not loads_all:
            for url in images[opened["name"]][1:]:
                curl(*there, url)


def curl(*arguments):
    command = ["curl", "--silent", "--show-error", "--fail", *arguments]
    return subprocess.run(command, capture_output=True, check=True, timeout=30).stdout


def urls(document):
    fields = document["fields"]
    return [field["stringValue"] for field in [fields["cover"], *fields["more"]["arrayValue"]["values"]]]


def below_root(document):
    return document["name"].split("/documents/")[1]


class WebApp:
    """Places on the Firebase Web SDK in Chromium: paths of images stand in a list of the document."""

    # A browser keeps what it has loaded, and asks each time whether that is still true.
    caches = "+disk+revalidate"
    layout = "places: {views[]}"

    def put(self, emulator):
        database = client_of(emulator.firestore, PROJECT, own_connection=True)
        for n in range(COUNT):
            paths = [f"img/{random.Random(f'{n}-{k}').getrandbits(40):x}" for k in range(1 + n % 3)]
            for k, path in enumerate(paths):
                emulator.put(path, image(path, bytes_of(n, k)), content_type="image/jpeg")
            database.collection("places").document(f"place-{n}").set({"height": n * 11 % COUNT, "views": paths})
        database._firestore_api.transport.close()

    def play(self, emulator, loads_all):
        script = SCRIPT.replace("FIRESTORE", json.dumps(emulator.firestore)).replace("STORAGE", json.dumps(emulator.storage))
        script = script.replace("LOADS_ALL", json.dumps(loads_all)).replace("PAGE", str(PAGE))
        script = script.replace("BUCKET", json.dumps(BUCKET)).replace("PROJECT", json.dumps(PROJECT))
        return {None: [tuple(view) for view in run_page(script)]}


SCRIPT = """
import { initializeApp } from "/sdk/firebase-app.js";
import * as fire from "/sdk/firebase-firestore-lite.js";
import { connectStorageEmulator, getBytes, getStorage, ref } from "/sdk/firebase-storage.js";

const app = initializeApp({ projectId: PROJECT, storageBucket: BUCKET, apiKey: "none", appId: "1:1:web:1" });
const database = fire.getFirestore(app);
const storage = getStorage(app);
const [firestoreHost, firestorePort] = FIRESTORE.split(":");
const [storageHost, storagePort] = STORAGE.split(":");
fire.connectFirestoreEmulator(database, firestoreHost, Number(firestorePort));
connectStorageEmulator(storage, storageHost, Number(storagePort));
const truth = [];
for (let step = 0; step < 8; step++) {
  const order = fire.orderBy("height", step % 3 ? "desc" : "asc");
  const page = await fire.getDocs(fire.query(fire.collection(database, "places"), order, fire.limit(PAGE)));
  for (const place of page.docs) {
    const paths = place.data().views;
    for (const path of LOADS_ALL ? paths : paths.slice(0, 1)) await getBytes(ref(storage, path));
  }
  truth.push(["list", page.docs.map((place) => place.ref.path)]);
  const opened = page.docs.filter((place) => place.data().views.length > 1)[step % 3];
  truth.push(["open", opened.ref.path]);
  if (LOADS_ALL) await fire.getDoc(opened.ref);
  else for (const path of opened.data().views.slice(1)) await getBytes(ref(storage, path));
}
await fetch("/done", { method: "POST", body: JSON.stringify(truth) });
"""

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""A pytest plugin: tells the suites that the emulator is production, so that they skip nothing.

For production the suites want a service account's key, which is made here, and documents with vectors, which
upstream's tests/system/util/bootstrap_vector_index.py writes once.
"""

import json
import os
import sys
import tempfile

from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore
from google.cloud.firestore_v1.vector import Vector
from service_account import service_account_key

VECTORS = {"doc1": ([1.0, 2.0, 3.0], "red"), "doc2": ([2.0, 2.0, 3.0], "red"), "doc3": ([3.0, 4.0, 5.0], "yellow")}

key_file = tempfile.NamedTemporaryFile("w", prefix="service-account-", suffix=".json")


def pytest_configure():
    json.dump(service_account_key(os.environ["GCLOUD_PROJECT"], "http://127.0.0.1:1/token"), key_file)
    key_file.flush()
    os.environ["FIRESTORE_APPLICATION_CREDENTIALS"] = key_file.name

    sys.path.insert(0, os.path.abspath("tests/system"))
    import test__helpers

    test__helpers.FIRESTORE_EMULATOR = False


def pytest_sessionstart():
    client = firestore.Client(project=os.environ["GCLOUD_PROJECT"], credentials=AnonymousCredentials())
    for name, (embedding, color) in VECTORS.items():
        client.document("vector_search", name).set({"embedding": Vector(embedding), "color": color}, timeout=20)

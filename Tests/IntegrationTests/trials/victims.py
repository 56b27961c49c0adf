# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Large data for hostile clients to read."""

import json

from harness import BUCKET, DOCUMENTS

from .calls import Caller

BIG_COLLECTION = "big"
BIG_OBJECT = f"/v0/b/{BUCKET}/o/big?alt=media"
OBJECT_BYTE_COUNT = 64 << 20
DOCUMENT_COUNT, DOCUMENT_BYTE_COUNT = 1_000, 20_000


def fill(addresses):
    """Stores an object of 64 MiB, and documents of 20 MB."""
    with Caller(addresses["storage"]) as storage, Caller(addresses["firestore"]) as firestore:
        status, _, answer = storage.call("POST", f"/v0/b/{BUCKET}/o?name=big", bytes(OBJECT_BYTE_COUNT))
        assert status == 200, answer
        fields = {"text": {"stringValue": "x" * DOCUMENT_BYTE_COUNT}}
        for start in range(0, DOCUMENT_COUNT, 100):
            names = [f"{DOCUMENTS}/{BIG_COLLECTION}/{number}" for number in range(start, start + 100)]
            writes = [{"update": {"name": name, "fields": fields}} for name in names]
            status, answer = firestore.json("POST", f"/v1/{DOCUMENTS}:commit", {"writes": writes})
            assert status == 200, json.dumps(answer)

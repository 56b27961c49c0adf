# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Workers that write documents over REST and gRPC, in transactions too, and a listener."""

import grpc
from google.api_core.exceptions import Aborted, GoogleAPICallError
from google.cloud.firestore_v1 import types

from firestore_clients import ListenStream
from harness import DOCUMENTS

from .calls import Caller, Gone
from .contents import KINDS, fields_of
from .expectations import ABSENT

PARENT = f"/v1/{DOCUMENTS}"
COLLECTION = "trial"
DOCUMENTS_PER_WORKER = 12


def write(name, version):
    path = f"{DOCUMENTS}/{COLLECTION}/{name}"
    return {"update": {"name": path, "fields": fields_of(version)}} if version else {"delete": path}


def commit_pairs_over_rest(emulator, expectations, worker, chance):
    """Commits of two documents that have one version; others are made and deleted."""
    with Caller(emulator.firestore) as caller:
        while True:
            number = chance.randrange(DOCUMENTS_PER_WORKER)
            version, fleeting = expectations.version(), f"fleeting-{worker}-{number}"
            is_there = expectations.confirmed.get(fleeting, ABSENT) != ABSENT
            changes = {f"pair-{worker}-{number}-{half}": version for half in "ab"}
            changes[fleeting] = ABSENT if is_there else version
            body = {"writes": [write(name, version) for name, version in changes.items()]}
            expectations.change(
                changes, lambda body=body: is_ok(caller.json("POST", f"{PARENT}:commit", body)[0])
            )


def is_ok(status):
    assert status == 200, status
    return True


def proto_write(name, version):
    path = f"{DOCUMENTS}/{COLLECTION}/{name}"
    fields = {
        "version": types.Value(integer_value=version),
        "kind": types.Value(integer_value=version % KINDS),
        "text": types.Value(string_value="x" * (version % 7 * 1_000)),
    }
    return types.Write(update=types.Document(name=path, fields=fields))


def commit_pairs_over_grpc(client, expectations, worker, chance):
    while True:
        number, version = chance.randrange(DOCUMENTS_PER_WORKER), expectations.version()
        changes = {f"pair-{worker}-{number}-{half}": version for half in "ab"}
        writes = [proto_write(name, version) for name, version in changes.items()]
        expectations.change(changes, lambda writes=writes: commit(client, writes))


def commit(client, writes, transaction=b""):
    """Whether a commit was made; false where another transaction was first."""
    request = types.CommitRequest(database=client._database_string, writes=writes, transaction=transaction)
    try:
        call(client, "commit", request)
    except Aborted:
        return False
    return True


def call(client, method, request):
    """Calls the emulator once: Google's client would try again, elsewhere in time."""
    try:
        return getattr(client._firestore_api, method)(
            request=request, metadata=client._rpc_metadata, retry=None, timeout=20
        )
    except Aborted:
        raise
    except GoogleAPICallError as error:
        raise Gone from error


COUNTER = "counter"


def count_in_transactions(client, expectations, worker):
    """Transactions that add one to a counter which two workers share, and to a tally of their own."""
    database, tally = client._database_string, f"tally-{worker}"
    names = [f"{DOCUMENTS}/{COLLECTION}/{name}" for name in (COUNTER, tally)]
    while True:
        begun = call(client, "begin_transaction", types.BeginTransactionRequest(database=database)).transaction
        request = types.BatchGetDocumentsRequest(database=database, documents=names, transaction=begun)
        try:
            answers = list(call(client, "batch_get_documents", request))
        except Aborted:
            continue
        except GoogleAPICallError as error:
            raise Gone from error
        values = {
            answer.found.name.rpartition("/")[2]: answer.found.fields["version"].integer_value
            for answer in answers
            if answer.found.name
        }
        own = values.get(tally, 0) + 1
        writes = [proto_write(COUNTER, values.get(COUNTER, 0) + 1), proto_write(tally, own)]
        expectations.change({tally: own}, lambda writes=writes, begun=begun: commit(client, writes, begun))


def listen(client, expectations):
    """Notes every version of a document that a listener is sent."""
    stream = ListenStream(client)
    try:
        stream.add(client.collection(COLLECTION))
        for response in stream.responses:
            document = response.document_change.document
            name = document.name.rpartition("/")[2]
            if name.startswith(("pair-", "tally-")):
                expectations.see(name, document.fields["version"].integer_value)
    except grpc.RpcError as error:
        raise Gone from error
    finally:
        stream.close()

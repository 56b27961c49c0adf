# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Workers that make, overwrite and delete objects, by three APIs."""

import urllib.parse

from .calls import Caller
from .contents import content, quoted
from .expectations import ABSENT

BUCKET = "trial-bucket"
OBJECTS_PER_WORKER = 12


def upload_v0(caller, name, data):
    return caller.call("POST", f"/v0/b/{BUCKET}/o?name={quoted(name)}", data)[0] == 200


def upload_json(caller, name, data):
    target = f"/upload/storage/v1/b/{BUCKET}/o?uploadType=media&name={quoted(name)}"
    return caller.call("POST", target, data)[0] == 200


def upload_resumable(caller, name, data):
    target = f"/upload/storage/v1/b/{BUCKET}/o?uploadType=resumable&name={quoted(name)}"
    status, fields, _ = caller.call("POST", target)
    assert status == 200, status
    session = urllib.parse.urlsplit(fields["location"])
    return caller.call("PUT", f"{session.path}?{session.query}", data)[0] == 200


def upload_xml(caller, name, data):
    return caller.call("PUT", f"/{BUCKET}/{quoted(name)}", data)[0] == 200


# The uploads of each worker, and the target of its deletions.
STORAGE_WORKERS = {
    "v0": ([upload_v0], f"/v0/b/{BUCKET}/o/"),
    "json": ([upload_json, upload_resumable], f"/storage/v1/b/{BUCKET}/o/"),
    "xml": ([upload_xml], f"/{BUCKET}/"),
}


def write_objects(emulator, expectations, worker, chance):
    """Makes, overwrites and deletes objects."""
    uploads, deletion = STORAGE_WORKERS[worker]
    with Caller(emulator.storage) as caller:
        while True:
            name = f"{worker}/{chance.randrange(OBJECTS_PER_WORKER)}"
            if expectations.confirmed.get(name, ABSENT) and chance.random() < 0.25:
                target = deletion + quoted(name)
                expectations.change(
                    {name: ABSENT}, lambda target=target: expect(caller.call("DELETE", target)[0], 200, 204)
                )
                continue
            version, upload = expectations.version(), chance.choice(uploads)
            data = content(name, version)
            expectations.change({name: version}, lambda: expect(upload(caller, name, data), True))


def expect(value, *accepted):
    assert value in accepted, f"{value} is not among {accepted}"
    return True

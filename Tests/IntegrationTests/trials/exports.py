# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Exports as they are on the disk: whole, or not there."""

import base64
import hashlib
import json

MANIFEST = "firebase-export-metadata.json"


def broken_parts_of(folder):
    """Sentences on half-made parts of the exports in a folder."""
    found = []
    for export in folder.iterdir():
        if is_unfinished(export):
            continue
        storage = export / "storage_export"
        if not (export / MANIFEST).exists():
            found.append(f"the export {export.name} has no {MANIFEST}")
            continue
        manifest = json.loads((export / MANIFEST).read_text())
        if "storage" not in manifest or not (storage / "buckets.json").exists():
            found.append(f"the export {export.name} has no Storage data")
            continue
        json.loads((storage / "buckets.json").read_text())
        if not (export / manifest.get("firestore", {}).get("metadata_file", "none")).is_file():
            found.append(f"the export {export.name} has no documents")
        found += [f"the export {export.name}: {problem}" for problem in broken_objects_of(storage)]
    return found


def broken_objects_of(storage):
    """Sentences on objects whose bytes are not those in their metadata."""
    blobs = {path.name for path in (storage / "blobs").iterdir()}
    for path in sorted((storage / "metadata").iterdir()):
        name = path.name.removesuffix(".json")
        if name not in blobs:
            yield f"{name} has no bytes"
            continue
        blobs.remove(name)
        digest = hashlib.md5((storage / "blobs" / name).read_bytes()).digest()
        if json.loads(path.read_text())["md5Hash"] != base64.b64encode(digest).decode():
            yield f"{name} has other bytes than its metadata say"
    for name in sorted(blobs):
        yield f"{name} has no metadata"


def is_unfinished(path):
    """Whether a directory is what a dead process left of an export: it is beside those that are whole."""
    return path.name.startswith(".") and "firemeter-" in path.name


def leftovers_in(folder):
    """Names of unfinished exports; after one that succeeded there are none."""
    return sorted(path.name for path in folder.iterdir() if is_unfinished(path))

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Contents of objects and documents, which follow from their versions."""

import base64
import hashlib
import random
import urllib.parse

SIZES = [0, 100, 5_000, 5_000, 60_000, 60_000, 400_000, 1_500_000]
KINDS = 5


def content(name, version):
    """The bytes of an object's version."""
    generator = random.Random(f"{name} {version}")
    return f"{version:08} ".encode() + generator.randbytes(generator.choice(SIZES))


def fields_of(version):
    """A document's fields: of each, the others follow."""
    return {
        "version": {"integerValue": str(version)},
        "kind": {"integerValue": str(version % KINDS)},
        "text": {"stringValue": "x" * (version % 7 * 1_000)},
    }


def quoted(name):
    return urllib.parse.quote(name, safe="")


class DigestMemory:
    """The MD5 of objects' versions in Base64; of each name, that of the version asked for last is remembered."""

    def __init__(self):
        self._known = {}

    def md5(self, name, version):
        known = self._known.get(name)
        if known is None or known[0] != version:
            digest = hashlib.md5(content(name, version)).digest()
            known = self._known[name] = version, base64.b64encode(digest).decode()
        return known[1]

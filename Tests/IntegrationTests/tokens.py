# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Identity tokens as Firebase Authentication's emulator makes them, which nobody has signed."""

import base64
import json


def unsigned_token(**claims):
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return f"{part({'alg': 'none', 'typ': 'JWT'})}.{part(claims)}."


def bearing(token, scheme="Firebase"):
    return {"Authorization": f"{scheme} {token}"}

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""A pytest plugin: turns the Admin SDK's integration tests to the emulator at FIREBASE_AUTH_EMULATOR_HOST.

The SDK reads that variable itself, but not for the management of tenants. The tests also send requests of their own to
production, as an app would. All these addresses are replaced, and the keys that the tests want are made.
"""

import json
import os
import pathlib
import tempfile
import threading

from access_tokens import token_server
from firebase_admin import tenant_mgt
from service_account import service_account_key

PRODUCTION = "https://"
# Any key will do: the emulator takes requests without a project as those of its own.
API_KEY = "fake-api-key"


def pytest_configure(config):
    service = tenant_mgt._TenantManagementService
    service.TENANT_MGT_URL = emulated(service.TENANT_MGT_URL)
    tokens, token_uri = token_server(prefix="ya29.")
    threading.Thread(target=tokens.serve_forever, daemon=True).start()
    folder = tempfile.TemporaryDirectory(prefix="admin-sdk-")
    config.add_cleanup(folder.cleanup)
    key = service_account_key(os.environ["GCLOUD_PROJECT"], token_uri)
    config.option.cert = written(folder.name, "certificate.json", json.dumps(key))
    config.option.apikey = written(folder.name, "api-key.txt", API_KEY)


def written(folder, name, text):
    path = pathlib.Path(folder, name)
    path.write_text(text, encoding="utf-8")
    return str(path)


def pytest_collection_modifyitems(items):
    for module in {item.module for item in items}:
        for name, value in list(vars(module).items()):
            if isinstance(value, str) and value.startswith(PRODUCTION):
                setattr(module, name, emulated(value))


def emulated(address):
    """The emulator has production's hosts as the first part of its paths."""
    return f"http://{os.environ['FIREBASE_AUTH_EMULATOR_HOST']}/{address.removeprefix(PRODUCTION)}"

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The Firebase Web SDK's Firestore, unchanged, in a page in Chromium."""

import json
from urllib.parse import urlencode

import pytest

from nginx_proxy import NGINX, proxied
from trials.cut_pages import cut_pages
from web_pages import HERE, WEB_SDK, run_page

pytestmark = pytest.mark.skipif(not WEB_SDK.exists(), reason="needs the Web SDK's browser builds")

SUITES = ["values", "documents", "queries", "listeners", "transactions", "offline", "tabs", "rules"]
TRANSPORTS = {
    "detected": {},
    "long-polling": {"experimentalForceLongPolling": True},
    "streaming": {"experimentalAutoDetectLongPolling": False},
}


def run_suite(address, suites, transport={}, browser="chromium", seconds=240):
    """Runs cases of the suites; returns what came of each."""
    imports = "".join(f'import "/web/{suite}.js";' for suite in suites)
    query = urlencode({"firestore": address, "project": "demo-web", "transport": json.dumps(transport)})
    return run_page(f'{imports} import {{ run }} from "/web/suite.js"; run();', f"?{query}", browser, seconds)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("transport, suites", [("detected", SUITES), ("long-polling", ["listeners"])])
def test_the_cases_of_the_sdk(emulator, transport, suites):
    results = run_suite(emulator.firestore, suites, TRANSPORTS[transport])
    failed = {result["name"]: result["error"] for result in results if result["error"]}
    assert not failed, "\n\n".join(f"{name}: {error}" for name, error in failed.items())
    assert len(results) >= (220 if suites == SUITES else 20)


@pytest.mark.timeout(300)
@pytest.mark.skipif(NGINX is None, reason="needs nginx")
@pytest.mark.parametrize(
    "kind, transport",
    [
        ("unbuffered", "detected"),
        ("buffered", "detected"),
        # The SDK finds out such a proxy, unless the first answers are more than that holds back: `docs/emulator.md`.
        ("holding-back", "long-polling"),
    ],
)
def test_listeners_behind_a_proxy(emulator, kind, transport):
    with proxied(emulator.firestore, kind) as address:
        results = run_suite(address, ["listeners"], TRANSPORTS[transport])
    failed = {result["name"]: result["error"] for result in results if result["error"]}
    assert not failed, "\n\n".join(f"{name}: {error}" for name, error in failed.items())


def test_every_suite_of_cases_is_run():
    assert {path.stem for path in (HERE / "web").glob("*.js")} == {"suite", *SUITES}


@pytest.mark.timeout(300)
def test_nothing_is_lost_where_connections_are_cut(emulator):
    problems, cuts, _ = cut_pages(emulator.firestore, seconds=6, mean_seconds=0.7)
    assert problems == [] and cuts > 5

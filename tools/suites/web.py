# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The cases of the Firebase Web SDK (Tests/IntegrationTests/web) in a browser, against ours or the official emulator, or both: prints
what each refuses, and the counts."""

import argparse
import contextlib
import sys

import servers

sys.path.insert(0, str(servers.ROOT / "Tests/IntegrationTests"))
from nginx_proxy import NGINX, PROXIES, proxied
from test_web_sdk import SUITES, TRANSPORTS, run_suite
from web_pages import BROWSERS

OURS, OFFICIAL = "ours", "official"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", default=SUITES, help="the suites; all by default")
    parser.add_argument("--server", choices=[OURS, OFFICIAL], action="append", help="both by default")
    parser.add_argument("--browser", choices=BROWSERS, default="chromium")
    parser.add_argument("--transport", choices=TRANSPORTS, default="detected")
    parser.add_argument("--proxy", choices=PROXIES, help="behind nginx (Debian: nginx-light), which does so with answers")
    parser.add_argument("--verbose", action="store_true", help="also why a case failed")
    arguments = parser.parse_args()
    if arguments.proxy and NGINX is None:
        parser.error("nginx is not installed")
    failed = {}
    for server in arguments.server or [OFFICIAL, OURS]:
        serving = servers.official() if server == OFFICIAL else servers.firemeter("firestore")
        count, milliseconds = 0, 0
        with serving as server_address, contextlib.ExitStack() as stack:
            address = server_address
            if arguments.proxy:
                address = stack.enter_context(proxied(server_address, arguments.proxy))
            for suite in arguments.suites:
                results = run_suite(address, [suite], TRANSPORTS[arguments.transport], arguments.browser, seconds=900)
                count += len(results)
                milliseconds += sum(result["milliseconds"] for result in results)
                for result in results:
                    if result["error"]:
                        failed.setdefault(server, []).append(result["name"])
                        print(f"  {server}: {suite}: {result['name']}", flush=True)
                        if arguments.verbose:
                            print("      " + result["error"].replace("\n", "\n      "))
        way = ", ".join(filter(None, [arguments.transport, arguments.proxy]))
        passed = count - len(failed.get(server, []))
        print(f"{server}: {passed} of {count} cases pass in {milliseconds / 1_000:.1f} s ({arguments.browser}, {way})")
    sys.exit(OURS in failed)


with contextlib.suppress(KeyboardInterrupt):
    main()

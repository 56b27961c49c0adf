# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The integration tests of the Firebase Web SDK's Firestore (packages/firestore/test/integration/api), as Google writes them, with the
SDK's own browser build in a page: against the official emulator and ours. They are bundled by esbuild, and need no npm (Debian: esbuild
chai node-chai-as-promised chromium).

    git clone --depth 1 --branch firebase@12.3.0 https://github.com/firebase/firebase-js-sdk
    tools/suites/web-sdk firebase-js-sdk
"""

import argparse
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import servers
from verdicts import Reasons

sys.path.insert(0, str(servers.ROOT / "Tests/IntegrationTests"))
from web_pages import BROWSERS, run_page

OURS, OFFICIAL = "ours", "official"
RUNNER = pathlib.Path(__file__).with_name("web-sdk-runner") / "runner.js"

# In place of `util/firebase_export.ts`, as Google's own run of these tests with a build has it (integration/firestore).
EXPORTS = """
import { initializeApp } from "/sdk/firebase-app.js";
import { initializeFirestore } from "/sdk/firebase-firestore.js";
let count = 0;
export const newTestApp = (projectId, name = `test-app-${count++}`) => initializeApp({ apiKey: "fake-api-key", projectId }, name);
export const newTestFirestore = (app, settings, database) => initializeFirestore(app, settings ?? {}, database);
export * from "/sdk/firebase-firestore.js";
"""


def bundle(source, folder, names):
    """One module with the tests and what they import, but for the SDK."""
    shutil.copytree(source / "packages/firestore/test", folder / "packages/firestore/test")
    shutil.copytree(source / "packages/util", folder / "packages/util")
    (folder / "config").mkdir()
    (folder / "config/project.json").write_text('{"projectId": "test-emulator"}')
    tests = folder / "packages/firestore/test/integration"
    (tests / "util/firebase_export.ts").write_text(EXPORTS)
    files = sorted(path for path in (tests / "api").glob("*.test.ts") if not names or path.name.removesuffix(".test.ts") in names)
    # A test that Google left marked as the only one to run.
    for path in files:
        path.write_text(path.read_text().replace("it.only(", "it("))
    entry = folder / "entry.js"
    imports = [RUNNER, *files]
    words = ['import { use } from "chai"; import promises from "chai-as-promised"; use(promises);']
    words += [f'import "{path}";' for path in imports] + [f'import {{ runAll }} from "{RUNNER}"; runAll();']
    entry.write_text("\n".join(words))
    command = ["esbuild", entry, "--bundle", "--format=esm", "--external:/sdk/*", "--alias:@firebase/app=/sdk/firebase-app.js"]
    command += [f"--alias:@firebase/util={folder}/packages/util/index.ts", "--define:global=globalThis", "--log-level=error"]
    environment = os.environ | {"NODE_PATH": "/usr/share/nodejs"}
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder).stdout


def process(port):
    """What the tests read of their environment."""
    values = f'{{ FIRESTORE_EMULATOR_PORT: "{port}", INCLUDE_FIRESTORE_PERSISTENCE: "true" }}'
    return f"globalThis.process = {{ env: {values} }};"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path, help="a checkout of firebase/firebase-js-sdk, of the version of the browser builds")
    parser.add_argument("tests", nargs="*", help="names such as query; all by default")
    parser.add_argument("--server", choices=[OURS, OFFICIAL], action="append", help="both by default")
    parser.add_argument("--browser", choices=BROWSERS, default="chromium")
    parser.add_argument("--verbose", action="store_true", help="also why a test failed")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="firemeter-web-sdk-") as folder:
        script = bundle(arguments.source, pathlib.Path(folder), arguments.tests)
    known = Reasons.known_failures("web-sdk")
    unexpected = set()
    for server in arguments.server or [OFFICIAL, OURS]:
        serving = servers.official() if server == OFFICIAL else servers.firemeter("firestore")
        with serving as address:
            page = f"</script><script>{process(address.rsplit(':', 1)[1])}</script><script type=module>{script}"
            results = run_page(page, browser=arguments.browser, seconds=1_800)
        failed = [result for result in results if result["error"]]
        if server == OURS:
            unexpected = {result["name"] for result in results if bool(result["error"]) != (result["name"] in known)}
        for result in failed:
            print(f"  {server}: {result['name']}{': known to fail: ' + known[result['name']] if result['name'] in known else ''}")
            if arguments.verbose:
                print("      " + result["error"].replace("\n", "\n      "))
        skipped = sum(result["isSkipped"] for result in results)
        print(f"{server}: {len(results) - skipped - len(failed)} of {len(results) - skipped} pass, {skipped} skip themselves", flush=True)
    for name in sorted(unexpected):
        print(f"  WRONG: {name}: not as the list of known failures has it")
    sys.exit(bool(unexpected))


with contextlib.suppress(KeyboardInterrupt):
    main()

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""A package of an app's own that depends on FeedClient: what it fetches, and whether the README's example compiles there."""

import os
import re
import subprocess

import pytest

from harness import ROOT

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "App",
    platforms: [.macOS(.v14), .iOS(.v17)],
    dependencies: [.package(name: "firemeter", path: "{root}", traits: [])],
    targets: [.executableTarget(name: "App", dependencies: [.product(name: "FeedClient", package: "firemeter")])]
)
"""


def example(path):
    """The first example of a page that uses FeedClient."""
    text = (ROOT / path).read_text()
    block = re.search(r"\n((?:    .*\n)*    let endpoint = FeedEndpoint.*\n(?:    .*\n)*)", text)
    return re.sub(r"^    ", "", block[1], flags=re.MULTILINE)


@pytest.mark.timeout(600)
def test_an_app_fetches_what_feed_client_needs_and_the_example_compiles(tmp_path):
    code = example("README.md")
    assert len(code.splitlines()) == 6 and code == example("Sources/FeedClient/README.md")
    (tmp_path / "Package.swift").write_text(MANIFEST.format(root=ROOT))
    (tmp_path / "Sources/App").mkdir(parents=True)
    (tmp_path / "Sources/App/App.swift").write_text(
        f"import FeedClient\nimport Foundation\n\nfunc showThumbnails() async throws {{\n{code}}}\n\n"
        "@main struct App { static func main() async { print((try? await showThumbnails()) == nil) } }\n"
    )
    options = os.environ.get("FIREMETER_BUILD_OPTIONS", "").split()
    subprocess.run(["swift", "build", *options, "--quiet", "--disable-index-store"], cwd=tmp_path, check=True, timeout=590)
    fetched = [path.name for path in (tmp_path / ".build/checkouts").iterdir()]
    # The README says so.
    assert fetched == ["OpenCombine"]

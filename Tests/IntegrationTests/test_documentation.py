# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The documentation's site is made, without a link that leads nowhere."""

import json
import pathlib
import subprocess

import pytest

TOOL = pathlib.Path(__file__).parents[2] / "tools" / "docs"


def make(site):
    return subprocess.run([TOOL, site], capture_output=True, text=True)


@pytest.mark.timeout(300)
def test_the_site_has_every_module_and_article(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    for name in [".made-by-tools-docs", "former.html"]:
        (site / name).touch()
    made = make(site)
    assert made.returncode == 0, made.stderr
    assert not (site / "former.html").exists()
    pages = site / "data" / "documentation"
    for page in ["feedclient", "feedclient/thumbnailsandcaches", "feedclient/imagepipeline", "feedpublishers", "imaging"]:
        assert json.loads((pages / (page + ".json")).read_text())["metadata"]["title"], page
    assert (site / "index.html").exists()


def test_a_directory_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "metadata.json").write_text("{}")
    made = make(tmp_path)
    assert made.returncode == 73 and "name another directory" in made.stderr
    assert (tmp_path / "metadata.json").exists()

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Lists are as production's were when they were recorded; see recordings.py. Each test names its recording."""

import pytest
from cloud import folder
from harness import BUCKET
from recordings import GCS_LIST, PAGE_TOKEN, V0_READ, v0_error

NAMES = ["a.txt", "b.txt", "dir/c.txt", "dir/d.txt", "dir2/e.txt", "zz.txt"]
DIRECTORIES = ["dir/", "dir2/"]


@pytest.fixture(scope="module")
def root(cloud):
    """A folder with the recorded names."""
    root = folder("list/")
    for name in NAMES:
        cloud.gcs_upload(root + name)
    return root


def pages(cloud, url, root, sizes, prefix="", **query):
    """Asks for the page after page of these sizes, `None` for the largest; the answers."""
    answers, token = [], None
    for size in sizes:
        wishes = {"maxResults": size, "pageToken": token, **query}
        wishes = {key: value for key, value in wishes.items() if value is not None}
        answers.append(cloud.call("GET", url, prefix=root + prefix, **wishes))
        token = answers[-1][2].get("nextPageToken")
    return answers


# The v0 API: firebase--list.json


def v0_page(root, names, directories, token=None):
    page = {
        "items": [{"bucket": BUCKET, "name": root + name} for name in names],
        "prefixes": [root + directory for directory in directories],
    }
    return (200, V0_READ, page if token is None else {**page, "nextPageToken": token})


@pytest.mark.parametrize(
    ("query", "names", "directories"),
    [
        ({}, NAMES, []),
        ({"delimiter": "/"}, ["a.txt", "b.txt", "zz.txt"], DIRECTORIES),
        ({"prefix": "dir/", "delimiter": "/"}, ["dir/c.txt", "dir/d.txt"], []),
        ({"prefix": "none/"}, [], []),
    ],
    ids=["all", "root", "directory", "nothing"],
)
def test_v0_lists_names_and_prefixes_even_when_there_are_none(cloud, root, query, names, directories):
    assert pages(cloud, cloud.v0_objects, root, [None], **query) == [v0_page(root, names, directories)]


def test_v0_counts_names_and_prefixes_in_one_order(cloud, root):
    assert pages(cloud, cloud.v0_objects, root, [2, 2, 2], delimiter="/") == [
        v0_page(root, ["a.txt", "b.txt"], [], PAGE_TOKEN),
        v0_page(root, [], DIRECTORIES, PAGE_TOKEN),
        v0_page(root, ["zz.txt"], []),
    ]


def test_v0_refuses_a_page_of_nothing(cloud, root):
    refused = (400, V0_READ, v0_error(400, "Expect maxResults to be a positive number."))
    assert pages(cloud, cloud.v0_objects, root, [0]) == [refused]


# The JSON API: gcs--list.json


def gcs_page(cloud, root, names, directories, token=None):
    members = {
        "kind": "storage#objects",
        "items": [cloud.gcs_object(root + name) for name in names],
        "prefixes": [root + directory for directory in directories],
        "nextPageToken": token,
    }
    return (200, GCS_LIST, {key: value for key, value in members.items() if value})


@pytest.mark.parametrize(
    ("query", "names", "directories"),
    [
        ({"delimiter": "/"}, ["a.txt", "b.txt", "zz.txt"], DIRECTORIES),
        ({"prefix": "dir/", "delimiter": "/"}, ["dir/c.txt", "dir/d.txt"], []),
        ({"prefix": "none/"}, [], []),
        ({"maxResults": 0}, [], []),
        ({"startOffset": "b.txt", "endOffset": "zz.txt"}, NAMES[1:5], []),
        ({"matchGlob": "dir/*"}, ["dir/c.txt", "dir/d.txt"], []),
    ],
    ids=["root", "directory", "nothing", "no results", "offsets", "glob"],
)
def test_json_leaves_out_what_there_is_none_of(cloud, root, query, names, directories):
    rooted = {key: root + text for key, text in query.items() if key in ("startOffset", "endOffset", "matchGlob")}
    listed = pages(cloud, cloud.objects, root, [None], **{**query, **rooted})
    assert listed == [gcs_page(cloud, root, names, directories)]


def test_json_counts_names_and_prefixes_in_one_order(cloud, root):
    assert pages(cloud, cloud.objects, root, [3, 3], delimiter="/") == [
        gcs_page(cloud, root, ["a.txt", "b.txt"], ["dir/"], PAGE_TOKEN),
        gcs_page(cloud, root, ["zz.txt"], ["dir2/"]),
    ]

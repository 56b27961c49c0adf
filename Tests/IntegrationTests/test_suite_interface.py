# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Firebase's own user interface, served from where firebase-tools has put it on the disk."""

import http.client

import pytest
import requests

PAGE = "<!doctype html><title>Emulators</title>"
SCRIPT = "console.log(1)"
FOR_PAGES = {"Accept": "text/html,application/xhtml+xml"}


@pytest.fixture
def shown(project, tmp_path):
    """An emulator that has two versions of the interface on its disk, the newer of which counts."""
    for version, page in [("ui-v1.9.0", "old"), ("ui-v1.15.0", PAGE)]:
        client = tmp_path / "emulators" / version / "client"
        (client / "static").mkdir(parents=True)
        (client / "index.html").write_text(page)
        (client / "static" / "app.js").write_text(SCRIPT)
    (tmp_path / "secret").write_text("secret")
    (client / "link").symlink_to(tmp_path / "secret")
    return project.start(environment={"FIREBASE_EMULATORS_PATH": str(tmp_path / "emulators")})


def raw(suite, path):
    """The answer to a path that clients would not send so."""
    connection = http.client.HTTPConnection(suite.console, timeout=20)
    connection.putrequest("GET", path)
    connection.putheader("Accept", "text/html")
    connection.endheaders()
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_the_newest_version_is_shown(shown):
    page = requests.get(f"http://{shown.console}/", headers=FOR_PAGES, timeout=20)
    assert (page.text, page.headers["Content-Type"]) == (PAGE, "text/html; charset=utf-8")
    script = requests.get(f"http://{shown.console}/static/app.js", timeout=20)
    assert (script.text, script.headers["Content-Type"]) == (SCRIPT, "text/javascript; charset=utf-8")


def test_paths_of_the_page_itself_are_answered_with_it(shown):
    assert requests.get(f"http://{shown.console}/firestore/data/posts", headers=FOR_PAGES, timeout=20).text == PAGE


def test_programs_still_get_data(shown):
    assert "auth" in requests.get(f"http://{shown.console}/", timeout=20).json()
    assert "requests" in requests.get(f"http://{shown.console}/usage", timeout=20).json()


@pytest.mark.parametrize(
    "path", ["/../../../secret", "/static/../../../../secret", "/%2e%2e/%2e%2e/%2e%2e/secret", "/link", "//secret"]
)
def test_no_other_file_is_served(shown, path):
    status, text = raw(shown, path)
    assert "secret" not in text and (status != 200 or text == PAGE)


def test_pages_of_other_sites_get_nothing(shown):
    foreign = {"Host": "pages.example", "Accept": "text/html"}
    assert requests.get(f"http://{shown.console}/", headers=foreign, timeout=20).status_code == 403


def test_nothing_is_shown_where_there_is_no_interface(project):
    suite = project.start()
    assert "auth" in requests.get(f"http://{suite.console}/", headers=FOR_PAGES, timeout=20).json()
    assert requests.get(f"http://{suite.console}/firestore", headers=FOR_PAGES, timeout=20).status_code == 404

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Firebase's own user interface, served from where firebase-tools has put it on the disk."""

import http.client

import pytest
import requests

from suite import BUCKET, PROJECT
from web_socket import WebSocket

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
    assert "Firemeter" in requests.get(f"http://{shown.console}/", headers=FOR_PAGES, timeout=20).text
    address = requests.get(f"http://{shown.console}/console/state", timeout=20).json()["firebaseInterface"]
    page = requests.get(f"http://{shown.console}{address}", headers=FOR_PAGES, timeout=20)
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
    assert "firebaseInterface" not in requests.get(f"http://{suite.console}/console/state", timeout=20).json()
    assert "Firemeter" in requests.get(f"http://{suite.console}/?ui=firebase", headers=FOR_PAGES, timeout=20).text
    assert requests.get(f"http://{suite.console}/firestore", headers=FOR_PAGES, timeout=20).status_code == 404


# The calls of its pages (firebase-tools-ui 1.15.0), made from a page of the console's origin


@pytest.fixture
def page(project):
    """An emulator, and a session that calls it as a page of its console does."""
    closed = "match /{path=**} { allow read, write: if false; }"
    project.write("firestore.rules", "service cloud.firestore { match /databases/{d}/documents { " + closed + " } }")
    project.configure(firestore={"rules": "firestore.rules"}, emulators={name: {} for name in SERVICES})
    suite = project.start()
    with requests.Session() as session:
        session.headers.update({"Authorization": "Bearer owner", "Origin": f"http://{suite.console}"})
        yield suite, session


SERVICES = ["auth", "firestore", "storage", "ui"]


def answer(response):
    """The JSON of an answer that the page's browser lets it see."""
    assert response.status_code == 200, response.text
    assert response.headers["Access-Control-Allow-Origin"] in ["*", response.request.headers["Origin"]]
    return response.json() if response.text else None


def test_its_page_of_documents(page):
    suite, session = page
    root = f"http://{suite.firestore}/v1/projects/{PROJECT}/databases/(default)/documents"
    for path in ["posts/a", "posts/b/comments/c"]:
        answer(session.patch(f"{root}/{path}", json={"fields": {"n": {"integerValue": "1"}}}, timeout=20))
    assert answer(session.post(f"{root}:listCollectionIds", json={}, timeout=20))["collectionIds"] == ["posts"]
    below = answer(session.post(f"{root}/posts/b:listCollectionIds", json={}, timeout=20))
    assert below["collectionIds"] == ["comments"]
    listing = {"mask.fieldPaths": "_none_", "pageSize": 300, "showMissing": "true"}
    documents = answer(session.get(f"{root}/posts", params=listing, timeout=20))["documents"]
    assert [(d["name"].rsplit("/", 1)[1], "createTime" in d) for d in documents] == [("a", True), ("b", False)]
    emulator = f"http://{suite.firestore}/emulator/v1/projects/{PROJECT}/databases/(default)/documents"
    answer(session.delete(f"{emulator}/posts/b", timeout=20))
    documents = answer(session.get(f"{root}/posts", params=listing, timeout=20))["documents"]
    assert [d["name"].rsplit("/", 1)[1] for d in documents] == ["a"]
    answer(session.delete(emulator, timeout=20))
    assert answer(session.post(f"{root}:listCollectionIds", json={}, timeout=20)).get("collectionIds", []) == []


def test_its_page_of_users(page):
    suite, session = page
    base = f"http://{suite.auth}/identitytoolkit.googleapis.com/v1/projects/{PROJECT}"
    assert answer(session.post(f"{base}/accounts:query", json={}, timeout=20))["userInfo"] == []
    created = answer(session.post(f"{base}/accounts", json={"email": "a@example.com", "password": "secret"}, timeout=20))
    uid = created["localId"]
    answer(session.post(f"{base}/accounts:update", json={"localId": uid, "disableUser": True}, timeout=20))
    found = answer(session.post(f"{base}/accounts:query", json={}, timeout=20))["userInfo"]
    assert [(user["localId"], user["disabled"]) for user in found] == [(uid, True)]
    assert found[0]["passwordHash"].endswith("password=secret")
    tenants = f"http://{suite.auth}/identitytoolkit.googleapis.com/v2/projects/{PROJECT}/tenants"
    assert answer(session.get(tenants, timeout=20))["tenants"] == []
    config = f"http://{suite.auth}/emulator/v1/projects/{PROJECT}/config"
    assert answer(session.get(config, timeout=20))["signIn"] == {"allowDuplicateEmails": False}
    changed = answer(session.patch(config, json={"signIn": {"allowDuplicateEmails": True}}, timeout=20))
    assert changed["signIn"] == {"allowDuplicateEmails": True}
    answer(session.post(f"{base}/accounts:delete", json={"localId": uid}, timeout=20))
    answer(session.delete(f"http://{suite.auth}/emulator/v1/projects/{PROJECT}/accounts", timeout=20))
    assert answer(session.post(f"{base}/accounts:query", json={}, timeout=20))["userInfo"] == []


def test_its_page_of_files(page):
    suite, session = page
    buckets = answer(session.get(f"http://{suite.storage}/b", timeout=20))["items"]
    assert [bucket["name"] for bucket in buckets] == [BUCKET]
    # A folder is an object whose name ends with a slash, in two parts with a fixed boundary.
    body = (
        '--boundary\r\nContent-Type: application/json\r\n\r\n{"contentType":"text/plain"}\r\n'
        "--boundary\r\nContent-Type: text/plain\r\n\r\n\r\n--boundary--"
    )
    folder = session.post(
        f"http://{suite.storage}/upload/storage/v1/b/{BUCKET}/o",
        params={"name": "dir/"},
        data=body,
        headers={"Content-Type": "multipart/related; boundary=boundary"},
        timeout=20,
    )
    assert answer(folder)["name"] == "dir/"
    objects = f"http://{suite.storage}/v0/b/{BUCKET}/o"
    upload = session.post(objects, params={"name": "dir/a"}, data=b"x", headers={"Content-Type": "text/plain"}, timeout=20)
    token = answer(upload)["downloadTokens"]
    assert [b["name"] for b in answer(session.get(f"http://{suite.storage}/b", timeout=20))["items"]] == [BUCKET]
    listed = answer(session.get(objects, params={"prefix": "", "delimiter": "/"}, timeout=20))
    assert listed["prefixes"] == ["dir/"]
    more = answer(session.post(f"{objects}/dir%2Fa", params={"create_token": "true"}, timeout=20))["downloadTokens"]
    assert set(more.split(",")) > {token}
    fewer = answer(session.post(f"{objects}/dir%2Fa", params={"delete_token": token}, timeout=20))["downloadTokens"]
    assert token not in fewer
    assert session.delete(f"{objects}/dir%2Fa", timeout=20).status_code in [200, 204]


def test_its_pages_of_requests_and_logs(page):
    suite, session = page
    configuration = answer_of_own(session.get(f"http://{suite.console}/api/config", timeout=20))
    assert {"auth", "firestore", "storage", "ui", "hub", "logging"} <= set(configuration)
    firestore, logging = configuration["firestore"], configuration["logging"]
    origin = [f"Origin: http://{suite.console}"]
    feeds = [
        (f"{firestore['webSocketHost']}:{firestore['webSocketPort']}", "/requests"),
        (f"{logging['host']}:{logging['port']}", "/"),
    ]
    for address, path in feeds:
        with WebSocket(address, path, headers=origin) as feed:
            assert feed.status == 101 and feed.accepts


def answer_of_own(response):
    """The JSON of an answer of the page's own origin."""
    assert response.status_code == 200, response.text
    return response.json()

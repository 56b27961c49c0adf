# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The console's page and the calls that it is made of: who may make them, and that their figures are the meter's."""

import json
import random
import threading
import time

import pytest
import requests

from harness import BUCKET, DATABASE, DOCUMENTS, wait_until
from tokens import bearing, unsigned_token

PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489")


def call(emulator, method, path, token=None, headers={}, **options):
    if token:
        headers = {**headers, "X-Firemeter-Token": token}
    return requests.request(method, f"http://{emulator.console}{path}", headers=headers, timeout=60, **options)


def state(emulator):
    return call(emulator, "GET", "/console/state").json()


def rows(emulator):
    """All requests on record."""
    found, number = [], 0
    while True:
        page = call(emulator, "GET", f"/console/requests?after={number}").json()
        found += page["requests"]
        if page["next"] == number:
            return found
        number = page["next"]


def test_a_browser_gets_the_page_and_a_program_the_addresses(emulator):
    page = call(emulator, "GET", "/", headers={"Accept": "text/html,*/*"})
    assert page.headers["Content-Type"].startswith("text/html")
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "'unsafe-inline'" not in policy and "frame-ancestors 'none'" in policy
    assert "firestore" in call(emulator, "GET", "/").json()
    script = call(emulator, "GET", "/console/app.js")
    assert script.headers["Content-Type"].startswith("text/javascript")
    assert script.headers["Content-Encoding"] == "gzip" and "import" in script.text
    assert call(emulator, "GET", "/console/none.js").status_code == 404


def test_groups_are_listed_by_what_they_cost(serve):
    emulator = serve("--ephemeral", "--profile", "firestore-nam5")
    for name, count in [("few", 1), ("many", 4)]:
        for number in range(count):
            emulator.firestore_call("commit", {"writes": [{"update": {"name": f"{DOCUMENTS}/{name}/{number}", "fields": {}}}]})
    groups = emulator.usage(by="collection", order="usd")
    assert list(groups)[:2] == ["many", "few"] and groups["many"]["usd"] == pytest.approx(4 * groups["few"]["usd"]) != 0
    # As the rows of the same requests.
    assert sum(row.get("usd", 0) for row in rows(emulator)) == pytest.approx(sum(group["usd"] for group in groups.values()))


def test_indexes_are_listed_missing_and_defined(serve, tmp_path):
    file = tmp_path / "firestore.indexes.json"
    defined = {"collectionGroup": "posts", "queryScope": "COLLECTION", "fields": [
        {"fieldPath": "tag", "order": "ASCENDING"}, {"fieldPath": "likes", "order": "DESCENDING"}]}
    override = {"collectionGroup": "posts", "fieldPath": "*", "indexes": [{"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}]}
    file.write_text(json.dumps({"indexes": [defined], "fieldOverrides": [override]}))
    emulator = serve("--ephemeral", "--indexes", str(file))
    order = [{"field": {"fieldPath": name}, "direction": "ASCENDING"} for name in ["tag", "created"]]
    emulator.firestore_call("runQuery", {"structuredQuery": {"from": [{"collectionId": "posts"}], "orderBy": order}})
    lists = call(emulator, "GET", "/console/indexes").json()
    assert [index["queries"] for index in lists["missing"]] == [1]
    assert lists["defined"] == [
        {"database": "*", "list": name, "entry": entry} for name, entry in [("indexes", defined), ("fieldOverrides", override)]]


def test_the_whole_page_has_at_most_150_kilobytes(emulator):
    seen, waiting, byte_count = set(), ["app.js", "console.css"], 0
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        answer = call(emulator, "GET", f"/console/{name}", stream=True)
        assert answer.status_code == 200, name
        byte_count += len(answer.raw.read(decode_content=False))
        text = call(emulator, "GET", f"/console/{name}").text
        waiting += [part.split('"')[0] for part in text.split('"./')[1:]]
    assert len(seen) > 10
    assert byte_count <= 150_000


def test_what_changes_something_needs_the_token(emulator):
    path = f"/console/firestore/v1/{DOCUMENTS}/posts?documentId=p1"
    body = {"fields": {"likes": {"integerValue": "1"}}}
    owner = {"Authorization": "Bearer owner"}
    refused = call(emulator, "POST", path, json=body, headers=owner)
    assert refused.status_code == 403 and "X-Firemeter-Token" in refused.json()["error"]["message"]
    assert call(emulator, "POST", path, "0" * 32, json=body, headers=owner).status_code == 403
    assert call(emulator, "POST", path, state(emulator)["token"], json=body, headers=owner).status_code == 200
    assert call(emulator, "POST", "/console/recording/start").status_code == 403
    foreign = {"Origin": "http://evil.example"}
    assert call(emulator, "GET", "/console/state", headers=foreign).status_code == 403
    assert call(emulator, "GET", "/", headers={**foreign, "Accept": "text/html"}).status_code == 403


def test_the_console_looks_at_data_without_being_metered(emulator):
    emulator.put("a.png", PNG, content_type="image/png")
    before = emulator.usage()
    owner, token = {"Authorization": "Bearer owner"}, state(emulator)["token"]
    media = call(emulator, "GET", f"/console/storage/v0/b/{BUCKET}/o/a.png?alt=media", headers=owner)
    assert media.content == PNG
    body = {"structuredQuery": {"from": [{"collectionId": "posts"}]}}
    query = f"/console/firestore/v1/{DOCUMENTS}:runQuery"
    assert call(emulator, "POST", query, token, json=body, headers=owner).status_code == 200
    users = "/console/auth/identitytoolkit.googleapis.com/v1/projects/demo-firemeter/accounts:query"
    assert call(emulator, "POST", users, token, json={}, headers=owner).status_code == 200
    assert emulator.usage() == before
    assert len(rows(emulator)) == 1


def test_no_file_is_shown_as_a_page_of_the_console(emulator):
    emulator.put("evil.html", b"<script>alert(1)</script>", content_type="text/html")
    answer = call(
        emulator, "GET", f"/console/storage/v0/b/{BUCKET}/o/evil.html?alt=media", headers={"Authorization": "Bearer owner"}
    )
    assert answer.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert answer.headers["Content-Disposition"] == "attachment"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    for use in ["script", "document", "iframe", "worker"]:
        headers = {"Authorization": "Bearer owner", "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": use}
        path = f"/console/storage/v0/b/{BUCKET}/o/evil.html?alt=media"
        assert call(emulator, "GET", path, headers=headers).status_code == 403
    # Pages that apply codes stay at the port of Authentication.
    assert call(emulator, "GET", "/console/auth/emulator/action?mode=verifyEmail").status_code == 404


def test_a_quota_that_is_used_up_does_not_hide_the_data(serve, tmp_path):
    charge = {"item": "storage.egressBytes", "free": {"amount": "5 KB", "per": "day"}, "prices": [], "asOf": "2026-11-28"}
    profile = {"schema": "firemeter.profile/1", "name": "tiny", "title": "A tiny plan", "asOf": "2026-11-28"}
    profile |= {"resetZone": "America/Los_Angeles", "overQuota": "refused"}
    profile |= {"charges": [{**charge, "certainty": "unverified", "source": "a test"}]}
    (tmp_path / "profile.json").write_text(json.dumps(profile))
    emulator = serve("--profile", tmp_path / "profile.json", "--enforce-quota")
    emulator.put("big", b"x" * 6_000)
    assert [emulator.get("big").status_code for _ in range(2)] == [200, 402]
    owner = {"Authorization": "Bearer owner"}
    assert call(emulator, "GET", f"/console/storage/v0/b/{BUCKET}/o/big?alt=media", headers=owner).status_code == 200


def test_requests_have_what_they_were_about(serve, tmp_path):
    rules = tmp_path / "firestore.rules"
    rules.write_text(
        "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{d}/documents {\n"
        "    match /posts/{id} {\n      allow read: if true;\n    }\n  }\n}\n"
    )
    emulator = serve("--rules", rules)
    requests.get(emulator.documents("posts/p1"), headers=bearing(unsigned_token(user_id="ann")), timeout=10)
    requests.get(emulator.documents("secrets/p1"), headers={"X-Firemeter-Tag": "profile"}, timeout=10)
    read, refused = rows(emulator)
    assert read["operation"] == "firestore.getDocument"
    assert read["user"] == "ann" and read["rule"] == "line 5" and read["billed"] == {"documentReads": 1}
    assert read["target"] == f"/v1/{DOCUMENTS}/posts/p1" and read["method"] == "GET" and read["status"] == 404
    assert refused["status"] == 403 and refused["tag"] == "profile" and "rule" in refused


def test_figures_of_the_list_are_the_meters_at_100_moments(emulator):
    """The sums of the rows, and of server-sent events, equal /usage whenever they are compared under load."""
    emulator.put("ann/p1/0", b"x" * 3_000)
    stop = threading.Event()

    def load(seed):
        chance, session = random.Random(seed), requests.Session()
        while not stop.is_set():
            if chance.random() < 0.7:
                session.get(emulator.object_url("ann/p1/0"), params={"alt": "media"}, timeout=10)
            else:
                session.get(emulator.documents("posts/p1"), timeout=10)

    threads = [threading.Thread(target=load, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    try:
        sums, number = {"requests": 0, "sent": 0, "received": 0}, 0

        def add(page):
            assert page["dropped"] == 0
            for row in page["requests"]:
                for name in sums:
                    sums[name] += row[name]
            return page["next"]

        for _ in range(100):
            before = emulator.usage()
            while True:
                page = call(emulator, "GET", f"/console/requests?after={number}").json()
                last, number = number, add(page)
                if sums["requests"] >= before["requests"] or last == number:
                    break
            after = emulator.usage()
            assert before["requests"] <= sums["requests"] <= after["requests"]
            assert before["bytes"]["sent"] <= sums["sent"] <= after["bytes"]["sent"]
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    number = add(call(emulator, "GET", f"/console/requests?after={number}").json())
    usage = emulator.usage()
    assert sums == {"requests": usage["requests"], "sent": usage["bytes"]["sent"], "received": usage["bytes"]["received"]}


def test_requests_come_as_events(emulator):
    emulator.put("a", b"x")
    with requests.get(f"http://{emulator.console}/console/requests/events", stream=True, timeout=20) as answer:
        lines = answer.iter_lines(chunk_size=1)
        assert next(lines) == b"event: requests"
        first = json.loads(next(lines).removeprefix(b"data: "))
        assert [row["object"] for row in first["requests"]] == ["a"] and first["next"] == 1
        assert next(lines) == b""
        emulator.get("a")
        assert next(lines) == b"event: requests"
        second = json.loads(next(lines).removeprefix(b"data: "))
        assert [row["operation"] for row in second["requests"]] == ["storage.objects.get"]


def test_what_is_downloaded_again_is_named(emulator):
    emulator.put("u12/p041/0", b"x" * 520_000)
    for _ in range(5):
        emulator.get("u12/p041/0", headers=bearing(unsigned_token(user_id="u3")))
    waste = call(emulator, "GET", "/console/waste").json()
    assert waste["again"] == {"downloads": 4, "bytes": 4 * 520_000}
    [pair] = waste["objects"]
    assert (pair["user"], pair["object"], pair["downloads"], pair["bytes"]) == ("u3", "u12/p041/0", 5, 5 * 520_000)
    mark = call(emulator, "POST", "/usage/marks").json()["mark"]
    emulator.get("u12/p041/0", headers=bearing(unsigned_token(user_id="u3")))
    since = call(emulator, "GET", f"/console/waste?since={mark}").json()
    assert (since["downloads"], since["again"]) == (1, {"downloads": 1, "bytes": 520_000})
    assert call(emulator, "GET", "/console/waste?since=m0-0").status_code == 410


def test_a_session_is_recorded_and_audited_while_it_is_served(emulator):
    assert call(emulator, "GET", "/console/recording").json() == {"recording": None}
    assert call(emulator, "GET", "/console/what-if").status_code == 409
    for post in range(6):
        fields = {"owner": {"stringValue": "bob"}, "likes": {"integerValue": str(post)}}
        requests.patch(emulator.documents(f"posts/p{post}"), json={"fields": fields}, timeout=10)
        emulator.put(f"bob/p{post}/0", bytes([post]) * 20_000, content_type="image/png")
    # Answers that were remembered before describe their objects all the same.
    emulator.get("bob/p0/0")
    token = state(emulator)["token"]
    assert call(emulator, "POST", "/console/recording/start", token).json()["recording"]["requests"] == 0
    user = bearing(unsigned_token(user_id="ann"))
    query = {"structuredQuery": {"from": [{"collectionId": "posts"}], "limit": 6}}
    for _ in range(3):
        posts = requests.post(emulator.documents(":runQuery"), json=query, headers=user, timeout=10).json()
        for post in posts:
            name = post["document"]["name"].rsplit("/", 1)[1]
            assert emulator.get(f"bob/{name}/0", headers=user).status_code == 200
    recording = call(emulator, "GET", "/console/recording").json()["recording"]
    assert recording["requests"] == 21 and "until" not in recording
    log = call(emulator, "GET", "/console/session.log")
    assert log.headers["Content-Disposition"] == 'attachment; filename="session.log"'
    assert log.text.count('"type":"object"') == 6
    report = call(emulator, "GET", "/console/what-if?strategy=thumbnails%2Bmemory")
    assert report.status_code == 200, report.text
    recorded, cached = report.json()["strategies"]
    assert recorded["name"] == "recorded" and recorded["bytes"]["body"] >= 18 * 20_000
    assert cached["bytes"]["body"] < recorded["bytes"]["body"] / 2
    page = call(emulator, "GET", "/console/report?strategy=thumbnails")
    assert page.headers["Content-Type"].startswith("text/html") and "sandbox" in page.headers["Content-Security-Policy"]
    assert call(emulator, "GET", "/console/what-if?strategy=none").status_code == 422
    assert "until" in call(emulator, "POST", "/console/recording/stop", token).json()["recording"]
    assert call(emulator, "POST", "/console/recording/restart", token).json()["recording"]["requests"] == 0


def test_rules_are_shown_and_tried_over_the_data_that_there_are(serve, tmp_path):
    rules = tmp_path / "firestore.rules"
    rules.write_text(
        "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{d}/documents {\n"
        "    match /posts/{id} {\n      allow read: if resource.data.owner == request.auth.uid;\n    }\n  }\n}\n"
    )
    emulator = serve("--rules", rules)
    token = state(emulator)["token"]
    fields = {"fields": {"owner": {"stringValue": "ann"}}}
    requests.patch(emulator.documents("posts/p1"), json=fields, headers={"Authorization": "Bearer owner"}, timeout=10)
    assert "resource.data.owner" in call(emulator, "GET", "/console/rules").json()["rules"][0]["files"][0]["content"]

    def trial(**question):
        return call(emulator, "POST", "/console/rules/trial", token, json={"project": DATABASE.split("/")[1], **question})

    own = trial(method="get", path="posts/p1", claims={"sub": "ann", "user_id": "ann"}).json()
    assert own["allowed"] and own["rules"][0]["line"] == 5 and own["rules"][0]["result"] == "holds"
    other = trial(method="get", path="posts/p1", claims={"sub": "bob", "user_id": "bob"}).json()
    assert not other["allowed"] and "L5" in other["refusal"]
    assert trial(method="get", path="posts/p1", rules="nonsense").status_code == 422
    assert trial(method="fly", path="posts/p1").status_code == 422
    # A trial is counted nowhere, and requests are kept once they were asked for.
    assert call(emulator, "GET", "/usage/rules").json()["rules"][0]["evaluations"] == 0
    assert call(emulator, "GET", "/console/rules/requests").json() == []
    requests.get(emulator.documents("posts/p1"), headers=bearing(unsigned_token(user_id="ann")), timeout=10)
    assert call(emulator, "GET", "/console/rules/requests").json()


def test_a_log_that_the_user_named_is_the_session(serve, tmp_path):
    emulator = serve("--record", tmp_path / "app.log")
    emulator.put("a", b"x")
    recording = call(emulator, "GET", "/console/recording").json()["recording"]
    assert recording["file"] == str(tmp_path / "app.log")
    token = state(emulator)["token"]
    assert call(emulator, "POST", "/console/recording/stop", token).status_code == 409
    wait_until(lambda: '"request"' in call(emulator, "GET", "/console/session.log").text, "the upload in the log")


@pytest.mark.parametrize("query", ["after=-1", "after=x", "limit=5000"])
def test_parameters_that_are_none_are_refused(emulator, query):
    assert call(emulator, "GET", f"/console/requests?{query}").status_code == 400


def test_nothing_is_listed_where_nothing_is_metered(serve):
    emulator = serve("--no-meter")
    assert state(emulator)["isMetered"] is False
    assert call(emulator, "GET", "/console/requests").status_code == 409


def test_a_forecast_says_when_a_free_amount_is_used_up(emulator):
    emulator.put("a", b"x" * 1_000_000)

    def runs_out():
        for _ in range(5):
            emulator.get("a")
        items = call(emulator, "GET", "/quota").json()["items"]
        return next(item for item in items if item["item"] == "storage.egressBytes").get("runsOutAt")

    assert wait_until(runs_out, "a forecast") > time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def test_a_snapshot_brings_back_all_data(serve, tmp_path):
    emulator = serve("--data", tmp_path / "data", "--project", DATABASE.split("/")[1])
    token = state(emulator)["token"]
    document, owner = emulator.documents("posts/p1"), {"Authorization": "Bearer owner"}
    requests.patch(document, json={"fields": {"n": {"integerValue": "1"}}}, timeout=10)
    emulator.put("a", b"before")
    saved = call(emulator, "POST", "/console/snapshots/before", token)
    assert saved.status_code == 200 and "1 document, 1 bucket, 1 object" in saved.json()["data"]
    requests.patch(document, json={"fields": {"n": {"integerValue": "2"}}}, timeout=10)
    requests.patch(emulator.documents("posts/p2"), json={"fields": {}}, timeout=10)
    emulator.put("a", b"after")
    emulator.put("b", b"after")
    assert call(emulator, "GET", "/console/databases").json() == {"databases": ["demo/(default)"]}
    assert call(emulator, "POST", "/console/snapshots/before/restore", token).status_code == 200
    assert requests.get(document, headers=owner, timeout=10).json()["fields"]["n"] == {"integerValue": "1"}
    assert requests.get(emulator.documents("posts/p2"), headers=owner, timeout=10).status_code == 404
    assert emulator.get("a").content == b"before" and emulator.get("b").status_code == 404
    [snapshot] = call(emulator, "GET", "/console/snapshots").json()["snapshots"]
    assert snapshot["name"] == "before" and snapshot["bytes"] > 0
    assert call(emulator, "DELETE", "/console/snapshots/before", token).status_code == 200
    assert call(emulator, "GET", "/console/snapshots").json() == {"snapshots": []}
    missing = call(emulator, "POST", "/console/snapshots/before/restore", token)
    assert missing.status_code == 409 and "no snapshot" in missing.json()["error"]["message"]
    # Nothing is lost by a refusal.
    assert emulator.get("a").content == b"before"


@pytest.mark.parametrize("name", ["..", ".hidden", "a%2Fb", "a b", "x" * 65, ""])
def test_names_that_are_no_directories_are_refused(emulator, name):
    assert call(emulator, "POST", f"/console/snapshots/{name}", state(emulator)["token"]).status_code in [400, 404]


def test_exports_go_where_calls_may_write(serve, tmp_path):
    emulator = serve("--export-below", tmp_path)
    emulator.put("a", b"x")
    token = state(emulator)["token"]
    written = call(emulator, "POST", "/console/export", token, json={"path": str(tmp_path / "export")})
    assert written.status_code == 200 and (tmp_path / "export/firebase-export-metadata.json").exists()
    assert call(emulator, "POST", "/console/export", token, json={"path": "/tmp/elsewhere"}).status_code == 409
    emulator.put("a", b"y")
    assert call(emulator, "POST", "/console/import", token, json={"path": str(tmp_path / "export")}).status_code == 200
    assert emulator.get("a").content == b"x"

# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

import json
import subprocess

import pytest
import requests

from harness import BUCKET
from raw_http import RawConnection

OWNER = {"Authorization": "Bearer owner"}
DATA = bytes(range(250)) * 4


def curl(*arguments):
    """Runs curl: the answer's status and body."""
    ended = subprocess.run(
        ["curl", "--silent", "--show-error", "--max-time", "20", "--write-out", "\n%{http_code}", *arguments],
        capture_output=True,
        timeout=30,
    )
    assert ended.returncode == 0, ended.stderr.decode()
    body, status = ended.stdout.rsplit(b"\n", 1)
    return int(status), body


def assert_refused(response, code):
    assert response.status_code == code
    assert response.headers["Content-Type"].startswith("application/json")
    error = response.json()["error"]
    assert error["code"] == code and error["message"]


# Uploads


def test_media_upload_describes_the_object(emulator):
    metadata = emulator.put("docs/a.txt", b"hello world", "text/plain")
    expected = {
        "name": "docs/a.txt",
        "bucket": BUCKET,
        "contentType": "text/plain",
        "size": "11",
        "metageneration": "1",
        "md5Hash": "XrY7u+Ae7tCTyyK7j1rNww==",
        "crc32c": "yZRlqg==",
        "contentEncoding": "identity",
        "contentDisposition": "inline; filename*=utf-8''a.txt",
        "storageClass": "STANDARD",
    }
    assert {key: metadata[key] for key in expected} == expected
    assert metadata["generation"].isdigit()
    assert len(metadata["downloadTokens"]) == 36
    assert metadata["timeCreated"] == metadata["updated"]


def multipart(boundary, json_part, data):
    return (
        f"--{boundary}\r\nContent-Type: application/json; charset=utf-8\r\n\r\n{json_part}\r\n"
        f"--{boundary}\r\nContent-Type: text/plain\r\n\r\n"
    ).encode() + data + f"\r\n--{boundary}--\r\n".encode()


@pytest.mark.parametrize(
    ("boundary", "content_type"),
    [
        ("00418", "multipart/related; boundary=00418"),
        ("==82==", 'multipart/related; boundary="==82=="'),
        ("==82==", "multipart/related; boundary='==82=='"),
    ],
)
def test_multipart_upload_stores_bytes_and_metadata(emulator, boundary, content_type):
    data = b"line\r\n--no boundary\r\n\0\xff" * 40
    wishes = {"contentType": "text/markdown", "metadata": {"k": "v"}, "cacheControl": "no-store"}
    response = requests.post(
        f"http://{emulator.storage}/v0/b/{BUCKET}/o?name=a.txt",
        data=multipart(boundary, json.dumps(wishes), data),
        headers={"X-Goog-Upload-Protocol": "multipart", "Content-Type": content_type},
        timeout=10,
    )
    assert response.status_code == 200
    assert response.json()["metadata"] == {"k": "v"}
    assert response.json()["contentType"] == "text/markdown"
    download = emulator.get("a.txt")
    assert download.content == data
    assert download.headers["Cache-Control"] == "no-store"
    assert download.headers["x-goog-meta-k"] == "v"


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("multipart/related", b"--x\r\n\r\n{}\r\n--x--"),
        ("multipart/related; boundary=x", b""),
        ("multipart/related; boundary=x", multipart("x", "{", b"data")),
        ("multipart/related; boundary=x", multipart("x", "[]", b"data")),
        ("multipart/related; boundary=x", multipart("x", "{}", b"data")[:-9]),
        ("multipart/related; boundary=x", multipart("x", '{"md5Hash":"AAAAAAAAAAAAAAAAAAAAAA=="}', b"data")),
    ],
    ids=["no boundary", "empty", "broken JSON", "JSON array", "cut off", "wrong hash"],
)
def test_a_broken_multipart_upload_stores_nothing(emulator, content_type, body):
    response = requests.post(
        f"http://{emulator.storage}/v0/b/{BUCKET}/o?name=a",
        data=body,
        headers={"X-Goog-Upload-Protocol": "multipart", "Content-Type": content_type},
        timeout=10,
    )
    assert_refused(response, 400)
    assert emulator.get("a").status_code == 404


def test_curl_uploads_and_downloads_a_file(emulator, tmp_path):
    (tmp_path / "up").write_bytes(DATA * 3_000)  # 3 MB: curl asks with Expect: 100-continue
    url = f"http://{emulator.storage}/v0/b/{BUCKET}/o"
    status, _ = curl("--data-binary", f"@{tmp_path}/up", "-H", "Content-Type: image/webp", f"{url}?name=up.webp")
    assert status == 200
    status, _ = curl("--output", str(tmp_path / "down"), f"{url}/up.webp?alt=media")
    assert (tmp_path / "down").read_bytes() == DATA * 3_000


def test_curl_uploads_a_stream_of_unknown_length(emulator, tmp_path):
    (tmp_path / "up").write_bytes(DATA)
    url = f"http://{emulator.storage}/v0/b/{BUCKET}/o?name=stream"
    status, _ = curl("-X", "POST", "-H", "Transfer-Encoding: chunked", "--data-binary", f"@{tmp_path}/up", url)
    assert status == 200
    assert emulator.get("stream").content == DATA


def test_an_empty_object_is_an_object(emulator):
    assert emulator.put("empty", b"")["size"] == "0"
    response = emulator.get("empty")
    assert (response.status_code, response.content) == (200, b"")


def test_a_second_upload_replaces_the_object(emulator):
    first = emulator.put("a", b"first")
    second = emulator.put("a", b"second")
    assert int(second["generation"]) > int(first["generation"])
    assert emulator.get("a").content == b"second"


@pytest.mark.parametrize("size", [(5 << 40) + 1, 6 << 40])
def test_an_upload_beyond_five_tebibytes_is_refused_at_once(emulator, size):
    url = f"http://{emulator.storage}/v0/b/{BUCKET}/o?name=a"
    status, body = curl("-X", "POST", "-H", f"Content-Length: {size}", "--data-binary", "x", url)
    assert status == 413
    assert b'"code": 413' in body or b'"code":413' in body
    assert emulator.get("a").status_code == 404


def test_a_broken_off_upload_stores_nothing(emulator):
    with RawConnection(emulator.storage) as connection:
        connection.send(f"POST /v0/b/{BUCKET}/o?name=a HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf".encode())
    assert emulator.usage_of(1)["requests"] == 1
    assert emulator.get("a").status_code == 404


# Names


NAMES_OF_ALL_KINDS = ["a", "a/../b", "../../etc/passwd", "dd//ee", "/leading", "trailing/", "a b+c%2F", "?#&=;"]


@pytest.mark.parametrize("name", [*NAMES_OF_ALL_KINDS, "ünï/日本/🔥", "x" * 1024])
def test_names_are_opaque(emulator, name):
    data = name.encode() * 3
    assert emulator.put(name, data)["name"] == name
    assert emulator.get(name).content == data
    assert requests.get(emulator.object_url(name), timeout=10).json()["name"] == name
    names = requests.get(f"http://{emulator.storage}/storage/v1/b/{BUCKET}/o", timeout=10).json()["items"]
    assert [item["name"] for item in names] == [name]
    assert requests.delete(emulator.object_url(name), timeout=10).status_code == 204
    assert emulator.get(name).status_code == 404


@pytest.mark.parametrize(
    "name", ["x" * 1025, "é" * 513, "a\nb", "a\r\nb"], ids=["1025 bytes", "1026 bytes in UTF-8", "LF", "CRLF"]
)
def test_impossible_names_are_refused(emulator, name):
    assert_refused(requests.post(emulator.object_url(name), data=b"x", timeout=10), 400)
    parameters = {"name": name}
    assert_refused(
        requests.post(f"http://{emulator.storage}/v0/b/{BUCKET}/o", params=parameters, data=b"x", timeout=10), 400
    )
    # Production looks for an object of such a name, and finds none.
    assert_refused(requests.get(emulator.object_url(name), timeout=10), 404)


@pytest.mark.parametrize("name", [".", ".."])
def test_names_that_urls_cannot_carry_are_refused(emulator, name):
    # "Objects cannot be named . or ..", cloud.google.com/storage/docs/objects: clients normalise them away.
    assert_refused(requests.post(f"http://{emulator.storage}/v0/b/{BUCKET}/o?name={name}", data=b"x", timeout=10), 400)


@pytest.mark.parametrize("target", ["/v0/b/bkt/o/%", "/v0/b/bkt/o/%zz", "/v0/b/bkt/o/%ff%fe", "/v0/b/bkt/o/a?token=%f"])
def test_broken_percent_escapes_are_refused(emulator, target):
    with RawConnection(emulator.storage) as connection:
        connection.request("GET", target)
        assert connection.response()[0] == 400


# Downloads


def test_the_token_opens_the_object_and_a_wrong_one_does_not(emulator):
    token = emulator.put("a", DATA)["downloadTokens"]
    assert emulator.get("a", token=token).content == DATA
    assert_refused(emulator.get("a", token="00000000-0000-4000-8000-000000000000"), 403)
    wrong = requests.get(emulator.object_url("a"), params={"token": "wrong"}, timeout=10)
    assert_refused(wrong, 403)


@pytest.mark.parametrize("authorization", ["Bearer owner", "Firebase owner"])
def test_the_administrator_needs_no_token(emulator, authorization):
    emulator.put("a", DATA)
    response = emulator.get("a", headers={"Authorization": authorization}, token="wrong")
    assert response.content == DATA


def test_download_headers_are_productions(emulator):
    metadata = emulator.put("docs/a.txt", b"hello world", "text/plain")
    headers = emulator.get("docs/a.txt", token=metadata["downloadTokens"]).headers
    expected = {
        "Content-Type": "text/plain",
        "Content-Length": "11",
        "Content-Disposition": "inline; filename*=utf-8''a.txt",
        "Cache-Control": "private, max-age=0",
        "ETag": '"5eb63bbbe01eeed093cb22bb8f5acdc3"',
        "Accept-Ranges": "bytes",
        "x-goog-hash": "crc32c=yZRlqg==, md5=XrY7u+Ae7tCTyyK7j1rNww==",
        "x-goog-generation": metadata["generation"],
        "x-goog-metageneration": "1",
    }
    assert {key: headers.get(key) for key in expected} == expected
    assert headers["Last-Modified"].endswith(" GMT")
    assert "Content-Encoding" not in headers


@pytest.mark.parametrize(
    ("header", "status", "content_range", "data"),
    [
        ("bytes=0-99", 206, "bytes 0-99/1000", DATA[:100]),
        ("bytes=0-0", 206, "bytes 0-0/1000", DATA[:1]),
        ("bytes=900-", 206, "bytes 900-999/1000", DATA[900:]),
        ("bytes=-100", 206, "bytes 900-999/1000", DATA[900:]),
        ("bytes=-5000", 206, "bytes 0-999/1000", DATA),
        ("bytes=990-2000", 206, "bytes 990-999/1000", DATA[990:]),
        ("bytes=0-99999999999999999999", 206, "bytes 0-999/1000", DATA),
        ("bytes=1000-", 416, None, None),
        ("bytes=1000-1001", 416, None, None),
        ("bytes=-0", 416, None, None),
        ("bytes=5-2", 200, None, DATA),
        ("bytes=a-b", 200, None, DATA),
        ("lines=0-1", 200, None, DATA),
    ],
)
def test_ranges(emulator, header, status, content_range, data):
    emulator.put("a", DATA)
    response = emulator.get("a", headers={"Range": header})
    assert response.status_code == status
    assert response.headers.get("Content-Range") == content_range
    if data is not None:
        assert response.content == data
    else:
        assert b"InvalidRange" in response.content


def test_an_empty_object_has_no_first_byte(emulator):
    emulator.put("empty", b"")
    assert emulator.get("empty", headers={"Range": "bytes=0-0"}).status_code == 416


def test_if_range_of_another_version_gives_the_whole_object(emulator):
    emulator.put("a", DATA)
    tag = emulator.get("a").headers["ETag"]
    assert emulator.get("a", headers={"Range": "bytes=0-9", "If-Range": tag}).status_code == 206
    assert emulator.get("a", headers={"Range": "bytes=0-9", "If-Range": '"other"'}).content == DATA


@pytest.mark.parametrize("form", ["{}", "W/{}", '"other", {}', "*"])
def test_if_none_match_saves_the_body(emulator, form):
    emulator.put("a", DATA)
    tag = emulator.get("a").headers["ETag"]
    response = emulator.get("a", headers={"If-None-Match": form.format(tag)})
    assert (response.status_code, response.content) == (304, b"")
    assert response.headers["ETag"] == tag
    emulator.put("a", b"changed")
    if form != "*":
        assert emulator.get("a", headers={"If-None-Match": form.format(tag)}).content == b"changed"


@pytest.mark.parametrize("query", ["?alt=media", ""], ids=["media", "metadata"])
def test_head_is_get_without_the_body(emulator, query):
    emulator.put("a", DATA)
    url = emulator.object_url("a") + query
    got = requests.get(url, timeout=10)
    head = requests.head(url, timeout=10)
    assert (head.status_code, head.content) == (200, b"")
    undated = {"Date": "", "Expires": ""}
    assert {**head.headers, **undated} == {**got.headers, **undated}
    assert requests.head(emulator.object_url("none") + query, timeout=10).status_code == 404


def test_curl_resumes_a_download(emulator, tmp_path):
    emulator.put("a", DATA)
    (tmp_path / "part").write_bytes(DATA[:300])
    status, _ = curl("--continue-at", "-", "--output", str(tmp_path / "part"), emulator.object_url("a") + "?alt=media")
    assert status == 206
    assert (tmp_path / "part").read_bytes() == DATA


@pytest.mark.parametrize(
    ("version", "fields"), [("1.1", "Connection: close\r\n"), ("1.0", "")], ids=["Connection: close", "HTTP/1.0"]
)
@pytest.mark.parametrize("size", [1_000, 4 << 20])
def test_the_server_ends_a_connection_that_is_not_to_be_kept(emulator, version, fields, size):
    emulator.put("a", b"x" * size)
    target = f"/v0/b/{BUCKET}/o/a?alt=media"
    with RawConnection(emulator.storage, timeout=5) as connection:
        connection.send(f"GET {target} HTTP/{version}\r\nHost: h\r\n{fields}\r\n".encode())
        assert connection.head()[0] == 200
        assert connection.until_end() == b"x" * size


# Metadata, lists, deletes


def test_patch_changes_what_it_names(emulator):
    before = emulator.put("a", DATA, "text/plain")
    change = {"contentType": "image/png", "cacheControl": "max-age=60", "metadata": {"k": "v", "gone": None}}
    after = requests.patch(emulator.object_url("a"), json=change, timeout=10)
    assert after.status_code == 200
    assert after.json()["contentType"] == "image/png"
    assert after.json()["metadata"] == {"k": "v"}
    assert after.json()["generation"] == before["generation"]
    assert after.json()["metageneration"] == "2"
    assert emulator.get("a").headers["Cache-Control"] == "max-age=60"
    cleared = requests.patch(emulator.object_url("a"), json={"cacheControl": None, "metadata": None}, timeout=10)
    assert "cacheControl" not in cleared.json() and not cleared.json().get("metadata")


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"contentType": []}', b'{"metadata": {"k": {}}}'])
def test_a_broken_patch_changes_nothing(emulator, body):
    before = emulator.put("a", DATA)
    assert_refused(requests.patch(emulator.object_url("a"), data=body, timeout=10), 400)
    assert requests.get(emulator.object_url("a"), timeout=10).json() == before


NAMES = [f"dir/{letter}/{number}" for letter in "abc" for number in range(4)] + ["dir/x", "dir/y", "other", "zz"]


@pytest.mark.parametrize(
    ("parameters", "items", "prefixes"),
    [
        ({}, NAMES, []),
        ({"delimiter": "/"}, ["other", "zz"], ["dir/"]),
        ({"prefix": "dir/", "delimiter": "/"}, ["dir/x", "dir/y"], ["dir/a/", "dir/b/", "dir/c/"]),
        ({"prefix": "dir/b/"}, NAMES[4:8], []),
        ({"prefix": "none/"}, [], []),
    ],
    ids=["all", "root", "directory", "prefix", "nothing"],
)
@pytest.mark.parametrize("page_size", [1, 3, 1000])
def test_lists_every_name_once_over_all_pages(emulator, parameters, items, prefixes, page_size):
    for name in NAMES:
        emulator.put(name, b"x")
    found = {"items": [], "prefixes": []}
    token = None
    while True:
        page = emulator.list(maxResults=page_size, pageToken=token, **parameters).json()
        assert len(page["items"]) + len(page["prefixes"]) <= page_size
        found["items"] += [item["name"] for item in page["items"]]
        found["prefixes"] += page["prefixes"]
        token = page.get("nextPageToken")
        if not token:
            break
    assert found == {"items": items, "prefixes": prefixes}


@pytest.mark.parametrize(
    "parameters",
    [{"prefix": "no-slash"}, {"pageToken": "\U0001f525 no token"}, {"maxResults": "-1"}, {"maxResults": "many"}],
    ids=str,
)
def test_a_senseless_list_is_refused(emulator, parameters):
    assert_refused(emulator.list(**parameters), 400)


def test_a_deleted_object_is_gone(emulator):
    emulator.put("a", DATA)
    response = requests.delete(emulator.object_url("a"), timeout=10)
    assert (response.status_code, response.content) == (204, b"")
    assert_refused(emulator.get("a"), 404)
    assert_refused(requests.delete(emulator.object_url("a"), timeout=10), 404)


def test_missing_objects_are_refused_in_productions_words(emulator):
    for parameters in ({}, {"alt": "media"}):
        response = requests.get(emulator.object_url("none"), params=parameters, timeout=10)
        assert_refused(response, 404)
        assert response.json() == {"error": {"code": 404, "message": "Not Found."}}


@pytest.mark.parametrize("path", ["/v0/b", "/v0/b/bkt", "/v0/b/bkt/x", "/v0/x", "/v0/b/UPPER/o", "/v0/b//o"])
def test_paths_that_are_no_resource_are_refused_in_json(emulator, path):
    response = requests.get(f"http://{emulator.storage}{path}", timeout=10)
    assert response.status_code in (400, 404)
    assert_refused(response, response.status_code)


# Browsers


def test_a_preflight_is_granted(emulator):
    response = requests.options(
        emulator.object_url("a"),
        headers={
            "Origin": "http://localhost:5000",
            "Access-Control-Request-Method": "PATCH",
            "Access-Control-Request-Headers": "authorization,x-goog-upload-protocol",
            "Access-Control-Request-Private-Network": "true",
        },
        timeout=10,
    )
    assert response.status_code == 204
    assert response.headers["Access-Control-Allow-Origin"] == "http://localhost:5000"
    assert "PATCH" in response.headers["Access-Control-Allow-Methods"]
    assert response.headers["Access-Control-Allow-Headers"] == "authorization,x-goog-upload-protocol"
    assert response.headers["Access-Control-Allow-Private-Network"] == "true"


@pytest.mark.parametrize("name", ["a", "none"])
def test_pages_of_any_origin_may_read_answers(emulator, name):
    emulator.put("a", DATA)
    response = emulator.get(name, headers={"Origin": "http://localhost:5000"})
    assert response.headers["Access-Control-Allow-Origin"] == "http://localhost:5000"
    assert "Content-Range" in response.headers["Access-Control-Expose-Headers"]


# Garbage instead of HTTP


@pytest.mark.parametrize(
    "garbage",
    [
        b"garbage\x00\xff\r\n\r\n",
        b"GET /\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 64 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
        b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 200_000 + b"\r\n\r\n",
    ],
    ids=["text", "no version", "TLS", "negative length", "two lengths", "endless header"],
)
def test_garbage_is_refused_and_the_server_lives_on(emulator, garbage):
    with RawConnection(emulator.storage) as connection:
        try:
            connection.send(garbage)
        except OSError:
            pass  # refused before all was sent
        assert connection.until_end().startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 431 "))
    emulator.put("a", DATA)
    assert emulator.get("a").content == DATA
    assert emulator.process.poll() is None

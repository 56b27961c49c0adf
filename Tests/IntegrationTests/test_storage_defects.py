# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The fifteen measured defects of the official Storage emulator (firebase-tools 14.15.1), each right here."""

import base64
import os
import uuid

import pytest
import requests
from google.api_core import exceptions
from harness import BUCKET, Emulator

MIB = 1 << 20
HELLO = b"hello world"


def process_file(emulator, name):
    with open(f"/proc/{emulator.process.pid}/{name}", encoding="ascii") as file:
        return dict(line.split(":", 1) for line in file.read().splitlines())


def bytes_read(emulator):
    return int(process_file(emulator, "io")["rchar"])


def resident_kibibytes(emulator, member):
    return int(process_file(emulator, "status")[member].split()[0])


def zeros(byte_count):
    """A body of so many bytes, in pieces."""
    for _ in range(byte_count // MIB):
        yield bytes(MIB)


def upload_url(emulator, name, kind="media", **parameters):
    query = "&".join([f"uploadType={kind}", f"name={name}", *(f"{key}={value}" for key, value in parameters.items())])
    return f"http://{emulator.storage}/upload/storage/v1/b/{BUCKET}/o?{query}"


def resource_url(emulator, name):
    return f"http://{emulator.storage}/storage/v1/b/{BUCKET}/o/{name}"


def test_01_metadata_and_a_range_do_not_read_the_whole_object(emulator):
    requests.post(upload_url(emulator, "big"), data=zeros(100 * MIB), timeout=120).raise_for_status()
    before = bytes_read(emulator)
    assert requests.get(resource_url(emulator, "big"), timeout=10).json()["size"] == str(100 * MIB)
    part = requests.get(resource_url(emulator, "big") + "?alt=media", headers={"Range": "bytes=50-59"}, timeout=10)
    assert (part.status_code, part.content) == (206, bytes(10))
    assert bytes_read(emulator) - before < MIB


def test_02_ranges_past_the_end_are_refused_and_several_are_answered(emulator):
    emulator.put("a", HELLO)
    assert emulator.get("a", headers={"Range": "bytes=11-"}).status_code == 416
    several = emulator.get("a", headers={"Range": "bytes=0-1,6-8"})
    assert several.status_code == 206
    assert several.headers["Content-Type"].startswith("multipart/byteranges; boundary=")
    assert b"Content-Range: bytes 0-1/11" in several.content and b"Content-Range: bytes 6-8/11" in several.content


def test_03_media_have_validators_and_answer_304(emulator):
    emulator.put("a", HELLO)
    first = emulator.get("a")
    assert first.headers["ETag"] == '"5eb63bbbe01eeed093cb22bb8f5acdc3"'
    assert first.headers["Last-Modified"].endswith(" GMT")
    again = emulator.get("a", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_04_preconditions_and_generations_are_minded(bucket):
    blob = bucket.blob("a")
    blob.upload_from_string("1", if_generation_match=0)
    first = blob.generation
    with pytest.raises(exceptions.PreconditionFailed):
        bucket.blob("a").upload_from_string("2", if_generation_match=0)
    with pytest.raises(exceptions.PreconditionFailed):
        blob.download_as_bytes(if_generation_match=first + 1)
    with pytest.raises(exceptions.PreconditionFailed):
        blob.download_as_bytes(if_metageneration_match=9)
    with pytest.raises(exceptions.NotFound):
        bucket.blob("a", generation=first + 1).download_as_bytes()
    with pytest.raises(exceptions.PreconditionFailed):
        bucket.blob("a").delete(if_generation_match=first + 1)
    assert blob.download_as_bytes(if_generation_match=first) == b"1"


def test_05_the_first_chunk_does_not_end_an_upload(emulator):
    address = requests.post(upload_url(emulator, "a", "resumable"), timeout=10).headers["Location"]
    chunk = bytes(256 << 10)
    first = requests.put(address, data=chunk, headers={"Content-Range": f"bytes 0-{len(chunk) - 1}/*"}, timeout=10)
    assert (first.status_code, first.headers["Range"]) == (308, f"bytes=0-{len(chunk) - 1}")
    assert requests.get(resource_url(emulator, "a"), timeout=10).status_code == 404
    fields = {"Content-Range": f"bytes {len(chunk)}-{len(chunk) + 4}/{len(chunk) + 5}"}
    assert requests.put(address, data=b"hello", headers=fields, timeout=10).json()["size"] == str(len(chunk) + 5)


def test_06_the_python_client_can_do_its_everyday_work(storage_client, bucket):
    assert storage_client.get_bucket(bucket.name).name == bucket.name
    bucket.labels = {"a": "b"}
    bucket.patch()
    blob = bucket.blob("a")
    blob.upload_from_string("a")
    assert bucket.copy_blob(blob, bucket, "copy").name == "copy"
    assert bucket.rename_blob(bucket.blob("copy"), "renamed").name == "renamed"
    token, rewritten, total = bucket.blob("rewritten").rewrite(blob)
    assert (token, rewritten, total) == (None, 1, 1)
    composed = bucket.blob("composed")
    composed.compose([bucket.blob("a"), bucket.blob("renamed")])
    assert composed.download_as_bytes() == b"aa"
    blob.update_storage_class("NEARLINE")
    assert bucket.get_blob("a").storage_class == "NEARLINE"
    assert bucket.name in [found.name for found in storage_client.list_buckets()]
    with storage_client.batch():
        bucket.blob("renamed").delete()
        bucket.blob("rewritten").delete()
    assert sorted(found.name for found in bucket.list_blobs()) == ["a", "composed"]


def test_07_what_the_admin_sdk_asks_of_buckets_and_access_is_answered(storage_client):
    bucket = storage_client.bucket(f"bucket-{uuid.uuid4().hex}")
    assert not bucket.exists()
    bucket.create(location="EU")
    assert bucket.exists()
    bucket.reload()
    assert bucket.location == "EU"
    bucket.versioning_enabled = True
    bucket.patch()
    assert storage_client.get_bucket(bucket.name).versioning_enabled
    for name in ["a", "b"]:
        bucket.blob(name).upload_from_string(name)
    bucket.blob("ab").compose([bucket.blob("a"), bucket.blob("b")])
    assert bucket.blob("ab").download_as_bytes() == b"ab"
    blob = bucket.blob("a")
    blob.make_public()
    assert {"entity": "allUsers", "role": "READER"} in list(blob.acl)


def test_08_listings_mind_every_parameter(emulator, bucket):
    for name in ["a.jpg", "a.txt", "b/c.jpg", "d.jpg"]:
        bucket.blob(name).upload_from_string("x")
    assert [blob.name for blob in bucket.list_blobs(match_glob="*.jpg")] == ["a.jpg", "d.jpg"]
    assert [blob.name for blob in bucket.list_blobs(match_glob="**.jpg")] == ["a.jpg", "b/c.jpg", "d.jpg"]
    assert [blob.name for blob in bucket.list_blobs(start_offset="a.txt", end_offset="d.jpg")] == ["a.txt", "b/c.jpg"]
    listing = f"http://{emulator.storage}/storage/v1/b/{bucket.name}/o"
    assert requests.get(f"{listing}?fields=items(name)&maxResults=1", timeout=10).json() == {"items": [{"name": "a.jpg"}]}
    full = requests.get(f"{listing}?projection=full", timeout=10).json()["items"][0]
    assert full["acl"] and "acl" not in requests.get(listing, timeout=10).json()["items"][0]


def test_09_the_headers_of_parts_come_in_any_order_and_case(emulator):
    body = (
        b"--b\r\nMIME-Version: 1.0\r\ncontent-TYPE: application/json\r\n\r\n{\"name\":\"a\"}\r\n"
        b"--b\r\nContent-Transfer-Encoding: binary\r\ncontent-type: text/plain\r\n\r\nhello\r\n--b--"
    )
    url = f"http://{emulator.storage}/upload/storage/v1/b/{BUCKET}/o?uploadType=multipart"
    response = requests.post(url, data=body, headers={"Content-Type": "multipart/related; boundary='b'"}, timeout=10)
    assert response.json()["contentType"] == "text/plain"
    assert emulator.get("a").content == b"hello"


@pytest.mark.parametrize("name", ["a/../esc", "dd//ee", "./x", "/root", "a/./b", "trailing/"])
def test_10_names_are_never_normalised(bucket, name):
    bucket.blob(name).upload_from_string(name)
    assert [blob.name for blob in bucket.list_blobs()] == [name]
    assert bucket.blob(name).download_as_bytes() == name.encode()


def test_11_the_xml_api_writes_lists_and_deletes_and_checks_sums(emulator):
    address = f"http://{emulator.storage}/{BUCKET}"
    assert requests.put(f"{address}/docs/a.txt", data=HELLO, timeout=10).status_code == 200
    assert requests.get(f"{address}/docs/a.txt", timeout=10).content == HELLO
    assert "<Key>docs/a.txt</Key>" in requests.get(f"{address}?list-type=2", timeout=10).text
    bad = requests.put(f"{address}/b", data=HELLO, headers={"x-goog-hash": "crc32c=AAAAAA=="}, timeout=10)
    assert bad.status_code == 400
    wrong = base64.b64encode(bytes(16)).decode()
    assert requests.put(f"{address}/b", data=HELLO, headers={"Content-MD5": wrong}, timeout=10).status_code == 400
    assert requests.get(f"{address}/b", timeout=10).status_code == 404
    assert requests.delete(f"{address}/docs/a.txt", timeout=10).status_code == 204
    assert requests.get(f"{address}/docs/a.txt", timeout=10).status_code == 404


def test_12_every_prefix_is_on_one_page_and_made_up_tokens_are_refused(emulator):
    for name in ["a", "dir/x", "dir/y", "dir2/z", "zz"]:
        emulator.put(name, b"x")
    url = f"http://{emulator.storage}/v0/b/{BUCKET}/o"
    entries, token = [], ""
    while token is not None:
        parameters = {"delimiter": "/", "maxResults": 2, "pageToken": token}
        page = requests.get(url, params=parameters, timeout=10).json()
        assert len(page["items"]) + len(page["prefixes"]) <= 2
        entries += [item["name"] for item in page["items"]] + page["prefixes"]
        token = page.get("nextPageToken")
    assert sorted(entries) == ["a", "dir/", "dir2/", "zz"]
    assert requests.get(url, params={"pageToken": "!"}, timeout=10).status_code == 400


def test_13_everything_survives_a_crash_and_two_servers_keep_apart(tmp_path):
    first, second = Emulator("--data", tmp_path / "one"), Emulator("--data", tmp_path / "two")
    try:
        stored = first.put("a", HELLO)
        second.put("a", b"other")
        first.kill()
        first = Emulator("--data", tmp_path / "one")
        assert first.get("a").content == HELLO
        assert requests.get(first.object_url("a"), timeout=10).json() == stored
        assert second.get("a").content == b"other"
    finally:
        first.close()
        second.close()


def test_14_an_upload_is_not_held_in_memory_and_makes_no_phantom_bucket(emulator):
    emulator.put("warm", HELLO)
    before = resident_kibibytes(emulator, "VmRSS")
    requests.post(upload_url(emulator, "big"), data=zeros(100 * MIB), timeout=120).raise_for_status()
    assert resident_kibibytes(emulator, "VmHWM") - before < 16 << 10
    assert requests.post(f"http://{emulator.storage}/b", json={"name": "made"}, timeout=10).status_code == 200
    buckets = requests.get(f"http://{emulator.storage}/b", timeout=10).json()["items"]
    assert sorted(bucket["name"] for bucket in buckets) == sorted([BUCKET, "made"])


def test_15_links_lead_back_through_the_address_that_was_used(emulator):
    emulator.put("a", HELLO)
    resource = requests.get(
        resource_url(emulator, "a"), headers={"Host": "storage.in-a-container:1234"}, timeout=10
    ).json()
    assert resource["selfLink"].startswith("http://storage.in-a-container:1234/storage/v1/b/")
    assert resource["mediaLink"].startswith("http://storage.in-a-container:1234/download/storage/v1/b/")


@pytest.mark.skipif(not os.path.exists("/proc/self/io"), reason="the system tells no process's reads")
def test_01_is_measured_by_the_system(emulator):
    before = bytes_read(emulator)
    emulator.put("a", bytes(MIB))
    assert emulator.get("a").content == bytes(MIB)
    assert bytes_read(emulator) - before >= MIB

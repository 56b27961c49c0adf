# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""A page of another site in the developer's browser can neither move the quota nor write files."""

import pytest
import requests


FOREIGN = {
    "origin": {"Origin": "http://evil.example", "Content-Type": "text/plain"},
    "null origin": {"Origin": "null", "Content-Type": "text/plain"},
    "another port": {"Origin": "http://127.0.0.1:3000"},
    "site": {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
    "same site": {"Sec-Fetch-Site": "same-site"},
    "rebound name": {"Host": "evil.example:4000"},
}


def ask(emulator, method, path, headers=None, **options):
    return requests.request(method, f"http://{emulator.console}{path}", headers=headers, timeout=20, **options)


@pytest.mark.parametrize("headers", FOREIGN.values(), ids=FOREIGN.keys())
def test_a_page_of_another_site_changes_nothing(emulator, tmp_path, headers):
    day = ask(emulator, "GET", "/quota").json()["day"]
    for path in ["/usage/marks", "/quota/advance?days=3"]:
        answer = ask(emulator, "POST", path, headers, data="x")
        assert answer.status_code == 403 and answer.json()["error"]["message"].startswith("Forbidden: ")
    body = f'{{"path": "{tmp_path}/export"}}'
    assert ask(emulator, "POST", "/_admin/export", headers, data=body).status_code == 403
    stored = requests.post(
        f"http://{emulator.storage}/internal/export", data=body, headers=headers, timeout=20
    )
    assert stored.status_code == 403
    assert ask(emulator, "GET", "/usage", headers).status_code == 403
    assert ask(emulator, "GET", "/quota").json()["day"] == day
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("body", ['{"path": "export"}', '{"path": "/tmp/firemeter\\u0000/x"}', '{"path": "./x"}'])
def test_an_export_goes_nowhere_but_to_an_absolute_path(emulator, body):
    for url in [f"http://{emulator.console}/_admin/export", f"http://{emulator.storage}/internal/export"]:
        answer = requests.post(url, data=body, headers={"Content-Type": "application/json"}, timeout=20)
        assert answer.status_code == 400 and "path" in answer.text


def test_programs_and_its_own_pages_are_answered(emulator):
    port = emulator.console.rsplit(":", 1)[1]
    for host in [f"localhost:{port}", f"127.0.0.1:{port}"]:
        own = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
        assert ask(emulator, "POST", "/usage/marks", own).status_code == 200
        assert ask(emulator, "POST", "/quota/advance", {"Host": host}).status_code == 200


def test_containers_call_it_by_the_name_of_its_service(serve):
    emulator = serve("--host", "0.0.0.0")
    assert ask(emulator, "POST", "/usage/marks", {"Host": "emulator:4000"}).status_code == 200
    assert ask(emulator, "POST", "/usage/marks", {"Host": "192.168.1.5:4000"}).status_code == 200
    assert ask(emulator, "POST", "/usage/marks", {"Host": "evil.example:4000"}).status_code == 403

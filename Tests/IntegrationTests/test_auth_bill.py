# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""What Authentication is billed for: users who are active in a month, and messages."""

import pytest
import requests

PROFILE = "blaze-firebasestorage-app+identity-platform"


@pytest.fixture
def emulator(serve):
    return serve("--profile", PROFILE)


def call(emulator, method, body):
    url = f"http://{emulator.auth}/identitytoolkit.googleapis.com/v1/accounts:{method}?key=k"
    answer = requests.post(url, json=body, timeout=10)
    assert answer.status_code == 200, answer.text
    return answer.json()


def set_clock(emulator, time):
    url = f"http://{emulator.auth}/emulator/v1/clock"
    assert requests.patch(url, json={"time": time, "frozen": True}, timeout=10).status_code == 200


def usage(emulator, by):
    groups = requests.get(f"http://{emulator.console}/usage?by={by}", timeout=10).json()["groups"]
    return {group["key"]: group["billed"] for group in groups}


def quota(emulator):
    items = requests.get(f"http://{emulator.console}/quota", timeout=10).json()["items"]
    return {item["item"]: (item["used"], item["free"], item["per"]) for item in items if item["item"].startswith("auth.")}


def test_a_user_is_billed_once_a_month_and_a_message_each_time(emulator):
    credentials = {"email": "a@example.com", "password": "secret1"}
    set_clock(emulator, "2026-11-10T12:00:00.000Z")
    user = call(emulator, "signUp", credentials)["localId"]
    for time in ("2026-11-20T12:00:00.000Z", "2026-12-01T07:59:59.000Z", "2026-12-01T08:00:00.000Z"):
        set_clock(emulator, time)
        call(emulator, "signInWithPassword", credentials)
    call(emulator, "sendVerificationCode", {"phoneNumber": "+15555550100"})
    assert usage(emulator, "user")[user]["tier1ActiveUsers"] == 2
    by_operation = usage(emulator, "operation")
    assert by_operation["auth.signInWithPassword"]["tier1ActiveUsers"] == 1
    assert by_operation["auth.sendVerificationCode"]["smsMessages"] == 1
    assert quota(emulator) == {
        "auth.tier1ActiveUsers": (2, 50_000, "month"),
        "auth.tier2ActiveUsers": (0, 50, "month"),
        "auth.smsMessages": (1, 10, "day"),
    }


def test_companies_users_are_of_the_second_tier_and_test_numbers_cost_nothing(emulator):
    config = f"http://{emulator.auth}/identitytoolkit.googleapis.com/v2/projects/demo-firemeter/config"
    phones = {"signIn": {"phoneNumber": {"enabled": True, "testPhoneNumbers": {"+15555550101": "123456"}}}}
    mask = {"updateMask": "signIn.phoneNumber"}
    owner = {"Authorization": "Bearer owner"}
    assert requests.patch(config, params=mask, json=phones, headers=owner, timeout=10).status_code == 200
    session = call(emulator, "sendVerificationCode", {"phoneNumber": "+15555550101"})["sessionInfo"]
    call(emulator, "signInWithPhoneNumber", {"sessionInfo": session, "code": "123456"})
    assertion = {
        "requestUri": "http://localhost",
        "postBody": 'providerId=oidc.work&id_token={"sub":"1","email":"b@example.com"}',
        "returnSecureToken": True,
    }
    call(emulator, "signInWithIdp", assertion)
    call(emulator, "signInWithIdp", assertion)
    used = {item: amounts[0] for item, amounts in quota(emulator).items()}
    assert used == {"auth.tier1ActiveUsers": 1, "auth.tier2ActiveUsers": 1, "auth.smsMessages": 0}

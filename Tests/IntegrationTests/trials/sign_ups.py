# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Users who sign up while the emulator is killed."""

import random
import threading
import time

import requests

from harness import Emulator

CLIENTS = 4
# The emulator runs for up to this long before it is killed.
SECONDS_MAX = 0.25
LOOKED_UP = 500


class SignUpKills:
    """The trial: several clients sign users up, the emulator is killed, and each user whose sign-up was answered must be there.

    `lost` has users who are not, and `broken` those who are there, but cannot sign in.
    """

    def __init__(self, folder, seed=1):
        self.folder, self.chance = folder, random.Random(seed)
        self.count, self.lost, self.broken = 0, [], []
        self._acknowledged = {}

    def round(self):
        """Kills the emulator under sign-ups, starts it again, and looks for the users of this round."""
        fresh = {}
        emulator = Emulator("--data", self.folder)
        begin = threading.Barrier(CLIENTS + 1)
        clients = [threading.Thread(target=self._sign_up, args=(emulator.auth, begin, fresh)) for _ in range(CLIENTS)]
        for client in clients:
            client.start()
        begin.wait()
        time.sleep(self.chance.uniform(0.01, SECONDS_MAX))
        emulator.kill()
        for client in clients:
            client.join()
        emulator.close()
        self._check(fresh)
        self._acknowledged |= fresh

    def finish(self):
        """Looks for the users of all rounds."""
        self._check(self._acknowledged)
        self.count = len(self._acknowledged)

    def _sign_up(self, address, begin, acknowledged):
        http, url = requests.Session(), f"http://{address}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k"
        begin.wait()
        while True:
            email = f"u{self.chance.getrandbits(64):x}@example.com"
            try:
                answer = http.post(url, json={"email": email, "password": "secret1"}, timeout=5)
            except requests.RequestException:
                return
            if answer.status_code == 200:
                acknowledged[answer.json()["localId"]] = email

    def _check(self, expected):
        emulator = Emulator("--data", self.folder)
        base, http = f"http://{emulator.auth}/identitytoolkit.googleapis.com/v1", requests.Session()
        ids = list(expected)
        for start in range(0, len(ids), LOOKED_UP):
            body = {"localId": ids[start : start + LOOKED_UP]}
            answer = http.post(f"{base}/projects/demo-firemeter/accounts:lookup", json=body, headers={"Authorization": "Bearer owner"})
            found = {user["localId"]: user for user in answer.json().get("users", [])}
            self.lost += [id for id in body["localId"] if found.get(id, {}).get("email") != expected[id]]
        for email in list(expected.values())[:3]:
            answer = http.post(f"{base}/accounts:signInWithPassword?key=k", json={"email": email, "password": "secret1"})
            if answer.status_code != 200:
                self.broken.append(f"{email}: {answer.text[:100]}")
        emulator.close()

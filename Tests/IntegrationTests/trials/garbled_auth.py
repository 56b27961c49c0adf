# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Calls to Authentication whose bodies, paths and tokens are not what they should be."""

import base64
import json
import random
import time

import requests

METHODS = """
signUp signInWithPassword signInWithCustomToken signInWithEmailLink signInWithIdp signInWithPhoneNumber sendVerificationCode
sendOobCode resetPassword createAuthUri update lookup delete
""".split()
SECOND = "mfaEnrollment:start mfaEnrollment:finalize mfaEnrollment:withdraw mfaSignIn:start mfaSignIn:finalize".split()
SECOND += "passkeyEnrollment:start passkeyEnrollment:finalize passkeySignIn:start passkeySignIn:finalize".split()
OF_PROJECTS = "accounts accounts:lookup accounts:update accounts:delete accounts:query accounts:sendOobCode".split()
OF_PROJECTS += "accounts:batchCreate accounts:batchDelete :createSessionCookie tenants oauthIdpConfigs?oauthIdpConfigId=oidc.x".split()
NAMES = """
email password idToken localId token oobCode phoneNumber sessionInfo code temporaryProof requestUri postBody providerId displayName
photoUrl customAttributes deleteAttribute deleteProvider linkProviderUserInfo mfa mfaInfo enrollments users localIds hashAlgorithm rounds
memoryCost signerKey saltSeparator refreshToken grantType requestType newEmail continueUrl returnOobLink tenantId targetProjectId
validDuration mfaPendingCredential mfaEnrollmentId phoneEnrollmentInfo phoneVerificationInfo totpEnrollmentInfo totpVerificationInfo
verificationCode authenticatorRegistrationResponse id name expression limit offset sortBy order passwordHash salt rawPassword
providerUserInfo rawId federatedId phoneInfo validSince createdAt disableUser emailVerified email_verified id_token
""".split()
TEXTS = ["", "a@b.c", "+15555550100", "x" * 5_000, "\x00", "é😀\u2028", "-1", "9" * 30, "google.com", "saml.x", "SCRYPT", "PASSWORD_RESET"]
TEXTS += ["http://localhost", "javascript:alert(1)", "providerId=google.com&id_token=%7B%22sub%22%3A%221%22%7D", '{"sub":"1"}', "{", "a.b.c"]


class GarbledAuth:
    """The trial: every answer must be below 500, and come soon; the server must go on."""

    def __init__(self, emulator, seed):
        self.chance, self.http = random.Random(seed), requests.Session()
        self.base = f"http://{emulator.auth}"
        self.count, self.slowest, self.problems, self.accepted = 0, 0, [], 0
        self._tokens = ["x"]

    def run(self, count=None, seconds=None):
        """Makes a number of calls, or as many as it can for some time."""
        end = time.monotonic() + (seconds or 1e9)
        while (count is None or self.count < count) and time.monotonic() < end and len(self.problems) < 20:
            self.count += 1
            self._call()

    def _call(self):
        chance = self.chance
        kind = chance.random()
        if kind < 0.5:
            path = f"/identitytoolkit.googleapis.com/v1/accounts:{chance.choice(METHODS)}"
        elif kind < 0.65:
            path = f"/identitytoolkit.googleapis.com/v2/accounts/{chance.choice(SECOND)}"
        elif kind < 0.75:
            path = "/securetoken.googleapis.com/v1/token"
        else:
            verb = chance.choice(OF_PROJECTS)
            tenant = chance.choice(["", "", "/tenants/t1"])
            version = "v2" if verb.startswith(("tenants", "oauth")) else "v1"
            path = f"/identitytoolkit.googleapis.com/{version}/projects/demo{tenant}{'' if verb[0] == ':' else '/'}{verb}"
        headers = {"Content-Type": "application/json"}
        if kind >= 0.75 or chance.random() < 0.3:
            headers["Authorization"] = "Bearer owner"
        else:
            path += "&key=k" if "?" in path else "?key=k"
        body = json.dumps(self._object(0)).encode()
        if chance.random() < 0.1:
            body = bytearray(body)
            for _ in range(chance.randint(1, 5)):
                body[chance.randrange(len(body))] = chance.randrange(256)
        self._send(path, headers, bytes(body))

    def _send(self, path, headers, body):
        start = time.monotonic()
        try:
            answer = self.http.post(self.base + path, data=body, headers=headers, timeout=20)
        except requests.RequestException as error:
            self.problems.append(f"{path} {body[:200]}: {error}")
            return
        self.slowest = max(self.slowest, time.monotonic() - start)
        if answer.status_code >= 500 and answer.status_code != 501:
            self.problems.append(f"{answer.status_code} {path} {body[:200]}: {answer.text[:200]}")
        if answer.status_code == 200:
            self.accepted += 1
            found = answer.json()
            # Configurations of providers answer with whatever they were given.
            named = [found.get(name) for name in ("idToken", "refreshToken", "mfaPendingCredential")]
            self._tokens += [token for token in named if isinstance(token, str) and token]
            self._tokens = self._tokens[-50:]

    def _object(self, depth):
        names = self.chance.sample(NAMES, self.chance.randint(0, 6))
        if depth == 0 and self.chance.random() < 0.5:
            # Often enough right to get far.
            names += ["email", "password"]
        return {name: self._value(name, depth) for name in names}

    def _value(self, name, depth):
        chance = self.chance
        if name == "password" and chance.random() < 0.8:
            return "secret1"
        if name == "email" and chance.random() < 0.8:
            return f"u{chance.randint(0, 20)}@b.c"
        if name in ("idToken", "refreshToken", "mfaPendingCredential", "token") and chance.random() < 0.8:
            return self._token()
        kind = chance.random()
        if kind < 0.5:
            return chance.choice(TEXTS)
        if kind < 0.6:
            return chance.choice([0, -1, 1.5, 1e300, 2**63 - 1, True, False, None])
        if depth > 2:
            return "deep"
        return self._object(depth + 1) if kind < 0.8 else [self._value(name, depth + 1) for _ in range(chance.randint(0, 3))]

    def _token(self):
        token = self.chance.choice(self._tokens)
        if self.chance.random() < 0.3:
            claims = base64.urlsafe_b64encode(json.dumps(self._object(1)).encode()).decode().rstrip("=")
            return f"eyJhbGciOiJub25lIn0.{claims}."
        if self.chance.random() < 0.2:
            place = self.chance.randrange(len(token))
            return token[:place] + self.chance.choice("aA0.=%") + token[place + 1 :]
        return token

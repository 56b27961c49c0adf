# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Files of Security Rules that were altered at random, and patterns that are not what they should be."""

import random
import time

import requests

from harness import DOCUMENTS
from tokens import bearing, unsigned_token

WORDS = """
service match allow function return let import rules_version if in is true false null request resource get exists math string
{ } ( ) [ ] ; : , . / = == != && || ! ? + - * % < > $( =** '2' "x" b'1' 1 1.5 0x1 -9223372036854775808 9223372036854775808 // /* */
\\ ' " é 😀 \x00 \r\n \t
""".split(" ")
PATTERN_PARTS = ["a", "b", "(", ")", "*", "+", "?", "{2}", "{1,999}", "[a-z]", "[^", "]", "\\\\d", "\\\\p{L}", "(?i)", "|", "^", "$", ".", "(a*)*", "é"]
RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    function isOwner(user) { let own = user == request.auth.uid; return own && exists(/databases/$(database)/documents/users/$(user)); }
    match /posts/{post=**} {
      allow get: if isOwner(resource.data.owner) || resource.data.tags.hasAny(['a', "b"]) && !(request.time < timestamp.date(2026, 1, 1));
      allow list: if resource.data.public == true ? request.query.limit <= 10 : false;
      allow create, update: if request.resource.data.diff(resource.data).affectedKeys().hasOnly(['title', 'likes'])
                               && {'a': [1, 2.5, null], 'b': b'x'}['a'][0:1].size() == 1 && 'abc'.matches('[a-c]+');
    }
  }
}
"""


class GarbledRules:
    """The trial: puts altered files in force and reads a document under those that compile.

    Every answer must be a 200, a 400, a 403 or a 404, and none may take long.
    """

    def __init__(self, emulator, seed):
        self.chance = random.Random(seed)
        self.http = requests.Session()
        project = "/".join(DOCUMENTS.split("/")[:2])
        self.rules = f"http://{emulator.firestore}/emulator/v1/{project}:securityRules"
        self.document = f"http://{emulator.firestore}/v1/{DOCUMENTS}/posts/p1"
        self.alice = bearing(unsigned_token(sub="alice", user_id="alice"), "Bearer")
        self.count, self.compiled, self.slowest, self.problems = 0, 0, 0, []

    def run(self, count=None, seconds=None):
        """Tries a number of files, or as many as it can for some time."""
        end = time.monotonic() + (seconds or 1e9)
        while (count is None or self.count < count) and time.monotonic() < end and len(self.problems) < 20:
            self.count += 1
            self._try(self._pattern_file() if self.chance.random() < 0.2 else self._altered_file())

    def _try(self, source):
        start = time.monotonic()
        put = self._ask("PUT", self.rules, source, json={"rules": {"files": [{"name": "f", "content": source}]}})
        if put == 200:
            self.compiled += 1
            self._ask("GET", self.document, source, headers=self.alice)
        self.slowest = max(self.slowest, time.monotonic() - start)

    def _ask(self, method, address, source, **options):
        try:
            status = self.http.request(method, address, timeout=20, **options).status_code
        except requests.RequestException as error:
            self.problems.append(f"{method}: {error!r}: {source!r}")
            return None
        if status not in (200, 400, 403, 404):
            self.problems.append(f"{method} was answered with {status}: {source!r}")
        return status

    def _altered_file(self):
        text = RULES
        for _ in range(self.chance.choice([1, 1, 1, 2, 3, 10])):
            place, other = self.chance.randrange(len(text) + 1), self.chance.randrange(len(text) + 1)
            match self.chance.randrange(6):
                case 0:
                    text = text[:place] + text[place + 1 :]
                case 1 | 2:
                    text = text[:place] + self.chance.choice(WORDS) + text[place:]
                case 3:
                    text = text[: min(place, other)] + text[max(place, other) :]
                case 4:
                    text = text[:place] + text[min(place, other) : max(place, other)] + text[place:]
                case 5:
                    text = text[:place] + self.chance.choice(["(", "[", "!", "{", "/$(", "a.", "&&", "?"]) * self.chance.choice([2, 50, 5_000]) + text[place:]
        return text[:1_000_000]

    def _pattern_file(self):
        pattern = "".join(self.chance.choice(PATTERN_PARTS) for _ in range(self.chance.randint(1, 12)))
        text = "".join(self.chance.choice("ab") for _ in range(20)) * self.chance.choice([1, 3_000])
        # Half of them are known only at run time.
        pattern = f"'{pattern}'" if self.chance.random() < 0.5 else f"'{pattern}' + ''"
        call = self.chance.choice(["matches({})", "replace({}, 'x')", "split({})"]).format(pattern)
        return (
            "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents { match /posts/{p} { allow get: if "
            f"'{text}'.{call} != null; }} }} }}"
        )

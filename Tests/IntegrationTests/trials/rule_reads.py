# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The reads that Security Rules are billed for, beside the count of an observer who follows the rules by hand."""

import random
from dataclasses import dataclass

import requests

from harness import DOCUMENTS
from tokens import bearing, unsigned_token

MEMBERS = 8
COLLECTIONS = 5
RULES = """rules_version = '2';
service cloud.firestore {{
  match /databases/{{database}}/documents {{
    function has(id) {{ return exists(/databases/(default)/documents/members/$(id)); }}
    function name(id) {{ return get(/databases/(default)/documents/members/$(id)).data.name; }}
{}
  }}
}}
"""
OWNER = {"Authorization": "Bearer owner"}


@dataclass
class Look:
    """A condition that looks at a member."""

    member: int
    is_get: bool

    def text(self):
        return f"name('m{self.member}') == 'x'" if self.is_get else f"has('m{self.member}')"


@dataclass
class Pair:
    """Two conditions and what is between them."""

    operator: str
    left: object
    right: object

    def text(self):
        return f"({self.left.text()} {self.operator} {self.right.text()})"


class Observer:
    """Follows the conditions of a batch: which members are looked at, and whether it is allowed."""

    def __init__(self, members, written):
        self.members, self.written, self.read = members, written, set()

    def holds(self, condition):
        """True or false; `None` for a condition without a value."""
        if isinstance(condition, Look):
            if condition.member not in self.written:
                self.read.add(condition.member)
            is_there = condition.member in self.members
            return is_there if not condition.is_get or is_there else None
        decisive = condition.operator == "||"
        left = self.holds(condition.left)
        if left is decisive:
            return left
        right = self.holds(condition.right)
        return right if right is decisive else left if left is None else right

    def allows(self, conditions):
        """Whether each holds: the first that does not ends it."""
        return all(self.holds(condition) is True for condition in conditions)


class RuleReads:
    """The trial: commits batches under rules that look at documents, and compares what was billed."""

    def __init__(self, emulator, seed):
        self.emulator, self.chance = emulator, random.Random(seed)
        self.problems, self.allowed, self.reads, self.number = [], 0, 0, 0
        self.alice = bearing(unsigned_token(sub="alice", user_id="alice"), "Bearer")

    def run(self, count):
        for _ in range(count):
            if self.number % 10 == 0:
                self._begin()
            self._commit()

    def _condition(self, depth):
        if depth == 0 or self.chance.random() < 0.3:
            return Look(self.chance.randrange(MEMBERS), self.chance.random() < 0.5)
        return Pair(self.chance.choice(["&&", "||"]), self._condition(depth - 1), self._condition(depth - 1))

    def _begin(self):
        """Puts other rules in force, and other members there."""
        self.conditions = [self._condition(3) for _ in range(COLLECTIONS)]
        matches = [f"    match /c{n}/{{id}} {{ allow write: if {each.text()}; }}" for n, each in enumerate(self.conditions)]
        matches.append("    match /members/{id} { allow write; }")
        files = [{"name": "firestore.rules", "content": RULES.format("\n".join(matches))}]
        address = f"http://{self.emulator.firestore}/emulator/v1/{'/'.join(DOCUMENTS.split('/')[:2])}:securityRules"
        requests.put(address, json={"rules": {"files": files}}, timeout=20).raise_for_status()
        self.members = {member for member in range(MEMBERS) if self.chance.random() < 0.7}
        writes = [self._write(f"members/m{n}") if n in self.members else {"delete": self._name(f"members/m{n}")} for n in range(MEMBERS)]
        self._send(writes, OWNER).raise_for_status()

    def _commit(self):
        self.number += 1
        collections = [self.chance.randrange(COLLECTIONS) for _ in range(self.chance.randint(1, 4))]
        writes = [self._write(f"c{collection}/{self.number}-{n}") for n, collection in enumerate(collections)]
        written = set(self.chance.sample(sorted(self.members), k=min(len(self.members), self.chance.randint(0, 1))))
        writes += [self._write(f"members/m{member}") for member in written]
        observer = Observer(self.members, written)
        allows = observer.allows([self.conditions[collection] for collection in collections])
        before = self._billed()
        answer = self._send(writes, self.alice)
        billed = self._billed() - before
        if (answer.status_code == 200) != allows or billed != len(observer.read):
            found = f"{answer.status_code} with {billed} reads, not {'200' if allows else '403'} with {len(observer.read)}"
            self.problems.append(f"batch {self.number}: {found}: {[self.conditions[c].text() for c in collections]}")
        self.allowed += allows
        self.reads += billed

    def _billed(self):
        billed = requests.get(f"http://{self.emulator.console}/usage", timeout=20).json()["billed"]
        if billed["documentReads"] != billed["ruleReads"]:
            self.problems.append(f"reads that no rule has caused: {billed}")
        return billed["ruleReads"]

    def _name(self, path):
        return f"{DOCUMENTS}/{path}"

    def _write(self, path):
        return {"update": {"name": self._name(path), "fields": {"name": {"stringValue": "x"}}}}

    def _send(self, writes, headers):
        address = f"http://{self.emulator.firestore}/v1/{DOCUMENTS}:commit"
        return requests.post(address, json={"writes": writes}, headers=headers, timeout=20)

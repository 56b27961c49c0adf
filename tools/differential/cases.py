# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""What to ask: a database and calls on it. The number of a case and the seed make all of it."""

import dataclasses
from random import Random

from commits import WriteMaker
from queries import QueryMaker
from reads import ReadMaker
from refusals import Spoiler
from worlds import make_documents

CASES_PER_WORLD = 250
SPOILT_SHARE = 0.13

EVERYTHING = {"structuredQuery": {"from": [{"allDescendants": True}]}}


@dataclasses.dataclass(frozen=True)
class Call:
    """One request, its path below the documents of the database."""

    method: str
    target: str
    body: object = None
    #: The list of the answer that comes in pages, if it does.
    paging: str | None = None

    @property
    def is_query(self):
        return self.target.endswith((":runQuery", ":runAggregationQuery"))


@dataclasses.dataclass(frozen=True)
class Case:
    """Documents as (path, fields) and the calls to make on them, one after the other."""

    number: int
    kind: str
    documents: tuple
    calls: tuple
    #: Whether the calls write: such a case has a database of its own, which is compared afterwards.
    writes: bool = False


class CaseMaker:
    """Makes the cases of a run."""

    def __init__(self, seed, query_count, read_count, write_count):
        self.seed = seed
        self.kinds = ["query"] * query_count + ["read"] * read_count + ["write"] * write_count
        self.worlds = {}

    @property
    def count(self):
        return len(self.kinds)

    def world_number(self, number):
        """The database a case shares with others."""
        return number // CASES_PER_WORLD

    def world(self, number):
        index = self.world_number(number)
        if index not in self.worlds:
            self.worlds[index] = tuple(make_documents(Random(f"{self.seed}/world/{index}")))
        return self.worlds[index]

    def case(self, number):
        random = Random(f"{self.seed}/case/{number}")
        match self.kinds[number]:
            case "query":
                documents = self.world(number)
                target, body = QueryMaker(random, documents).request()
                if random.random() < SPOILT_SHARE:
                    target, body = Spoiler(random).spoil(target, body)
                return Case(number, "query", documents, (Call("POST", target, body),))
            case "read":
                documents = self.world(number)
                return Case(number, "read", documents, (Call(*ReadMaker(random, documents).call()),))
            case "write":
                maker = WriteMaker(random)
                documents = tuple(maker.documents())
                return Case(number, "write", documents, tuple(Call(*call) for call in maker.calls()), writes=True)

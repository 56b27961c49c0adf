# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Requests and the verdicts of production's Security Rules on them, as davideast/pyric (Apache-2.0) has recorded them.

Most come from the hosted Test API, which judges mocks: `corpus` has the rules and the requests, `observations` the verdicts.
pyric_buckets has those that were recorded on real buckets.
"""

import dataclasses
import json
import pathlib
from typing import NamedTuple

from typescript_literals import Source

ADDRESS = "https://github.com/davideast/pyric"
FIRESTORE, STORAGE = "firestore", "storage"
BUCKET = "demo-pyric.appspot.com"
CONFORMANCE = pathlib.Path("packages/conformance")


class Document(NamedTuple):
    """What Firestore holds before a request; without a project, in the project of the case."""

    path: str
    fields: dict
    database: str = "(default)"
    project: str | None = None


@dataclasses.dataclass(frozen=True)
class Case:
    """A request under rules, and production's verdict: ALLOW, DENY, or RULES_ERROR for rules that are refused."""

    name: str
    verdict: str
    # Files of rules, or a function that makes them of the metadata of stored objects by name.
    rules: object
    method: str
    path: str
    caller: dict | None = None
    incoming: dict | None = None
    existing: dict | None = None
    documents: tuple = ()
    time: str | None = None
    bucket: str = BUCKET
    content: bytes | None = None
    # Objects that are stored before, whose metadata the rules are made of.
    stored: tuple = ()
    # Firestore's documents of a commit.
    writes: dict = dataclasses.field(default_factory=dict)
    firestore_rules: str | None = None
    notes: tuple = ()

    @property
    def product(self):
        return self.name.partition(":")[0]

    def with_text(self, old, new):
        """The case with other words in its rules."""
        return dataclasses.replace(self, rules=[text.replace(old, new) for text in self.rules])


class Checkout:
    """A clone of pyric."""

    def __init__(self, folder):
        self.folder = folder / CONFORMANCE
        if not (self.folder / "rules-corpus").is_dir():
            raise FileNotFoundError(f"{folder} is not a clone of pyric: git clone --depth 1 {ADDRESS} {folder}")

    def source(self, name):
        return Source((self.folder / name).read_text(encoding="utf-8"))

    def observation(self, product, name):
        return json.loads((self.folder / f"observations/{product}-rules/{name}.json").read_text(encoding="utf-8"))

    def scenarios(self, product):
        """Each scenario by its id."""
        for file in sorted((self.folder / "rules-corpus" / product).glob("*.ts")):
            if file.stem not in ("index", "load", "types"):
                yield file.stem, self.source(file).constants()["scenario"]


def cases(checkout):
    """All that the Test API judged."""
    for product in (FIRESTORE, STORAGE):
        for identifier, scenario in checkout.scenarios(product):
            observation = checkout.observation(product, f"rules-{product}-{identifier}")
            yield from scenario_cases(f"{product}: {identifier}", scenario["rules"], scenario["cases"], observation)
    discovery = checkout.source("src/run-storage-stdlib-discovery.ts")
    yield from boundary_cases(discovery, checkout.observation(STORAGE, "stdlib-storage-p0-source-boundaries"))
    yield from family_cases(discovery, checkout.observation(STORAGE, "stdlib-storage-p1-universal-families"))
    scope = {"p2Case": lambda description, request: {"description": description, **request}}
    rules, described = discovery.constant("P2_RULES"), discovery.constant("P2_CASES", scope)
    observation = checkout.observation(STORAGE, "stdlib-storage-p2-native-advanced")
    yield from scenario_cases(f"{STORAGE}: p2", rules, described, observation)


def scenario_cases(prefix, rules, described, observation):
    for case in described:
        description = case["description"]
        document_fields = case.get("resource")
        yield Case(
            name=f"{prefix}: {description}",
            verdict=observation["behavior"][description],
            rules=[rules],
            method=case["method"],
            path=case["path"],
            caller=case.get("auth"),
            incoming=case.get("data") if prefix.startswith(FIRESTORE) else case.get("resource"),
            existing=document_fields if prefix.startswith(FIRESTORE) else case.get("existingResource"),
            documents=mocked_documents(case.get("functionMocks", [])),
            time=case.get("requestTime"),
            bucket=case.get("bucket", BUCKET),
            notes=notes(observation, description),
        )


def boundary_cases(discovery, observation):
    """Rules in several files, and imports: the same for both products."""
    for product in (FIRESTORE, STORAGE):
        scope = {"engine": product, "main": f"{product}.rules"}
        scope["mainSource"] = lambda engine, version, prelude, condition: discovery.returned(
            "mainSource",
            {"version": version, "prelude": prelude, "condition": condition},
            branch=[FIRESTORE, STORAGE].index(engine),
        )
        for name in ("helper", "exported", "importedMain"):
            scope[name] = discovery.constant(name, scope, inside="sourceShapes")
        for shape in discovery.returned("sourceShapes", scope):
            verdict = observation["behavior"][f"{product}: {shape['id']}"]
            # The Test API refuses the call where a server refuses the rules.
            verdict = "RULES_ERROR" if verdict == "INVALID_ARGUMENT" else verdict
            files = [file["content"] for file in shape["files"]]
            yield Case(f"{product}: p0: {shape['id']}", verdict, files, "get", "probe/x")


def family_cases(discovery, observation):
    """Functions of the language that both products share."""
    for branch, product in enumerate((FIRESTORE, STORAGE)):
        for family, expressions in discovery.constant("P1_FAMILIES").items():
            condition = " && ".join(f"({expression})" for expression in expressions)
            rules = discovery.returned("p1Rules", {"condition": condition}, branch)
            key = f"{product}: {family}"
            found = notes(observation, key)
            yield Case(f"{product}: p1: {family}", observation["behavior"][key], [rules], "get", "probe/x", notes=found)


def mocked_documents(mocks):
    """Documents that make mocks true: that of a `get`, or an empty one that exists."""
    stored = {}
    for mock in mocks:
        if mock["function"] == "get":
            stored[mock["path"]] = mock["result"]
        elif mock["result"] is True:
            stored.setdefault(mock["path"], {})
    return tuple(Document(path, fields) for path, fields in stored.items())


def notes(observation, description):
    """Production's own words on a verdict."""
    diagnostics = observation.get("diagnostics", {})
    diagnostic = diagnostics.get("hostedTestApiLimitation", diagnostics).get(description, {})
    return tuple(diagnostic.get("notes") or ()) if isinstance(diagnostic, dict) else ()

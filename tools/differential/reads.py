# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Random reads that are no queries: single documents, batches, listings of documents and collections, page by page."""

from urllib.parse import quote

from refusals import BAD_PATHS, BAD_REFERENCES
from worlds import COLLECTIONS, QUERY_PATHS

PARENTS = ["", "/c/a", "/d/a", "/d/a/c/b", "/ghost/none", "/c/nowhere", "/ghost", "/c/__id7__"]
ORDERS = [
    "n", "n desc", "n DESC, s asc", "s,n", "__name__", "__name__ desc", "n, __name__ desc", "`a.b`", "m.a desc", "x",
    "n sideways", "n asc desc", ",", "n,", "n, n", "a..b", "__x__", "__name__, n", " n ", "`we ird` desc",
]  # fmt: skip


class ReadMaker:
    """Makes calls that read one database."""

    def __init__(self, random, documents):
        self.random = random
        self.documents = documents

    def call(self):
        """A call as (method, path below the documents, body, kind of paging or nothing)."""
        dice = self.random.random()
        if dice < 0.15:
            return "GET", f"/{self.path()}{self.parameters(self.masks())}", None, None
        if dice < 0.4:
            return "POST", ":batchGet", self.batch(), None
        if dice < 0.8:
            return "GET", f"/{self.collection()}{self.parameters(self.masks() + self.listing())}", None, "documents"
        body = {}
        if self.random.random() < 0.7:
            body["pageSize"] = self.random.choice([1, 2, 3, 100, 0, -1, "2", "x"])
        if self.random.random() < 0.05:
            body["pageToken"] = self.random.choice(["", "garbage", "AAAA"])
        return "POST", f"{self.random.choice(PARENTS)}:listCollectionIds", body, "collections"

    def path(self):
        if self.random.random() < 0.3:
            return self.random.choice(["c/none", "c/.", "c/__x__", "__x__/a", "c/" + "x" * 1501, "ghost/none"])
        return quote(self.random.choice(self.documents)[0])

    def collection(self):
        collections = [*COLLECTIONS, "ghost", "c/none/deep", "c/nowhere/e", "__x__", "none"]
        return quote(self.random.choice(collections))

    def masks(self):
        if self.random.random() < 0.7:
            return []
        paths = self.random.sample(QUERY_PATHS, 2) + (["__name__"] if self.random.random() < 0.2 else [])
        if self.random.random() < 0.15:
            paths = [self.random.choice(BAD_PATHS)]
        return [("mask.fieldPaths", path) for path in paths]

    def listing(self):
        parts = []
        if self.random.random() < 0.6:
            # Not "x": the official emulator never answers that.
            parts.append(("pageSize", self.random.choice(["1", "2", "3", "5", "300", "0", "-1", "7"])))
        if self.random.random() < 0.4:
            parts.append(("orderBy", self.random.choice(ORDERS)))
        if self.random.random() < 0.35:
            parts.append(("showMissing", self.random.choice(["true", "true", "false"])))
        if self.random.random() < 0.05:
            parts.append(("pageToken", "garbage"))
        return parts

    def parameters(self, parts):
        return "?" + "&".join(f"{name}={quote(value, safe='')}" for name, value in parts) if parts else ""

    def batch(self):
        names = [f"$DOCS/{self.random.choice(self.documents)[0]}" for _ in range(self.random.choice([0, 1, 2, 4]))]
        if self.random.random() < 0.4:
            names.append("$DOCS/c/none")
        if self.random.random() < 0.08:
            names.append(self.random.choice(BAD_REFERENCES))
        body = {"documents": names}
        if self.random.random() < 0.4:
            paths = self.random.sample(QUERY_PATHS, self.random.choice([0, 1, 2]))
            if self.random.random() < 0.1:
                paths.append(self.random.choice(BAD_PATHS))
            body["mask"] = {"fieldPaths": paths}
        return body

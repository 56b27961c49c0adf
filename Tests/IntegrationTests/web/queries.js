// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import { fire, ids, test } from "/web/suite.js";

const { where, orderBy, limit, limitToLast, startAt, startAfter, endAt, endBefore, documentId, and, or } = fire;

const CITIES = {
  a: { name: "Aachen", people: 250, tags: ["west", "old"], state: "NW", at: new fire.Timestamp(10, 0), area: 160.8 },
  b: { name: "Berlin", people: 3_700, tags: ["east", "capital"], state: "BE", at: new fire.Timestamp(20, 0), area: 891.1 },
  c: { name: "Celle", people: 70, tags: ["north"], state: "NI", at: new fire.Timestamp(30, 0) },
  d: { name: "Dresden", people: 560, tags: ["east", "old"], state: "SN", at: new fire.Timestamp(40, 0), area: null },
  e: { name: "Essen", people: 580, tags: ["west"], state: "NW", at: new fire.Timestamp(50, 0), area: NaN },
  f: { name: "Flensburg", people: 90, tags: [], state: "SH", area: 56.7, map: { x: 1 } },
};

let filled = null;

/** The collection of cities, which is made once. */
async function cities(t) {
  filled ??= (await t.filled(CITIES)).path;
  return fire.collection(t.db, filled);
}

const QUERIES = {
  "everything": [[], "a b c d e f"],
  "equal to a text": [[where("state", "==", "NW")], "a e"],
  "equal to a number": [[where("people", "==", 70)], "c"],
  "equal to a map": [[where("map", "==", { x: 1 })], "f"],
  "equal to a list": [[where("tags", "==", ["west", "old"])], "a"],
  "equal to null": [[where("area", "==", null)], "d"],
  "equal to NaN": [[where("area", "==", NaN)], "e"],
  "not null": [[where("area", "!=", null)], "e f a b"],
  "not NaN": [[where("area", "!=", NaN)], "f a b"],
  "unequal": [[where("state", "!=", "NW")], "b c f d"],
  "less": [[where("people", "<", 250)], "c f"],
  "less or equal": [[where("people", "<=", 250)], "c f a"],
  "greater": [[where("people", ">", 560)], "e b"],
  "greater or equal": [[where("people", ">=", 560)], "d e b"],
  "a range": [[where("people", ">", 80), where("people", "<", 570)], "f a d"],
  "a range of times": [[where("at", ">=", new fire.Timestamp(20, 0)), where("at", "<", new fire.Timestamp(50, 0))], "b c d"],
  "in": [[where("state", "in", ["NW", "BE", "XX"])], "a b e"],
  "not in": [[where("state", "not-in", ["NW", "BE"])], "c f d"],
  "array-contains": [[where("tags", "array-contains", "east")], "b d"],
  "array-contains-any": [[where("tags", "array-contains-any", ["capital", "north"])], "b c"],
  "two equalities": [[where("state", "==", "NW"), where("people", "==", 580)], "e"],
  "equality and range": [[where("state", "==", "NW"), where("people", ">", 300)], "e"],
  "ranges of two fields": [[where("people", ">", 80), where("area", ">", 100)], "a b"],
  "or": [[or(where("state", "==", "BE"), where("people", "<", 80))], "c b"],
  "and in or": [[or(and(where("state", "==", "NW"), where("people", ">", 300)), where("state", "==", "SH"))], "f e"],
  "or in and": [[and(where("people", ">", 80), or(where("state", "==", "NW"), where("state", "==", "SH")))], "f a e"],
  "by a field": [[orderBy("people")], "c f a d e b"],
  "by a field, downwards": [[orderBy("people", "desc")], "b e d a f c"],
  "by a field that some lack": [[orderBy("area")], "d e f a b"],
  "by two fields": [[orderBy("state"), orderBy("people", "desc")], "b c e a f d"],
  "by the name": [[orderBy(documentId())], "a b c d e f"],
  "by the name, downwards": [[orderBy(documentId(), "desc")], "f e d c b a"],
  "the first": [[orderBy("people"), limit(2)], "c f"],
  "the last": [[orderBy("people"), limitToLast(2)], "e b"],
  "startAt": [[orderBy("people"), startAt(560)], "d e b"],
  "startAfter": [[orderBy("people"), startAfter(560)], "e b"],
  "endAt": [[orderBy("people"), endAt(250)], "c f a"],
  "endBefore": [[orderBy("people"), endBefore(250)], "c f"],
  "from and to": [[orderBy("people"), startAt(90), endBefore(580)], "f a d"],
  "a cursor of two fields": [[orderBy("state"), orderBy("people"), startAt("NW", 300)], "e f d"],
  "a cursor, downwards": [[orderBy("people", "desc"), startAfter(580)], "d a f c"],
  "the last before a cursor": [[orderBy("people"), endBefore(580), limitToLast(2)], "a d"],
  "names": [[where(documentId(), "in", ["a", "c", "x"])], "a c"],
  "names from one on": [[where(documentId(), ">", "c")], "d e f"],
  "a member of a map": [[where("map.x", "==", 1)], "f"],
};

for (const [name, [constraints, expected]] of Object.entries(QUERIES)) {
  test(`a query: ${name}`, async (t) => {
    const query = fire.query(await cities(t), ...constraints);
    t.equal(ids(await fire.getDocs(query)), expected, "from the server");
    // What is in the cache is found by the SDK itself: both must know the same documents.
    await fire.getDocs(await cities(t));
    t.equal(ids(await fire.getDocsFromCache(query)), expected, "from the cache");
  });
}

test("a query that finds nothing", async (t) => {
  const snapshot = await fire.getDocs(t.collection());
  t.equal([snapshot.empty, snapshot.size, snapshot.metadata.fromCache], [true, 0, false]);
});

test("pages, each behind the last document of the one before", async (t) => {
  const found = [];
  let last = null;
  for (;;) {
    const query = fire.query(await cities(t), orderBy("people"), ...(last ? [startAfter(last)] : []), limit(2));
    const page = await fire.getDocs(query);
    if (page.empty) break;
    found.push(ids(page));
    last = page.docs.at(-1);
  }
  t.equal(found, ["c f", "a d", "e b"]);
});

test("a collection group", async (t) => {
  const group = `g${Math.random().toString(36).slice(2)}`;
  for (const path of [`${group}/one`, `a/b/${group}/two`, `a/b/c/d/${group}/three`, `a/b/${group}x/four`])
    await fire.setDoc(fire.doc(t.db, path), { n: path.length });
  const found = await fire.getDocs(fire.query(fire.collectionGroup(t.other(), group), orderBy("n")));
  t.equal(ids(found), "one two three");
});

test("a query that the server refuses", async (t) => {
  const many = Array.from({ length: 31 }, (_, n) => n);
  await t.refused("invalid-argument", (async () => fire.getDocs(fire.query(t.collection(), where("n", "in", many))))());
});

test("a query of the server alone", async (t) => {
  const snapshot = await fire.getDocsFromServer(fire.query(await cities(t), orderBy("people"), limit(1)));
  t.equal([ids(snapshot), snapshot.metadata.fromCache], ["c", false]);
});

for (const [name, constraints, expected] of [
  ["of everything", [], { count: 6, people: 5_250, average: 875 }],
  ["of a query", [where("state", "==", "NW")], { count: 2, people: 830, average: 415 }],
  ["of nothing", [where("state", "==", "none")], { count: 0, people: 0, average: null }],
  ["with a limit", [orderBy("people"), limit(3)], { count: 3, people: 410, average: 410 / 3 }],
]) {
  test(`count, sum and average ${name}`, async (t) => {
    const query = fire.query(await cities(t), ...constraints);
    const fields = { count: fire.count(), people: fire.sum("people"), average: fire.average("people") };
    t.equal((await fire.getAggregateFromServer(query, fields)).data(), expected);
    t.equal((await fire.getCountFromServer(query)).data().count, expected.count);
  });
}

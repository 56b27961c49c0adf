// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import { fire, test, text } from "/web/suite.js";

const deep = (depth) => (depth === 0 ? 1 : { m: deep(depth - 1) });

const VALUES = {
  "null": null,
  "true": true,
  "false": false,
  "zero": 0,
  "minus zero": -0,
  "an integer": 42,
  "the largest safe integer": Number.MAX_SAFE_INTEGER,
  "the smallest safe integer": Number.MIN_SAFE_INTEGER,
  "an integer beyond 2^53": 2 ** 60,
  "a fraction": 0.1,
  "a tiny number": 5e-324,
  "a huge number": 1.7976931348623157e308,
  "not a number": NaN,
  "infinity": Infinity,
  "minus infinity": -Infinity,
  "an empty text": "",
  "a text": "hello",
  "letters of other scripts": "Grüße, мир, 世界",
  "emoji beyond the basic plane": "👩‍👩‍👧 and 😀😀",
  "control characters": "\u0000\u0001\t\n\r\u2028\u2029",
  "quotes and backslashes": "\"'\\/&=%+#",
  "a long text": "ab€😀".repeat(20_000),
  "no bytes": fire.Bytes.fromUint8Array(new Uint8Array()),
  "all bytes": fire.Bytes.fromUint8Array(Uint8Array.from({ length: 256 }, (_, n) => n)),
  "a time of whole seconds": new fire.Timestamp(1_700_000_000, 0),
  "a time with microseconds": new fire.Timestamp(1_700_000_000, 123_456_000),
  "a time before 1970": new fire.Timestamp(-62_135_596_800, 0),
  "the last time": new fire.Timestamp(253_402_300_799, 999_999_000),
  "a point": new fire.GeoPoint(52.5, -13.25),
  "a point at the edge": new fire.GeoPoint(-90, 180),
  "an empty list": [],
  "a list": [1, "two", null, { three: 3 }],
  "a list in a map in a list": [{ list: [1, 2] }],
  "an empty map": {},
  "a map": { a: 1, b: { c: [true] } },
  "a map of depth 19": deep(19),
  "a vector": fire.vector([0.5, -1, 3]),
  "a vector of 2,048 numbers": fire.vector(Array.from({ length: 2_048 }, (_, n) => n / 7)),
};

for (const [name, value] of Object.entries(VALUES)) {
  test(`a value is read as it was written: ${name}`, async (t) => {
    const document = fire.doc(t.collection(), "d");
    await fire.setDoc(document, { value });
    const read = await fire.getDoc(fire.doc(t.other(), document.path));
    t.equal(text(read.data().value).length < 1_000 ? read.data().value : text(read.data().value) === text(value),
      text(value).length < 1_000 ? value : true);
  });
}

test("a value is read as it was written: a reference", async (t) => {
  const document = fire.doc(t.collection(), "d");
  await fire.setDoc(document, { value: fire.doc(t.db, "other/one/sub/two") });
  t.equal((await fire.getDoc(fire.doc(t.other(), document.path))).data().value.path, "other/one/sub/two");
});

test("a time's nanoseconds are cut to microseconds", async (t) => {
  const document = fire.doc(t.collection(), "d");
  await fire.setDoc(document, { at: new fire.Timestamp(1_700_000_000, 123_456_789) });
  t.equal((await fire.getDoc(fire.doc(t.other(), document.path))).data().at, new fire.Timestamp(1_700_000_000, 123_456_000));
});

const NAMES = ["a.b", "`tick`", "with space", "ünï", "1digit", "a/b", "[0]", "~*", "x".repeat(1_000), "__a"];

for (const name of NAMES) {
  test(`a field may be called ${name.slice(0, 20)}`, async (t) => {
    const document = fire.doc(t.collection(), "d");
    await fire.setDoc(document, { [name]: 1, other: 2 });
    await fire.updateDoc(document, new fire.FieldPath(name), 3);
    t.equal((await fire.getDoc(fire.doc(t.other(), document.path))).data(), { [name]: 3, other: 2 });
  });
}

const IDS = ["plain", "with space", "ünï-世界", "😀", "a.b", "a?b&c=d#e%f+g", "~", "x".repeat(1_000)];

for (const id of IDS) {
  test(`a document may be called ${id.slice(0, 20)}`, async (t) => {
    await fire.setDoc(fire.doc(t.collection(), id), { n: 1 });
    t.equal((await fire.getDocs(t.collection(t.other()))).docs.map((document) => document.id), [id]);
  });
}

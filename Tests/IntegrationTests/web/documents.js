// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import { fire, test, ids } from "/web/suite.js";

const read = async (t, document) => (await fire.getDoc(fire.doc(t.other(), document.path))).data();

test("a document that is not there", async (t) => {
  const snapshot = await fire.getDoc(fire.doc(t.collection(), "none"));
  t.equal([snapshot.exists(), snapshot.data(), snapshot.metadata.fromCache], [false, undefined, false]);
});

test("set makes a document, and replaces it", async (t) => {
  const document = fire.doc(t.collection(), "d");
  await fire.setDoc(document, { a: 1 });
  await fire.setDoc(document, { b: 2 });
  t.equal(await read(t, document), { b: 2 });
});

test("set merges", async (t) => {
  const document = fire.doc(t.collection(), "d");
  await fire.setDoc(document, { a: 1, m: { x: 1 } });
  await fire.setDoc(document, { b: 2, m: { y: 2 } }, { merge: true });
  t.equal(await read(t, document), { a: 1, b: 2, m: { x: 1, y: 2 } });
});

test("set merges named fields", async (t) => {
  const document = fire.doc(t.collection(), "d");
  await fire.setDoc(document, { a: 1, b: 1 });
  await fire.setDoc(document, { a: 2, b: 2, m: { x: 3 } }, { mergeFields: ["a", "m.x"] });
  t.equal(await read(t, document), { a: 2, b: 1, m: { x: 3 } });
});

test("merging nothing makes an empty document", async (t) => {
  const document = fire.doc(t.collection(), "d");
  await fire.setDoc(document, {}, { merge: true });
  t.equal(await read(t, document), {});
});

test("add gives a document an id", async (t) => {
  const document = await fire.addDoc(t.collection(), { n: 1 });
  t.isTrue(/^[A-Za-z0-9]{20}$/.test(document.id), document.id);
  t.equal(await read(t, document), { n: 1 });
});

test("update changes fields, also deep ones", async (t) => {
  const document = fire.doc(t.collection(), "d");
  await fire.setDoc(document, { a: 1, m: { x: 1, y: 1 } });
  await fire.updateDoc(document, { a: 2, "m.x": 2, "n.z": 3 });
  t.equal(await read(t, document), { a: 2, m: { x: 2, y: 1 }, n: { z: 3 } });
});

test("update of a document that is not there is refused", async (t) => {
  await t.refused("not-found", fire.updateDoc(fire.doc(t.collection(), "none"), { a: 1 }));
});

test("what is refused locally is taken back", async (t) => {
  const document = fire.doc(t.collection(), "none");
  const events = t.listen(document, { includeMetadataChanges: true });
  await events.until((snapshot) => !snapshot.metadata.fromCache);
  await t.refused("not-found", fire.updateDoc(document, { a: 1 }));
  t.equal((await fire.getDoc(document)).exists(), false);
});

test("delete removes a document, and one that is not there", async (t) => {
  const document = fire.doc(t.collection(), "d");
  await fire.setDoc(document, { a: 1 });
  await fire.deleteDoc(document);
  await fire.deleteDoc(document);
  t.equal(await read(t, document), undefined);
});

test("a deleted document leaves those below it", async (t) => {
  const document = fire.doc(t.collection(), "d");
  await fire.setDoc(fire.doc(document, "sub/one"), { n: 1 });
  await fire.setDoc(document, { a: 1 });
  await fire.deleteDoc(document);
  t.equal(ids(await fire.getDocs(fire.collection(fire.doc(t.other(), document.path), "sub"))), "one");
});

test("deleteField removes a field", async (t) => {
  const document = fire.doc(t.collection(), "d");
  await fire.setDoc(document, { a: 1, b: 2 });
  await fire.updateDoc(document, { a: fire.deleteField() });
  t.equal(await read(t, document), { b: 2 });
});

test("the server's time is set", async (t) => {
  const document = fire.doc(t.collection(), "d");
  const before = Date.now() - 60_000;
  await fire.setDoc(document, { at: fire.serverTimestamp() });
  const at = (await read(t, document)).at.toMillis();
  t.isTrue(at > before && at < Date.now() + 60_000, at);
});

test("all server times of a commit are the same", async (t) => {
  const [one, two] = ["one", "two"].map((id) => fire.doc(t.collection(), id));
  const batch = fire.writeBatch(t.db);
  batch.set(one, { at: fire.serverTimestamp() });
  batch.set(two, { at: fire.serverTimestamp(), m: { at: fire.serverTimestamp() } });
  await batch.commit();
  const [a, b] = [await read(t, one), await read(t, two)];
  t.equal([a.at, b.at], [b.at, b.m.at]);
});

for (const [behavior, isExpected] of Object.entries({
  none: (value) => value === null,
  estimate: (value) => value instanceof fire.Timestamp,
  previous: (value) => value === "before",
})) {
  test(`a time that the server has not set yet: ${behavior}`, async (t) => {
    const document = fire.doc(t.collection(), "d");
    await fire.setDoc(document, { at: "before" });
    const events = t.listen(document);
    await events.next();
    const written = fire.updateDoc(document, { at: fire.serverTimestamp() });
    const snapshot = await events.next();
    t.isTrue(isExpected(snapshot.get("at", { serverTimestamps: behavior })), snapshot.get("at", { serverTimestamps: behavior }));
    await written;
  });
}

for (const [name, before, by, after] of [
  ["an integer", 1, 2, 3],
  ["a fraction", 1, 0.5, 1.5],
  ["downwards", 1, -3, -2],
  ["a text, which is replaced", "text", 5, 5],
  ["a field that is not there", undefined, 5, 5],
]) {
  test(`increment: ${name}`, async (t) => {
    const document = fire.doc(t.collection(), "d");
    await fire.setDoc(document, before === undefined ? {} : { n: before });
    await fire.updateDoc(document, { n: fire.increment(by) });
    t.equal(await read(t, document), { n: after });
  });
}

for (const [name, before, change, after] of [
  ["arrayUnion adds what is not there", [1, 2], fire.arrayUnion(2, 3), [1, 2, 3]],
  ["arrayUnion makes a list", undefined, fire.arrayUnion("a"), ["a"]],
  ["arrayUnion of maps", [{ a: 1 }], fire.arrayUnion({ a: 1 }, { b: 2 }), [{ a: 1 }, { b: 2 }]],
  ["arrayUnion replaces what is no list", "text", fire.arrayUnion(1), [1]],
  ["arrayRemove removes every one", [1, 2, 1], fire.arrayRemove(1), [2]],
  ["arrayRemove of what is not there", [1], fire.arrayRemove(5), [1]],
  ["arrayRemove of a field that is not there", undefined, fire.arrayRemove(5), []],
]) {
  test(name, async (t) => {
    const document = fire.doc(t.collection(), "d");
    await fire.setDoc(document, before === undefined ? {} : { list: before });
    await fire.updateDoc(document, { list: change });
    t.equal(await read(t, document), { list: after });
  });
}

test("a batch is written at one time", async (t) => {
  const collection = t.collection();
  const batch = fire.writeBatch(t.db);
  batch.set(fire.doc(collection, "a"), { n: 1 });
  batch.set(fire.doc(collection, "b"), { n: 2 });
  batch.delete(fire.doc(collection, "c"));
  await batch.commit();
  t.equal(ids(await fire.getDocs(t.collection(t.other()))), "a b");
});

test("a batch of which one write fails writes nothing", async (t) => {
  const collection = t.collection();
  const batch = fire.writeBatch(t.db);
  batch.set(fire.doc(collection, "a"), { n: 1 });
  batch.update(fire.doc(collection, "none"), { n: 2 });
  await t.refused("not-found", batch.commit());
  t.equal(ids(await fire.getDocs(t.collection(t.other()))), "");
});

test("a batch writes one document several times, in order", async (t) => {
  const document = fire.doc(t.collection(), "d");
  const batch = fire.writeBatch(t.db);
  batch.set(document, { n: 1 });
  batch.update(document, { n: fire.increment(1), m: 1 });
  batch.delete(document);
  batch.set(document, { n: 10 });
  batch.update(document, { n: fire.increment(5) });
  await batch.commit();
  t.equal(await read(t, document), { n: 15 });
});

test("a batch of 500 writes", async (t) => {
  const collection = t.collection();
  const batch = fire.writeBatch(t.db);
  for (let n = 0; n < 500; n++) batch.set(fire.doc(collection, `d${n}`), { n });
  await batch.commit();
  t.equal((await fire.getCountFromServer(t.collection(t.other()))).data().count, 500);
});

test("writes are made in their order, without waiting for each", async (t) => {
  const document = fire.doc(t.collection(), "d");
  const writes = [];
  for (let n = 0; n < 100; n++) writes.push(fire.setDoc(document, { n }));
  await Promise.all(writes);
  t.equal(await read(t, document), { n: 99 });
});

test("a document of almost a megabyte", async (t) => {
  const document = fire.doc(t.collection(), "d");
  const text = "é".repeat(520_000);
  await fire.setDoc(document, { text });
  t.isTrue((await read(t, document)).text === text, "the text is the same");
});

test("a document of more than a megabyte is refused", async (t) => {
  await t.refused("invalid-argument", fire.setDoc(fire.doc(t.collection(), "d"), { text: "x".repeat(1_100_000) }));
});

test("a name that is reserved is refused", async (t) => {
  await t.refused("invalid-argument", fire.setDoc(fire.doc(t.collection(), "__reserved__"), { n: 1 }));
});

test("writes after one that was refused are made", async (t) => {
  const collection = t.collection();
  const refused = t.refused("not-found", fire.updateDoc(fire.doc(collection, "none"), { a: 1 }));
  const written = fire.setDoc(fire.doc(collection, "d"), { a: 1 });
  await refused;
  await written;
  t.equal(ids(await fire.getDocs(t.collection(t.other()))), "d");
});

test("a converter", async (t) => {
  const converter = { toFirestore: (post) => ({ title: post.name }), fromFirestore: (snapshot) => ({ name: snapshot.get("title") }) };
  const document = fire.doc(t.collection(), "d").withConverter(converter);
  await fire.setDoc(document, { name: "first" });
  t.equal((await fire.getDoc(document)).data(), { name: "first" });
});

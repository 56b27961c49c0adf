// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import { fire, ids, test } from "/web/suite.js";

const changes = (snapshot) => snapshot.docChanges().map((change) => `${change.type} ${change.doc.id}`).join(", ");
const isOfServer = (snapshot) => !snapshot.metadata.fromCache && !snapshot.metadata.hasPendingWrites;

test("a listener is told what there is", async (t) => {
  const collection = await t.filled({ a: { n: 1 }, b: { n: 2 } });
  const events = t.listen(fire.collection(t.other(), collection.path));
  const snapshot = await events.next();
  t.equal([changes(snapshot), snapshot.metadata.fromCache], ["added a, added b", false]);
});

test("a listener of nothing is told so", async (t) => {
  const snapshot = await t.listen(t.collection()).next();
  t.equal([snapshot.size, snapshot.metadata.fromCache], [0, false]);
});

test("a listener is told of what others add, change and remove", async (t) => {
  const other = t.other();
  const events = t.listen(t.collection());
  await events.next();
  const document = fire.doc(t.collection(other), "d");
  await fire.setDoc(document, { n: 1 });
  t.equal(changes(await events.next()), "added d");
  await fire.setDoc(document, { n: 2 });
  t.equal(changes(await events.next()), "modified d");
  await fire.deleteDoc(document);
  t.equal(changes(await events.next()), "removed d");
});

test("a listener of one document", async (t) => {
  const other = t.other();
  const path = `${t.collection().path}/d`;
  const events = t.listen(fire.doc(t.db, path));
  t.equal((await events.next()).exists(), false);
  await fire.setDoc(fire.doc(other, path), { n: 1 });
  t.equal((await events.next()).data(), { n: 1 });
  await fire.updateDoc(fire.doc(other, path), { m: 2 });
  t.equal((await events.next()).data(), { n: 1, m: 2 });
  await fire.deleteDoc(fire.doc(other, path));
  t.equal((await events.next()).exists(), false);
});

test("documents enter and leave a query", async (t) => {
  const collection = await t.filled({ a: { n: 1 }, b: { n: 5 } });
  const events = t.listen(fire.query(collection, fire.where("n", ">", 3)));
  t.equal(ids(await events.next()), "b");
  const other = t.collection(t.other());
  await fire.updateDoc(fire.doc(other, "a"), { n: 10 });
  t.equal(changes(await events.next()), "added a");
  await fire.updateDoc(fire.doc(other, "b"), { n: 0 });
  t.equal(changes(await events.next()), "removed b");
});

test("documents change places", async (t) => {
  const collection = await t.filled({ a: { n: 1 }, b: { n: 2 }, c: { n: 3 } });
  const events = t.listen(fire.query(collection, fire.orderBy("n")));
  await events.next();
  await fire.updateDoc(fire.doc(t.collection(t.other()), "a"), { n: 9 });
  const snapshot = await events.next();
  const [change] = snapshot.docChanges();
  t.equal([ids(snapshot), change.oldIndex, change.newIndex], ["b c a", 0, 2]);
});

test("a limit: one comes in for one that goes", async (t) => {
  const collection = await t.filled({ a: { n: 1 }, b: { n: 2 }, c: { n: 3 } });
  const events = t.listen(fire.query(collection, fire.orderBy("n"), fire.limit(2)));
  t.equal(ids(await events.next()), "a b");
  await fire.deleteDoc(fire.doc(t.collection(t.other()), "a"));
  t.equal(ids(await events.until((snapshot) => isOfServer(snapshot) && snapshot.size === 2)), "b c");
});

test("a limit to the last", async (t) => {
  const collection = await t.filled({ a: { n: 1 }, b: { n: 2 }, c: { n: 3 } });
  const events = t.listen(fire.query(collection, fire.orderBy("n"), fire.limitToLast(2)));
  t.equal(ids(await events.next()), "b c");
  await fire.setDoc(fire.doc(t.collection(t.other()), "d"), { n: 4 });
  t.equal(ids(await events.until((snapshot) => isOfServer(snapshot) && ids(snapshot) !== "b c")), "c d");
});

test("one's own writes are seen at once, and then as written", async (t) => {
  const collection = t.collection();
  const events = t.listen(collection, { includeMetadataChanges: true });
  await events.until(isOfServer);
  const written = fire.setDoc(fire.doc(collection, "d"), { n: 1 });
  t.equal((await events.next()).metadata.hasPendingWrites, true);
  await written;
  await events.until(isOfServer);
});

test("without metadata, one's own write is told of once", async (t) => {
  const collection = t.collection();
  const events = t.listen(collection);
  await events.next();
  await fire.setDoc(fire.doc(collection, "d"), { n: 1 });
  await events.next();
  await fire.setDoc(fire.doc(t.collection(t.other()), "e"), { n: 2 });
  t.equal(changes(await events.next()), "added e");
});

test("the server's time takes the place of the estimate", async (t) => {
  const document = fire.doc(t.collection(), "d");
  const events = t.listen(document, { includeMetadataChanges: true });
  await events.next();
  await fire.setDoc(document, { at: fire.serverTimestamp() });
  const snapshot = await events.until((snapshot) => snapshot.exists() && isOfServer(snapshot));
  t.isTrue(snapshot.get("at") instanceof fire.Timestamp, snapshot.get("at"));
});

test("a commit is told of at once, never in halves", async (t) => {
  const collection = await t.filled({ a: { n: 0 }, b: { n: 0 } });
  const events = t.listen(collection);
  await events.next();
  const other = t.other();
  for (let n = 1; n <= 20; n++) {
    const batch = fire.writeBatch(other);
    for (const id of ["a", "b"]) batch.set(fire.doc(t.collection(other), id), { n });
    await batch.commit();
  }
  for (let last = 0; last < 20; ) {
    const [a, b] = (await events.next()).docs.map((document) => document.get("n"));
    t.equal(a, b);
    last = a;
  }
});

test("two listeners of one query", async (t) => {
  const collection = t.collection();
  const [one, two] = [t.listen(collection), t.listen(collection)];
  await one.next();
  await two.next();
  await fire.setDoc(fire.doc(t.collection(t.other()), "d"), { n: 1 });
  t.equal([ids(await one.next()), ids(await two.next())], ["d", "d"]);
});

test("fifty listeners at a time", async (t) => {
  const collection = t.collection();
  const all = Array.from({ length: 50 }, (_, n) => t.listen(fire.query(collection, fire.where("n", "==", n))));
  for (const events of all) await events.next();
  const other = t.collection(t.other());
  const batch = fire.writeBatch(other.firestore);
  for (let n = 0; n < 50; n++) batch.set(fire.doc(other, `d${n}`), { n });
  await batch.commit();
  for (const [n, events] of all.entries()) t.equal(ids(await events.next()), `d${n}`);
});

test("who stops listening is told nothing more", async (t) => {
  const collection = t.collection();
  const events = t.listen(collection);
  await events.next();
  events.stop();
  await fire.setDoc(fire.doc(t.collection(t.other()), "d"), { n: 1 });
  const control = t.listen(t.collection(t.other()));
  await control.next();
  t.isTrue(events.isQuiet, "nothing was told");
});

test("who listens again is told what has changed meanwhile", async (t) => {
  const collection = await t.filled({ a: { n: 1 }, b: { n: 2 } });
  const first = t.listen(collection);
  await first.next();
  first.stop();
  const other = t.collection(t.other());
  await fire.deleteDoc(fire.doc(other, "a"));
  await fire.setDoc(fire.doc(other, "c"), { n: 3 });
  t.equal(ids(await t.listen(collection).until(isOfServer)), "b c");
});

test("a query that is refused ends its listener alone", async (t) => {
  const fine = t.listen(t.collection());
  await fine.next();
  const many = fire.query(fire.collection(t.db, "__reserved__"));
  const error = await t.listen(many).failure();
  t.equal(error.code, "invalid-argument");
  await fire.setDoc(fire.doc(t.collection(t.other()), "d"), { n: 1 });
  t.equal(ids(await fine.next()), "d");
});

test("a listener of a collection group", async (t) => {
  const group = `g${Math.random().toString(36).slice(2)}`;
  const events = t.listen(fire.collectionGroup(t.db, group));
  await events.next();
  const other = t.other();
  await fire.setDoc(fire.doc(other, `a/b/${group}/one`), { n: 1 });
  t.equal(ids(await events.next()), "one");
  await fire.setDoc(fire.doc(other, `c/d/e/f/${group}/two`), { n: 2 });
  t.equal(ids(await events.next()), "one two");
});

test("a listener of what lists contain", async (t) => {
  const events = t.listen(fire.query(t.collection(), fire.where("tags", "array-contains", "x")));
  await events.next();
  const document = fire.doc(t.collection(t.other()), "d");
  await fire.setDoc(document, { tags: ["y"] });
  await fire.updateDoc(document, { tags: fire.arrayUnion("x") });
  t.equal(changes(await events.next()), "added d");
});

test("3,000 documents at once", async (t) => {
  const other = t.other();
  for (let start = 0; start < 3_000; start += 500) {
    const batch = fire.writeBatch(other);
    for (let n = start; n < start + 500; n++) batch.set(fire.doc(t.collection(other), `d${n}`), { n, text: "é".repeat(100) });
    await batch.commit();
  }
  const snapshot = await t.listen(t.collection()).next();
  t.equal([snapshot.size, snapshot.metadata.fromCache], [3_000, false]);
});

test("large documents one after the other", async (t) => {
  const other = t.other();
  const events = t.listen(t.collection());
  await events.next();
  for (let n = 0; n < 4; n++) {
    const text = String.fromCodePoint(0x1f600 + n).repeat(60_000);
    await fire.setDoc(fire.doc(t.collection(other), `d${n}`), { text });
    const snapshot = await events.next();
    t.isTrue(snapshot.docChanges().at(-1).doc.get("text") === text, `text ${n} is the same`);
  }
});

test("200 changes, each told of in its order", async (t) => {
  const document = fire.doc(t.collection(), "d");
  await fire.setDoc(document, { n: 0 });
  const events = t.listen(document);
  await events.next();
  const theirs = fire.doc(t.other(), document.path);
  const written = Promise.all(Array.from({ length: 200 }, (_, n) => fire.setDoc(theirs, { n: n + 1 })));
  for (let last = 0; last < 200; ) {
    const n = (await events.next()).get("n");
    t.isTrue(n > last, `${n} is after ${last}`);
    last = n;
  }
  await written;
});

test("listeners are in step", async (t) => {
  const collection = await t.filled({ a: { n: 0 } });
  let synced = 0;
  const stop = fire.onSnapshotsInSync(t.db, () => synced++);
  const events = t.listen(collection);
  await events.next();
  await fire.setDoc(fire.doc(t.collection(t.other()), "a"), { n: 1 });
  await events.next();
  await new Promise((resolve) => setTimeout(resolve));
  stop();
  t.isTrue(synced > 0, "was told of being in step");
});

test("a listener of the cache alone", async (t) => {
  const collection = await t.filled({ a: { n: 1 } });
  const events = t.listen(collection, { source: "cache" });
  t.equal(ids(await events.next()), "a");
});

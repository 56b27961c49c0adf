// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import { fire, ids, test } from "/web/suite.js";

const isOfServer = (snapshot) => !snapshot.metadata.fromCache && !snapshot.metadata.hasPendingWrites;

test("writes wait for the network", async (t) => {
  const db = t.other();
  const collection = t.collection(db);
  await fire.disableNetwork(db);
  const written = fire.setDoc(fire.doc(collection, "d"), { n: 1 });
  t.equal((await fire.getDocs(t.collection(t.other()))).size, 0);
  await fire.enableNetwork(db);
  await written;
  t.equal((await fire.getDocs(t.collection(t.other()))).size, 1);
});

test("without a network the cache answers", async (t) => {
  const db = t.other();
  const document = fire.doc(t.collection(db), "d");
  await fire.setDoc(document, { n: 1 });
  await fire.getDoc(document);
  await fire.disableNetwork(db);
  const snapshot = await fire.getDoc(document);
  t.equal([snapshot.data(), snapshot.metadata.fromCache], [{ n: 1 }, true]);
  await t.refused("unavailable", fire.getDocFromServer(document));
  await fire.enableNetwork(db);
  t.equal((await fire.getDocFromServer(document)).metadata.fromCache, false);
});

test("a document that the cache does not have", async (t) => {
  const db = t.other();
  await t.refused("unavailable", fire.getDocFromCache(fire.doc(t.collection(db), "none")));
});

test("back on the network a listener is told what it missed", async (t) => {
  const db = t.other();
  const events = t.listen(t.collection(db), { includeMetadataChanges: true });
  await events.until(isOfServer);
  await fire.disableNetwork(db);
  await events.until((snapshot) => snapshot.metadata.fromCache);
  await fire.setDoc(fire.doc(t.collection(), "a"), { n: 1 });
  await fire.setDoc(fire.doc(t.collection(), "b"), { n: 2 });
  await fire.enableNetwork(db);
  t.equal(ids(await events.until((snapshot) => isOfServer(snapshot) && snapshot.size > 0)), "a b");
});

test("back on the network, what was deleted meanwhile is gone", async (t) => {
  await t.filled({ a: { n: 1 }, b: { n: 2 }, c: { n: 3 } });
  const db = t.other();
  const events = t.listen(t.collection(db), { includeMetadataChanges: true });
  await events.until(isOfServer);
  await fire.disableNetwork(db);
  await fire.deleteDoc(fire.doc(t.collection(), "a"));
  await fire.deleteDoc(fire.doc(t.collection(), "c"));
  await fire.enableNetwork(db);
  t.equal(ids(await events.until((snapshot) => isOfServer(snapshot) && snapshot.size === 1)), "b");
});

test("back on the network ten times", async (t) => {
  const db = t.other();
  const events = t.listen(t.collection(db), { includeMetadataChanges: true });
  await events.until(isOfServer);
  for (let n = 1; n <= 10; n++) {
    await fire.disableNetwork(db);
    await fire.setDoc(fire.doc(t.collection(), `d${n}`), { n });
    await fire.enableNetwork(db);
    await events.until((snapshot) => isOfServer(snapshot) && snapshot.size === n);
  }
});

test("writes of before and after are made in their order", async (t) => {
  const db = t.other();
  const document = fire.doc(t.collection(db), "d");
  const writes = [fire.setDoc(document, { list: [] })];
  for (let n = 0; n < 30; n++) {
    if (n === 10) await fire.disableNetwork(db);
    if (n === 20) await fire.enableNetwork(db);
    writes.push(fire.updateDoc(document, { list: fire.arrayUnion(n), n }));
  }
  await Promise.all(writes);
  t.equal((await fire.getDoc(fire.doc(t.db, document.path))).data(), { list: Array.from({ length: 30 }, (_, n) => n), n: 29 });
});

test("waiting for all writes", async (t) => {
  const db = t.other();
  for (let n = 0; n < 10; n++) void fire.setDoc(fire.doc(t.collection(db), `d${n}`), { n });
  await fire.waitForPendingWrites(db);
  t.equal((await fire.getCountFromServer(t.collection())).data().count, 10);
});

test("a client that is ended refuses calls", async (t) => {
  const db = t.other();
  const document = fire.doc(t.collection(db), "d");
  await fire.setDoc(document, { n: 1 });
  await fire.terminate(db);
  await t.refused("failed-precondition", (async () => fire.getDoc(document))());
});

test("a cache in memory that keeps what it has seen", async (t) => {
  const db = t.other({ localCache: fire.memoryLocalCache({ garbageCollector: fire.memoryLruGarbageCollector() }) });
  await t.filled({ a: { n: 1 } });
  const document = fire.doc(t.collection(db), "a");
  await fire.getDoc(document);
  t.equal((await fire.getDocFromCache(document)).data(), { n: 1 });
});

test("a cache on disk", async (t) => {
  const localCache = () => fire.persistentLocalCache({ tabManager: fire.persistentSingleTabManager() });
  const first = t.other({ localCache: localCache() });
  await t.filled({ a: { n: 1 } });
  const document = fire.doc(t.collection(first), "a");
  await fire.getDoc(document);
  t.equal((await fire.getDocFromCache(document)).data(), { n: 1 });
  await fire.terminate(first);
  await fire.clearIndexedDbPersistence(first);
});

test("a listener over a cache that tabs may share", async (t) => {
  const localCache = () => fire.persistentLocalCache({ tabManager: fire.persistentMultipleTabManager() });
  const db = t.other({ localCache: localCache() });
  const events = t.listen(t.collection(db));
  await events.until((snapshot) => !snapshot.metadata.fromCache);
  await fire.setDoc(fire.doc(t.collection(), "a"), { n: 1 });
  t.equal(ids(await events.next()), "a");
});

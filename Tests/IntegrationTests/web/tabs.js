// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Tabs of one browser over one cache on disk: one of them has the connections, and informs the others.
import { fire, ids, test } from "/web/suite.js";

const isOfServer = (snapshot) => !snapshot.metadata.fromCache && !snapshot.metadata.hasPendingWrites;

test("tabs of one cache are all told of changes", async (t) => {
  const tabs = [await t.tab("all"), await t.tab("all"), await t.tab("all")];
  const events = tabs.map((tab) => tab.listen());
  for (const each of events) await each.until(isOfServer);
  for (let n = 1; n <= 5; n++) await fire.setDoc(fire.doc(t.collection(), `d${n}`), { n });
  for (const each of events) t.equal(ids(await each.until((snapshot) => isOfServer(snapshot) && snapshot.size === 5)), "d1 d2 d3 d4 d5");
});

test("a tab sees at once what another writes", async (t) => {
  const [first, second] = [await t.tab("writes"), await t.tab("writes")];
  const events = first.listen({ includeMetadataChanges: true });
  await events.until(isOfServer);
  const written = second.fire.setDoc(second.fire.doc(second.collection(), "d"), second.data({ n: 1 }));
  t.isTrue((await events.until((snapshot) => snapshot.size === 1)).docs[0].data().n === 1, "the tab has it");
  await written;
  await events.until((snapshot) => snapshot.size === 1 && isOfServer(snapshot));
  t.equal(ids(await fire.getDocsFromServer(t.collection())), "d");
});

test("tabs write in turn, and nothing is lost", async (t) => {
  const tabs = [await t.tab("turns"), await t.tab("turns"), await t.tab("turns")];
  const document = fire.doc(t.collection(), "d");
  await fire.setDoc(document, { n: 0 });
  const add = (tab) => tab.fire.updateDoc(tab.fire.doc(tab.collection(), "d"), "n", tab.fire.increment(1));
  await Promise.all(Array.from({ length: 30 }, (_, n) => add(tabs[n % 3])));
  t.equal((await fire.getDocFromServer(document)).data(), { n: 30 });
});

test("when the tab with the connections closes, another takes them", async (t) => {
  const [first, second] = [await t.tab("closing"), await t.tab("closing")];
  await first.listen().until(isOfServer);
  const events = second.listen();
  await events.until(isOfServer);
  first.close();
  await fire.setDoc(fire.doc(t.collection(), "d"), { n: 1 });
  t.equal(ids(await events.until((snapshot) => isOfServer(snapshot) && snapshot.size === 1)), "d");
});

test("a tab that opens later has what the cache has, and asks for changes alone", async (t) => {
  await t.filled({ a: { n: 1 }, b: { n: 2 } });
  const first = await t.tab("later");
  await first.fire.getDocs(first.collection());
  await first.fire.terminate(first.db);
  first.close();
  const later = await t.tab("later");
  t.equal(ids(await later.fire.getDocsFromCache(later.collection())), "a b");
  await fire.deleteDoc(fire.doc(t.collection(), "a"));
  t.equal(ids(await later.fire.getDocsFromServer(later.collection())), "b");
});

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import { fire, test } from "/web/suite.js";

const value = async (t, document) => (await fire.getDoc(fire.doc(t.other(), document.path))).data();

test("a transaction reads and writes", async (t) => {
  const document = fire.doc(t.collection(), "d");
  await fire.setDoc(document, { n: 1 });
  const result = await fire.runTransaction(t.db, async (transaction) => {
    const n = (await transaction.get(document)).get("n");
    transaction.update(document, { n: n + 1 });
    return "done";
  });
  t.equal([result, await value(t, document)], ["done", { n: 2 }]);
});

test("a transaction makes a document that is not there", async (t) => {
  const document = fire.doc(t.collection(), "d");
  await fire.runTransaction(t.db, async (transaction) => {
    if (!(await transaction.get(document)).exists()) transaction.set(document, { n: 1 });
  });
  t.equal(await value(t, document), { n: 1 });
});

test("a transaction deletes", async (t) => {
  const document = fire.doc(t.collection(), "d");
  await fire.setDoc(document, { n: 1 });
  await fire.runTransaction(t.db, async (transaction) => {
    await transaction.get(document);
    transaction.delete(document);
  });
  t.equal(await value(t, document), undefined);
});

test("a transaction that only writes", async (t) => {
  const document = fire.doc(t.collection(), "d");
  await fire.runTransaction(t.db, async (transaction) => void transaction.set(document, { n: 1 }));
  t.equal(await value(t, document), { n: 1 });
});

test("a transaction that only reads", async (t) => {
  const collection = await t.filled({ a: { n: 1 }, b: { n: 2 } });
  const sum = await fire.runTransaction(t.db, async (transaction) => {
    const documents = await Promise.all(["a", "b"].map((id) => transaction.get(fire.doc(collection, id))));
    return documents.reduce((sum, document) => sum + document.get("n"), 0);
  });
  t.equal(sum, 3);
});

test("a transaction that fails writes nothing", async (t) => {
  const document = fire.doc(t.collection(), "d");
  const failed = fire.runTransaction(t.db, async (transaction) => {
    transaction.set(document, { n: 1 });
    throw new Error("changed my mind");
  });
  t.equal(await failed.catch((error) => error.message), "changed my mind");
  t.equal(await value(t, document), undefined);
});

test("a transaction updates what is not there: refused", async (t) => {
  const document = fire.doc(t.collection(), "d");
  const failed = fire.runTransaction(t.db, async (transaction) => void transaction.update(document, { n: 1 }));
  await t.refused("not-found", failed);
});

test("a transaction begins again when what it read has changed", async (t) => {
  const document = fire.doc(t.collection(), "d");
  await fire.setDoc(document, { n: 1 });
  const other = t.other();
  let attempts = 0;
  await fire.runTransaction(t.db, async (transaction) => {
    const n = (await transaction.get(document)).get("n");
    if (attempts++ === 0) await fire.setDoc(fire.doc(other, document.path), { n: 10 });
    transaction.set(document, { n: n + 1 });
  });
  t.equal([attempts, await value(t, document)], [2, { n: 11 }]);
});

test("a transaction may be tried once alone", async (t) => {
  const document = fire.doc(t.collection(), "d");
  await fire.setDoc(document, { n: 1 });
  const other = t.other();
  const run = async (transaction) => {
    await transaction.get(document);
    await fire.setDoc(fire.doc(other, document.path), { n: 10 });
    transaction.set(document, { n: 2 });
  };
  await t.refused("failed-precondition", fire.runTransaction(t.db, run, { maxAttempts: 1 }));
});

test("ten clients count to ten", async (t) => {
  const document = fire.doc(t.collection(), "d");
  await fire.setDoc(document, { n: 0 });
  const clients = Array.from({ length: 3 }, () => t.other());
  const increment = (db) =>
    fire.runTransaction(db, async (transaction) => {
      const mine = fire.doc(db, document.path);
      transaction.update(mine, { n: (await transaction.get(mine)).get("n") + 1 });
    }, { maxAttempts: 50 });
  await Promise.all(Array.from({ length: 10 }, (_, n) => increment(clients[n % 3])));
  t.equal(await value(t, document), { n: 10 });
});

test("a listener sees a transaction at once", async (t) => {
  const collection = await t.filled({ a: { n: 1 }, b: { n: 2 } });
  const events = t.listen(collection);
  await events.next();
  const other = t.other();
  await fire.runTransaction(other, async (transaction) => {
    for (const id of ["a", "b"]) transaction.set(fire.doc(other, `${collection.path}/${id}`), { n: 9 });
  });
  t.equal((await events.next()).docs.map((document) => document.get("n")), [9, 9]);
});

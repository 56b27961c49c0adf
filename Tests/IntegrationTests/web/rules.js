// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import { fire, ids, test } from "/web/suite.js";

const { addDoc, collection, deleteDoc, doc, getDoc, getDocs, query, setDoc, updateDoc, where, writeBatch } = fire;
const DENIED = "permission-denied";
const MEMBERS = "exists(/databases/$(database)/documents/members/$(request.auth.uid))";
const POSTS = `match /posts/{id} {
  allow read: if resource.data.public == true || request.auth.uid == resource.data.owner;
  allow create: if request.resource.data.owner == request.auth.uid && request.resource.data.title is string;
  allow update: if request.auth.uid == resource.data.owner
                && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['title']);
  allow delete: if request.auth.token.admin == true;
}`;

/** A project with posts, put there by the owner. */
async function posts(t) {
  const project = await t.ruled(POSTS);
  const owner = project.as("owner");
  await setDoc(doc(owner, "posts/open"), { public: true, owner: "bob", title: "Open" });
  await setDoc(doc(owner, "posts/closed"), { public: false, owner: "alice", title: "Closed" });
  return project;
}

test("a stranger reads what is public, and nothing else", async (t) => {
  const stranger = (await posts(t)).as(null);
  t.equal((await getDoc(doc(stranger, "posts/open"))).get("title"), "Open");
  await t.refused(DENIED, getDoc(doc(stranger, "posts/closed")));
});

test("a user reads what is hers", async (t) => {
  const alice = (await posts(t)).as("alice");
  t.equal((await getDoc(doc(alice, "posts/closed"))).get("title"), "Closed");
});

test("another user does not", async (t) => {
  await t.refused(DENIED, getDoc(doc((await posts(t)).as("eve"), "posts/closed")));
});

test("no rules concern the owner", async (t) => {
  const owner = (await posts(t)).as("owner");
  await updateDoc(doc(owner, "posts/closed"), { owner: "carol" });
  t.equal((await getDoc(doc(owner, "posts/closed"))).get("owner"), "carol");
});

test("a refusal says which line refused", async (t) => {
  const error = await t.refused(DENIED, setDoc(doc((await posts(t)).as("alice"), "posts/new"), { owner: "bob", title: "x" }));
  t.isTrue(error.message.includes("false for 'create' @ L"), error.message);
});

test("nothing is allowed that no rule allows", async (t) => {
  const error = await t.refused(DENIED, getDoc(doc((await posts(t)).as("alice"), "other/d")));
  t.isTrue(error.message.includes("No matching allow statements"), error.message);
});

test("a user makes a document of hers", async (t) => {
  const alice = (await posts(t)).as("alice");
  const made = await addDoc(collection(alice, "posts"), { owner: "alice", title: "New" });
  t.equal((await getDoc(made)).get("title"), "New");
});

test("a field of the wrong type is refused", async (t) => {
  await t.refused(DENIED, addDoc(collection((await posts(t)).as("alice"), "posts"), { owner: "alice", title: 1 }));
});

test("a user changes the title and nothing else", async (t) => {
  const document = doc((await posts(t)).as("alice"), "posts/closed");
  await updateDoc(document, { title: "Changed" });
  await t.refused(DENIED, updateDoc(document, { public: true }));
  t.equal((await getDoc(document)).data(), { owner: "alice", public: false, title: "Changed" });
});

test("a refused write is taken back in the cache", async (t) => {
  const document = doc((await posts(t)).as("bob"), "posts/open");
  const events = t.listen(document);
  await events.until((snapshot) => snapshot.get("title") === "Open");
  const write = updateDoc(document, { public: false });
  await events.until((snapshot) => snapshot.get("public") === false);
  await t.refused(DENIED, write);
  await events.until((snapshot) => snapshot.get("public") === true && !snapshot.metadata.hasPendingWrites);
});

test("a claim of the token decides", async (t) => {
  const project = await posts(t);
  await t.refused(DENIED, deleteDoc(doc(project.as("alice"), "posts/open")));
  await deleteDoc(doc(project.as("alice", { admin: true }), "posts/open"));
  t.equal((await getDoc(doc(project.as("owner"), "posts/open"))).exists(), false);
});

test("a query is allowed that filters by what the rule wants", async (t) => {
  const found = await getDocs(query(collection((await posts(t)).as(null), "posts"), where("public", "==", true)));
  t.equal(ids(found), "open");
});

test("a query is refused that might find others", async (t) => {
  const stranger = (await posts(t)).as(null);
  await t.refused(DENIED, getDocs(collection(stranger, "posts")));
  await t.refused(DENIED, getDocs(query(collection(stranger, "posts"), where("title", "==", "Open"))));
});

test("one of the two ways of a rule is enough for a query", async (t) => {
  const alice = (await posts(t)).as("alice");
  t.equal(ids(await getDocs(query(collection(alice, "posts"), where("owner", "==", "alice")))), "closed");
  await t.refused(DENIED, getDocs(query(collection(alice, "posts"), where("owner", "==", "bob"))));
});

test("every part of an or is proved", async (t) => {
  const alice = (await posts(t)).as("alice");
  const either = fire.or(where("public", "==", true), where("owner", "==", "alice"));
  t.equal(ids(await getDocs(query(collection(alice, "posts"), either))), "closed open");
  const wide = fire.or(where("public", "==", true), where("title", "==", "Closed"));
  await t.refused(DENIED, getDocs(query(collection(alice, "posts"), wide)));
});

test("a rule looks at the limit of a query", async (t) => {
  const project = await t.ruled("match /notes/{id} { allow list: if request.query.limit <= 10; }");
  const notes = collection(project.as(null), "notes");
  t.equal((await getDocs(query(notes, fire.limit(10)))).size, 0);
  await t.refused(DENIED, getDocs(query(notes, fire.limit(11))));
  await t.refused(DENIED, getDocs(notes));
});

test("a count is judged as a query", async (t) => {
  const stranger = (await posts(t)).as(null);
  t.equal((await fire.getCountFromServer(query(collection(stranger, "posts"), where("public", "==", true)))).data().count, 1);
  await t.refused(DENIED, fire.getCountFromServer(collection(stranger, "posts")));
});

test("a collection group wants a rule of any depth", async (t) => {
  const project = await t.ruled("match /rooms/{room}/talk/{id} { allow read; }");
  await setDoc(doc(project.as("owner"), "rooms/a/talk/b"), { n: 1 });
  const group = query(fire.collectionGroup(project.as(null), "talk"));
  await t.refused(DENIED, getDocs(group));
  await project.put("match /{path=**}/talk/{id} { allow read; }");
  t.equal(ids(await getDocs(group)), "b");
});

test("a listener is refused at its start", async (t) => {
  const error = await t.listen(collection((await posts(t)).as(null), "posts")).failure();
  t.equal(error.code, DENIED);
});

test("a listener of a document ends when that is no longer the user's", async (t) => {
  const project = await posts(t);
  const events = t.listen(doc(project.as("alice"), "posts/closed"));
  await events.until((snapshot) => snapshot.get("title") === "Closed");
  await updateDoc(doc(project.as("owner"), "posts/closed"), { owner: "bob", title: "Secret" });
  t.equal((await events.failure()).code, DENIED);
});

test("listeners end when rules refuse what former rules allowed", async (t) => {
  const project = await t.ruled("match /notes/{id} { allow read; }");
  const events = t.listen(collection(project.as(null), "notes"));
  await events.next();
  await project.put("match /notes/{id} { allow read: if false; }");
  t.equal((await events.failure()).code, DENIED);
});

test("a listener goes on where new rules allow it, too", async (t) => {
  const project = await t.ruled("match /notes/{id} { allow read; }");
  const events = t.listen(collection(project.as(null), "notes"));
  await events.next();
  await project.put("match /notes/{id} { allow read: if request.auth == null; }");
  await setDoc(doc(project.as("owner"), "notes/a"), { n: 1 });
  await events.until((snapshot) => snapshot.size === 1);
});

test("rules look at other documents", async (t) => {
  const project = await t.ruled(`match /rooms/{room} { allow read: if ${MEMBERS}; }`);
  const room = doc(project.as("alice"), "rooms/a");
  await t.refused(DENIED, getDoc(room));
  await setDoc(doc(project.as("owner"), "members/alice"), {});
  t.equal((await getDoc(room)).exists(), false);
});

test("a batch is judged by what it leaves behind", async (t) => {
  const counted = "getAfter(/databases/$(database)/documents/counters/posts).data.n == request.resource.data.number";
  const project = await t.ruled(`
    match /numbered/{id} { allow create: if ${counted}; }
    match /counters/{id} { allow write: if true; }`);
  const db = project.as("alice");
  const write = (number, count) => {
    const batch = writeBatch(db);
    batch.set(doc(db, `numbered/${number}`), { number });
    batch.set(doc(db, "counters/posts"), { n: count });
    return batch.commit();
  };
  await write(1, 1);
  await t.refused(DENIED, write(2, 1));
  t.equal((await getDocs(collection(project.as("owner"), "numbered"))).size, 1);
});

test("a batch is refused whole", async (t) => {
  const project = await posts(t);
  const alice = project.as("alice");
  const batch = writeBatch(alice);
  batch.update(doc(alice, "posts/closed"), { title: "Changed" });
  batch.update(doc(alice, "posts/open"), { title: "Changed" });
  await t.refused(DENIED, batch.commit());
  t.equal((await getDoc(doc(alice, "posts/closed"))).get("title"), "Closed");
});

test("a transaction is refused for what it reads, and for what it writes", async (t) => {
  const alice = (await posts(t)).as("alice");
  const run = (read, written) =>
    fire.runTransaction(alice, async (transaction) => {
      await transaction.get(doc(alice, read));
      transaction.update(doc(alice, written), { title: "Changed" });
    });
  await run("posts/open", "posts/closed");
  await t.refused(DENIED, run("posts/open", "posts/open"));
  await t.refused(DENIED, run("other/d", "posts/closed"));
});

test("a server timestamp is the time of the request", async (t) => {
  const project = await t.ruled("match /notes/{id} { allow create: if request.resource.data.at == request.time; }");
  const notes = collection(project.as(null), "notes");
  await addDoc(notes, { at: fire.serverTimestamp() });
  await t.refused(DENIED, addDoc(notes, { at: fire.Timestamp.now() }));
});

test("rules that do not compile leave the former in force", async (t) => {
  const project = await t.ruled("match /notes/{id} { allow read; }");
  t.equal(await project.put("match /notes/{id} { allow read: if ; }"), 400);
  t.equal((await getDocs(collection(project.as(null), "notes"))).size, 0);
});

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// One user for all services: the rules of Firestore and Storage see who has signed in.
import * as storage from "/sdk/firebase-storage.js";
import { fire } from "/web/suite.js";
import { call, PASSWORD, project, sdk, test } from "/web/auth/suite.js";

const { doc, getDoc, setDoc } = fire;
const parameters = new URLSearchParams(location.search);
const address = (service) => parameters.get(service).split(":");
const DENIED = "permission-denied";

/** Puts rules in force. */
async function put(service, path, rules) {
  const headers = { Authorization: "Bearer owner", "Content-Type": "application/json" };
  const body = JSON.stringify({ rules: { files: [{ name: `${service}.rules`, content: `rules_version = '2'; ${rules}` }] } });
  const response = await fetch(`http://${parameters.get(service)}${path}`, { method: "PUT", headers, body });
  if (!response.ok) throw new Error(await response.text());
}

/** Firestore with rules, as the user of a client has it. */
async function firestore(t, matches, auth = t.auth) {
  const rules = `service cloud.firestore { match /databases/{database}/documents { ${matches} } }`;
  await put("firestore", `/emulator/v1/projects/${project}:securityRules`, rules);
  return firestoreOf(auth);
}

function firestoreOf(auth) {
  const db = fire.getFirestore(auth.app);
  const [host, port] = address("firestore");
  fire.connectFirestoreEmulator(db, host, Number(port));
  return db;
}

/** Storage with rules, as the user of a client has it. */
async function bucket(t, matches, auth = t.auth) {
  const rules = `service firebase.storage { match /b/{bucket}/o { ${matches} } }`;
  await put("storage", "/internal/setRules", rules);
  const service = storage.getStorage(auth.app);
  const [host, port] = address("storage");
  storage.connectStorageEmulator(service, host, Number(port));
  return (path) => storage.ref(service, path);
}

const bytes = new TextEncoder().encode("picture");

// Firestore

test("Firestore knows who has signed in", async (t) => {
  const db = await firestore(t, "match /notes/{user} { allow read, write: if request.auth.uid == user; }");
  await t.refused(DENIED, getDoc(doc(db, "notes/ann")));
  const { uid } = await t.signedUp();
  await setDoc(doc(db, `notes/${uid}`), { text: "mine" });
  t.equal((await getDoc(doc(db, `notes/${uid}`))).get("text"), "mine");
  await t.refused(DENIED, getDoc(doc(db, "notes/ann")));
});

test("Firestore knows who has signed out", async (t) => {
  const db = await firestore(t, "match /notes/{note} { allow read: if request.auth != null; }");
  await sdk.signInAnonymously(t.auth);
  await getDoc(doc(db, "notes/a"));
  await sdk.signOut(t.auth);
  await t.refused(DENIED, fire.getDocFromServer(doc(db, "notes/a")));
});

test("a listener has the documents of the next user, too", async (t) => {
  const db = await firestore(t, "match /notes/{note} { allow read: if request.auth != null; allow write; }");
  await t.signedUp();
  const events = t.listen(doc(db, "notes/next"), { includeMetadataChanges: true });
  await events.until((snapshot) => !snapshot.metadata.fromCache);
  await t.signedUp();
  await setDoc(doc(db, "notes/next"), { n: 1 });
  await events.until((snapshot) => snapshot.get("n") === 1 && !snapshot.metadata.hasPendingWrites);
});

test("a custom claim opens Firestore once the token is refreshed", async (t) => {
  const db = await firestore(t, "match /reports/{id} { allow read: if request.auth.token.role == 'editor'; }");
  const user = await t.signedUp();
  await t.change(user.uid, { customAttributes: JSON.stringify({ role: "editor" }) });
  await t.refused(DENIED, getDoc(doc(db, "reports/a")));
  await user.getIdToken(true);
  t.equal((await getDoc(doc(db, "reports/a"))).exists(), false);
});

test("claims of a custom token open Firestore", async (t) => {
  const db = await firestore(t, "match /reports/{id} { allow read: if request.auth.token.level >= 3; }");
  await sdk.signInWithCustomToken(t.auth, JSON.stringify({ uid: `custom-${t.address()}`, claims: { level: 2 } }));
  await t.refused(DENIED, getDoc(doc(db, "reports/a")));
  await sdk.signInWithCustomToken(t.auth, JSON.stringify({ uid: `custom-${t.address()}`, claims: { level: 3 } }));
  await getDoc(doc(db, "reports/a"));
});

test("Firestore knows a verified address", async (t) => {
  const rule = "request.auth.token.email_verified && request.auth.token.email.matches('.*@example[.]com')";
  const db = await firestore(t, `match /members/{id} { allow read: if ${rule}; }`);
  const user = await t.signedUp();
  await t.refused(DENIED, getDoc(doc(db, "members/a")));
  await sdk.sendEmailVerification(user);
  await sdk.applyActionCode(t.auth, await t.actionCode(user.email));
  await user.getIdToken(true);
  await getDoc(doc(db, "members/a"));
});

test("Firestore knows how a user has signed in", async (t) => {
  const db = await firestore(t, "match /members/{id} { allow read: if request.auth.token.firebase.sign_in_provider != 'anonymous'; }");
  const { user } = await sdk.signInAnonymously(t.auth);
  await t.refused(DENIED, getDoc(doc(db, "members/a")));
  await sdk.linkWithCredential(user, sdk.EmailAuthProvider.credential(t.address(), PASSWORD));
  await getDoc(doc(db, "members/a"));
});

test("Firestore knows an identity of a provider", async (t) => {
  const identity = `google-${t.address()}`;
  const db = await firestore(t, "match /members/{id} { allow read: if id in request.auth.token.firebase.identities['google.com']; }");
  await sdk.signInWithCredential(t.auth, sdk.GoogleAuthProvider.credential(JSON.stringify({ sub: identity })));
  await getDoc(doc(db, `members/${identity}`));
  await t.refused(DENIED, getDoc(doc(db, "members/another")));
});

test("Firestore knows a number", async (t) => {
  const db = await firestore(t, "match /numbers/{number} { allow read: if request.auth.token.phone_number == number; }");
  const number = t.number();
  const sent = await sdk.signInWithPhoneNumber(t.auth, number, t.verifier());
  await sent.confirm(await t.code(number));
  await getDoc(doc(db, `numbers/${number}`));
  await t.refused(DENIED, getDoc(doc(db, "numbers/+16505550000")));
});

test("Firestore knows a second factor", async (t) => {
  const db = await firestore(t, "match /vault/{id} { allow read: if request.auth.token.firebase.sign_in_second_factor == 'phone'; }");
  const user = await t.verified();
  await t.refused(DENIED, getDoc(doc(db, "vault/a")));
  const [number, factors] = [t.number(), sdk.multiFactor(user)];
  const options = { phoneNumber: number, session: await factors.getSession() };
  const id = await new sdk.PhoneAuthProvider(t.auth).verifyPhoneNumber(options, t.verifier());
  await factors.enroll(sdk.PhoneMultiFactorGenerator.assertion(sdk.PhoneAuthProvider.credential(id, await t.code(number))));
  await getDoc(doc(db, "vault/a"));
});

test("Firestore knows a tenant", async (t) => {
  const auth = await t.tenant();
  const db = await firestore(t, "match /tenants/{tenant} { allow read: if request.auth.token.firebase.tenant == tenant; }", auth);
  await t.signedUp(t.address(), auth);
  await getDoc(doc(db, `tenants/${auth.tenantId}`));
  await t.refused(DENIED, getDoc(doc(db, "tenants/another")));
});

// Storage

test("Storage knows who has signed in", async (t) => {
  const object = await bucket(t, "match /users/{user}/{name} { allow read, write: if request.auth.uid == user; }");
  await t.refused("storage/unauthorized", storage.uploadBytes(object("users/ann/a.png"), bytes));
  const { uid } = await t.signedUp();
  await storage.uploadBytes(object(`users/${uid}/a.png`), bytes);
  t.equal(new TextDecoder().decode(await storage.getBytes(object(`users/${uid}/a.png`))), "picture");
  await t.refused("storage/unauthorized", storage.getBytes(object("users/ann/a.png")));
  await sdk.signOut(t.auth);
  await t.refused("storage/unauthorized", storage.getBytes(object(`users/${uid}/a.png`)));
});

test("a custom claim opens Storage once the token is refreshed", async (t) => {
  const object = await bucket(t, "match /reports/{name} { allow write: if request.auth.token.role == 'editor'; }");
  const user = await t.signedUp();
  await t.change(user.uid, { customAttributes: JSON.stringify({ role: "editor" }) });
  await t.refused("storage/unauthorized", storage.uploadBytes(object("reports/a"), bytes));
  await user.getIdToken(true);
  await storage.uploadBytes(object("reports/a"), bytes);
});

test("Storage's rules look up in Firestore who has signed in", async (t) => {
  const db = await firestore(t, "match /members/{user} { allow write: if request.auth.uid == user; }");
  const member = "firestore.exists(/databases/(default)/documents/members/$(request.auth.uid))";
  const object = await bucket(t, `match /shared/{name} { allow write: if ${member}; }`);
  const { uid } = await t.signedUp();
  await t.refused("storage/unauthorized", storage.uploadBytes(object("shared/a"), bytes));
  await setDoc(doc(db, `members/${uid}`), {});
  await storage.uploadBytes(object("shared/a"), bytes);
});

// Both

test("administrators and Firestore know a user by one id", async (t) => {
  const db = await firestore(t, "match /notes/{note} { allow write: if request.resource.data.by == request.auth.uid; }");
  const { uid, email } = await t.signedUp();
  await setDoc(doc(db, "notes/a"), { by: uid });
  const found = await call("POST", `/identitytoolkit.googleapis.com/v1/projects/${project}/accounts:lookup`, { email: [email] });
  t.equal(found.users[0].localId, uid);
});

test("the SDK asks this machine alone", (t) => {
  const hosts = new Set(performance.getEntriesByType("resource").map((entry) => new URL(entry.name).hostname));
  t.equal([...hosts], ["127.0.0.1"]);
});

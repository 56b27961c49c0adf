// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Users of pages that are loaded again, and of pages beside each other.
import { PASSWORD, sdk, test } from "/web/auth/suite.js";

const signUp = (page, email) => page.sdk.createUserWithEmailAndPassword(page.auth, email, PASSWORD).then(({ user }) => user);

/** Loads a page again after a sign-in; returns the id of the user who signed in, and the page. */
async function loadedAgain(t, persistence) {
  const page = await t.page(persistence);
  const { uid } = await signUp(page, t.address());
  await page.reload();
  return [uid, page];
}

/** Signs in and out in two pages, each of which follows the other. */
async function followed(t, persistence) {
  const one = await t.page(persistence, `followed-${persistence}`);
  const other = await t.page(persistence, `followed-${persistence}`);
  const { uid } = await signUp(one, t.address());
  await other.follows(uid);
  await other.sdk.signOut(other.auth);
  await one.follows(null);
  await other.sdk.signInAnonymously(other.auth);
  await one.follows(other.uid);
  t.equal(one.auth.currentUser.isAnonymous, true);
}

test("local storage keeps the user of a page", async (t) => {
  const [uid, page] = await loadedAgain(t, "browserLocalPersistence");
  t.equal([page.uid, page.auth.currentUser.isAnonymous], [uid, false]);
  await page.auth.currentUser.getIdToken(true);
});

test("IndexedDB keeps the user of a page", async (t) => {
  const [uid, page] = await loadedAgain(t, "indexedDBLocalPersistence");
  t.equal(page.uid, uid);
  await page.auth.currentUser.getIdToken(true);
});

test("session storage keeps the user of a page, and of this page alone", async (t) => {
  const page = await t.page("browserSessionPersistence", "session");
  const { uid } = await signUp(page, t.address());
  await page.reload();
  t.equal([page.uid, (await t.page("browserSessionPersistence", "session")).uid], [uid, null]);
});

test("memory does not keep the user of a page", async (t) => {
  const [, page] = await loadedAgain(t, "inMemoryPersistence");
  t.equal(page.uid, null);
});

test("getAuth keeps the user of a page", async (t) => {
  const [uid, page] = await loadedAgain(t, "the SDK's choice");
  t.equal(page.uid, uid);
});

test("getAuth finds the emulator by the defaults of a page", async (t) => {
  const [uid, page] = await loadedAgain(t, "of the page");
  t.equal([page.uid, page.auth.emulatorConfig.port > 0], [uid, true]);
});

test("a way to keep users is changed while one is signed in", async (t) => {
  const page = await t.page("browserLocalPersistence");
  const { uid } = await signUp(page, t.address());
  await page.sdk.setPersistence(page.auth, page.sdk.inMemoryPersistence);
  t.equal(page.uid, uid);
  await page.reload();
  t.equal(page.uid, null);
});

test("an anonymous user is one after a reload", async (t) => {
  const page = await t.page("browserLocalPersistence");
  const { user } = await page.sdk.signInAnonymously(page.auth);
  const { uid } = user;
  await page.reload();
  t.equal([page.uid, page.auth.currentUser.isAnonymous], [uid, true]);
});

test("a page that is loaded again has what was changed since", async (t) => {
  const page = await t.page("browserLocalPersistence");
  const { uid } = await signUp(page, t.address());
  await t.change(uid, { displayName: "Renamed" });
  await page.reload();
  t.equal(page.auth.currentUser.displayName, "Renamed");
});

test("a user who was deleted is not there after a reload", async (t) => {
  const page = await t.page("browserLocalPersistence");
  const { uid } = await signUp(page, t.address());
  await t.remove(uid);
  await page.reload();
  t.equal(page.uid, null);
});

test("a user who was disabled is not there after a reload", async (t) => {
  const page = await t.page("indexedDBLocalPersistence");
  const { uid } = await signUp(page, t.address());
  await t.change(uid, { disableUser: true });
  await page.reload();
  t.equal(page.uid, null);
});

test("a user whose tokens were revoked is not there after a reload", async (t) => {
  const page = await t.page("browserLocalPersistence");
  const { uid } = await signUp(page, t.address());
  await t.change(uid, { validSince: String(Math.ceil(Date.now() / 1_000) + 5) });
  await page.reload();
  t.equal(page.uid, null);
});

test("pages over local storage follow one another", async (t) => {
  await followed(t, "browserLocalPersistence");
});

test("pages over IndexedDB follow one another", async (t) => {
  await followed(t, "indexedDBLocalPersistence");
});

test("pages over session storage do not follow one another", async (t) => {
  const one = await t.page("browserSessionPersistence", "apart");
  const other = await t.page("browserSessionPersistence", "apart");
  await signUp(one, t.address());
  const { uid } = await signUp(other, t.address());
  await one.sdk.signOut(one.auth);
  t.equal([one.uid, other.uid], [null, uid]);
});

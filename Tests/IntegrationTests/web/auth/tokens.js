// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Tokens: their claims, how they are refreshed and revoked, and listeners of all that.
import { claims, PASSWORD, project, sdk, test, unsignedToken } from "/web/auth/suite.js";

const AUDIENCE = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit";

/** The addresses of the users that a listener receives. */
function heard(auth, listen) {
  const users = [];
  listen(auth, (user) => users.push(user && user.email));
  return users;
}

// Custom tokens

test("a custom token signs in the user that it names", async (t) => {
  const uid = `custom-${t.address()}`;
  const credential = await sdk.signInWithCustomToken(t.auth, JSON.stringify({ uid }));
  const { user } = credential;
  t.equal([user.uid, user.email, user.isAnonymous, user.providerData], [uid, null, false, []]);
  t.equal([credential.operationType, sdk.getAdditionalUserInfo(credential).isNewUser], ["signIn", true]);
  t.equal((await claims(user)).firebase.sign_in_provider, "custom");
});

test("a custom token may be one that a server made", async (t) => {
  const uid = `custom-${t.address()}`;
  const token = unsignedToken({ uid, aud: AUDIENCE, iss: "firebase-auth-emulator@example.com", claims: { premium: true } });
  const { user } = await sdk.signInWithCustomToken(t.auth, token);
  t.equal([user.uid, (await claims(user)).premium], [uid, true]);
  const again = await sdk.signInWithCustomToken(t.client(), token);
  t.equal(sdk.getAdditionalUserInfo(again).isNewUser, false);
});

test("claims of a custom token last as long as the session", async (t) => {
  const token = { uid: `custom-${t.address()}`, claims: { premium: true, level: 3, groups: ["a", "b"] } };
  const { user } = await sdk.signInWithCustomToken(t.auth, JSON.stringify(token));
  await t.later();
  const { premium, level, groups } = await claims(user, true);
  t.equal([premium, level, groups], [true, 3, ["a", "b"]]);
});

test("a custom token signs in a user who has a password", async (t) => {
  const user = await t.signedUp();
  const other = await sdk.signInWithCustomToken(t.client(), JSON.stringify({ uid: user.uid }));
  t.equal([other.user.uid, other.user.email], [user.uid, user.email]);
});

test("a custom token for another service is refused", async (t) => {
  const token = unsignedToken({ uid: "ann", aud: "https://example.com" });
  await t.refused("auth/invalid-custom-token", sdk.signInWithCustomToken(t.auth, token));
});

test("a text that is not a custom token is refused", async (t) => {
  await t.refused("auth/invalid-custom-token", sdk.signInWithCustomToken(t.auth, "nonsense"));
});

test("a custom token does not sign in a user who is disabled", async (t) => {
  const { uid } = await t.signedUp();
  await t.change(uid, { disableUser: true });
  await t.refused("auth/user-disabled", sdk.signInWithCustomToken(t.client(), JSON.stringify({ uid })));
});

// Claims

test("a token says whose it is, and how long it is good for", async (t) => {
  const user = await t.signedUp();
  const result = await user.getIdTokenResult();
  const { iss, aud, sub, user_id, email, email_verified, firebase } = result.claims;
  t.equal([iss, aud, sub, user_id], [`https://securetoken.google.com/${project}`, project, user.uid, user.uid]);
  t.equal([email, email_verified], [user.email, false]);
  t.equal(firebase, { identities: { email: [user.email] }, sign_in_provider: "password" });
  t.equal([result.signInProvider, result.signInSecondFactor, result.token], ["password", null, await user.getIdToken()]);
  const [issued, expires, signedIn] = [result.issuedAtTime, result.expirationTime, result.authTime].map(Date.parse);
  t.equal(expires - issued, 3_600_000);
  t.isTrue(Math.abs(issued - Date.now()) < 60_000 && Math.abs(signedIn - issued) < 5_000, [issued, signedIn]);
});

test("custom claims are in the tokens that are made after them", async (t) => {
  const user = await t.signedUp();
  await t.change(user.uid, { customAttributes: JSON.stringify({ role: "editor", level: 2 }) });
  t.equal((await claims(user)).role, undefined);
  const { role, level } = await claims(user, true);
  t.equal([role, level], ["editor", 2]);
  t.equal((await claims(await t.elsewhere(user.email))).role, "editor");
  await t.change(user.uid, { customAttributes: "{}" });
  t.equal((await claims(user, true)).role, undefined);
});

test("a refreshed token remembers when the user signed in", async (t) => {
  const user = await t.signedUp();
  const former = await claims(user);
  await t.later();
  const { auth_time, iat, exp } = await claims(user, true);
  t.equal([auth_time, iat > former.iat, exp - iat], [former.auth_time, true, 3_600]);
});

test("a token is kept until a new one is wanted", async (t) => {
  const user = await t.signedUp();
  const token = await user.getIdToken();
  await t.later();
  t.equal(await user.getIdToken(), token);
  t.isTrue((await user.getIdToken(true)) !== token, "there is a new one");
  t.isTrue((await sdk.getIdToken(user)) !== token, "which is kept in turn");
});

// The end of sessions

test("a user who is disabled is signed out by a refresh", async (t) => {
  const user = await t.signedUp();
  await t.change(user.uid, { disableUser: true });
  await t.refused("auth/user-disabled", user.getIdToken(true));
  t.equal(t.auth.currentUser, null);
});

test("a user who is disabled is signed out by a reload", async (t) => {
  const user = await t.signedUp();
  await t.change(user.uid, { disableUser: true });
  await t.refused("auth/user-disabled", user.reload());
  t.equal(t.auth.currentUser, null);
});

test("a user whose tokens are revoked is signed out by a reload", async (t) => {
  const user = await t.signedUp();
  await t.change(user.uid, { validSince: String((await claims(user)).iat + 1) });
  await t.refused("auth/user-token-expired", user.reload());
  t.equal(t.auth.currentUser, null);
});

test("a user whose tokens are revoked is signed out by a refresh", async (t) => {
  const user = await t.signedUp();
  await t.change(user.uid, { validSince: String((await claims(user)).iat + 1) });
  await t.refused("auth/user-token-expired", user.getIdToken(true));
  t.equal(t.auth.currentUser, null);
});

test("a user whose tokens are revoked signs in again", async (t) => {
  const user = await t.signedUp();
  await t.change(user.uid, { validSince: String((await claims(user)).iat + 1) });
  await t.later();
  await (await t.elsewhere(user.email)).reload();
});

test("a user who was deleted is signed out by a reload", async (t) => {
  const user = await t.signedUp();
  await t.remove(user.uid);
  await t.refused("auth/user-token-expired", user.reload());
  t.equal(t.auth.currentUser, null);
});

test("a user who was deleted is signed out by a refresh", async (t) => {
  const user = await t.signedUp();
  await t.remove(user.uid);
  await t.refused("auth/user-token-expired", user.getIdToken(true));
  t.equal(t.auth.currentUser, null);
});

// Listeners

test("listeners of users hear of sign-in and sign-out", async (t) => {
  const users = heard(t.auth, sdk.onAuthStateChanged);
  await t.auth.authStateReady();
  const one = await t.signedUp();
  const two = await t.signedUp();
  await sdk.signOut(t.auth);
  t.equal(users, [null, one.email, two.email, null]);
});

test("listeners of tokens hear of new ones, too", async (t) => {
  const { email } = await t.signedUp();
  const [users, tokens] = [heard(t.auth, sdk.onAuthStateChanged), heard(t.auth, sdk.onIdTokenChanged)];
  await t.later();
  await t.auth.currentUser.getIdToken(true);
  await sdk.signOut(t.auth);
  t.equal([users, tokens], [[email, null], [email, email, null]]);
});

test("a listener hears nothing after it is removed", async (t) => {
  const users = [];
  const stop = sdk.onAuthStateChanged(t.auth, (user) => users.push(user));
  await t.auth.authStateReady();
  stop();
  await t.signedUp();
  t.equal(users, [null]);
});

test("a callback before a sign-in can prevent it", async (t) => {
  const { email } = await t.signedUp();
  const auth = t.client();
  let aborted = 0;
  sdk.beforeAuthStateChanged(auth, () => {}, () => aborted++);
  const stop = sdk.beforeAuthStateChanged(auth, (user) => {
    if (user) throw new Error("not today");
  });
  const error = await t.refused("auth/login-blocked", sdk.signInWithEmailAndPassword(auth, email, PASSWORD));
  t.equal([error.customData.originalMessage, auth.currentUser, aborted], ["not today", null, 1]);
  stop();
  t.equal((await sdk.signInWithEmailAndPassword(auth, email, PASSWORD)).user.email, email);
});

test("a user moves to another client", async (t) => {
  const user = await t.signedUp();
  const auth = t.client();
  await sdk.updateCurrentUser(auth, user);
  t.equal(auth.currentUser.uid, user.uid);
  await auth.currentUser.getIdToken(true);
});

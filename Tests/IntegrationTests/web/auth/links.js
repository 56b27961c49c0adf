// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Links that are sent by e-mail: to sign in, to reset a password, to verify an address, to change it, to have it back.
import { claims, PASSWORD, providers, sdk, test } from "/web/auth/suite.js";

const { ActionCodeOperation, EmailAuthProvider } = sdk;
const settings = { url: `${location.origin}/web/auth/page.html?landed=yes`, handleCodeInApp: true };

/** Sends a link to sign in with, and returns it. */
async function signInLink(t, email, auth = t.auth) {
  await sdk.sendSignInLinkToEmail(auth, email, settings);
  return t.link(email, auth.tenantId);
}

/** Opens a link as a browser does; returns the address that it leads to. */
async function landed(link) {
  const frame = document.createElement("iframe");
  const loaded = new Promise((resolve) => (frame.onload = resolve));
  frame.src = link;
  document.body.append(frame);
  await loaded;
  const address = frame.contentWindow.location.href;
  frame.remove();
  return address;
}

// Sign-in

test("a link signs a new user in", async (t) => {
  const email = t.address();
  const credential = await sdk.signInWithEmailLink(t.auth, email, await signInLink(t, email));
  const { user } = credential;
  t.equal([user.email, user.emailVerified, providers(user)], [email, true, ["password"]]);
  t.equal([credential.operationType, sdk.getAdditionalUserInfo(credential).isNewUser], ["signIn", true]);
  t.equal(await sdk.fetchSignInMethodsForEmail(t.auth, email), ["emailLink"]);
});

test("a second link signs the same user in", async (t) => {
  const email = t.address();
  const { user } = await sdk.signInWithEmailLink(t.auth, email, await signInLink(t, email));
  const again = await sdk.signInWithEmailLink(t.client(), email, await signInLink(t, email));
  t.equal([again.user.uid, sdk.getAdditionalUserInfo(again).isNewUser], [user.uid, false]);
});

test("a link signs in a user with a password, who then has both", async (t) => {
  const user = await t.signedUp();
  const other = await sdk.signInWithEmailLink(t.client(), user.email, await signInLink(t, user.email));
  t.equal([other.user.uid, other.user.emailVerified], [user.uid, true]);
  t.equal((await sdk.fetchSignInMethodsForEmail(t.auth, user.email)).sort(), ["emailLink", "password"]);
});

test("a link says what it is for", async (t) => {
  const email = t.address();
  const link = await signInLink(t, email);
  const { operation, code, apiKey, continueUrl, languageCode, tenantId } = sdk.parseActionCodeURL(link);
  t.equal([operation, apiKey, continueUrl, languageCode, tenantId], ["EMAIL_SIGNIN", "fake-api-key", settings.url, "en", null]);
  t.equal((await sdk.checkActionCode(t.auth, code)).operation, ActionCodeOperation.EMAIL_SIGNIN);
});

test("a link to sign in differs from others", async (t) => {
  const user = await t.signedUp();
  t.equal(sdk.isSignInWithEmailLink(t.auth, await signInLink(t, user.email)), true);
  await sdk.sendEmailVerification(user);
  t.equal(sdk.isSignInWithEmailLink(t.auth, await t.link(user.email)), false);
});

test("a link that is opened leads to the app, which signs in with it", async (t) => {
  const email = t.address();
  const address = await landed(await signInLink(t, email));
  t.isTrue(address.startsWith(`${settings.url}&`), address);
  t.equal(sdk.isSignInWithEmailLink(t.auth, address), true);
  t.equal((await sdk.signInWithEmailLink(t.auth, email, address)).user.email, email);
});

test("a link signs in once", async (t) => {
  const email = t.address();
  const link = await signInLink(t, email);
  await sdk.signInWithEmailLink(t.auth, email, link);
  await t.refused("auth/invalid-action-code", sdk.signInWithEmailLink(t.client(), email, link));
});

test("a link is for the address that it was sent to", async (t) => {
  const email = t.address();
  const link = await signInLink(t, email);
  await t.refused("auth/invalid-email", sdk.signInWithEmailLink(t.auth, t.address(), link));
  t.equal((await sdk.signInWithEmailLink(t.auth, email.toUpperCase(), link)).user.email, email);
});

test("a link of another kind does not sign in", async (t) => {
  const user = await t.signedUp();
  await sdk.sendEmailVerification(user);
  const link = (await t.link(user.email)).replace("mode=verifyEmail", "mode=signIn");
  await t.refused("auth/invalid-action-code", sdk.signInWithEmailLink(t.client(), user.email, link));
});

test("a link is linked to an anonymous user", async (t) => {
  const { user } = await sdk.signInAnonymously(t.auth);
  const email = t.address();
  const { uid } = user;
  await sdk.linkWithCredential(user, EmailAuthProvider.credentialWithLink(email, await signInLink(t, email)));
  t.equal([user.uid, user.email, user.emailVerified, user.isAnonymous], [uid, email, true, false]);
  t.equal((await sdk.signInWithEmailLink(t.client(), email, await signInLink(t, email))).user.uid, uid);
});

test("a link is linked to a user of a provider", async (t) => {
  const email = t.address();
  const google = JSON.stringify({ sub: email, email, email_verified: true });
  const { user } = await sdk.signInWithCredential(t.auth, sdk.GoogleAuthProvider.credential(google));
  await sdk.linkWithCredential(user, EmailAuthProvider.credentialWithLink(email, await signInLink(t, email)));
  t.equal(providers(user), ["google.com", "password"]);
});

test("a link to another's address is not linked", async (t) => {
  const { email } = await t.signedUp();
  const { user } = await sdk.signInAnonymously(t.client());
  const credential = EmailAuthProvider.credentialWithLink(email, await signInLink(t, email));
  await t.refused("auth/email-already-in-use", sdk.linkWithCredential(user, credential));
});

test("a user reauthenticates with a link", async (t) => {
  const email = t.address();
  const { user } = await sdk.signInWithEmailLink(t.auth, email, await signInLink(t, email));
  const credential = EmailAuthProvider.credentialWithLink(email, await signInLink(t, email));
  t.equal((await sdk.reauthenticateWithCredential(user, credential)).user.uid, user.uid);
});

test("a link leads to an address of the web", async (t) => {
  await t.refused("auth/invalid-continue-uri", sdk.sendSignInLinkToEmail(t.auth, t.address(), { ...settings, url: "nonsense" }));
});

test("a link to sign in goes to an address", async (t) => {
  await t.refused("auth/invalid-email", sdk.sendSignInLinkToEmail(t.auth, "nonsense", settings));
});

test("no link is sent where a project has none", async (t) => {
  await t.settings({ signIn: { email: { enabled: true, passwordRequired: true } } });
  await t.refused("auth/operation-not-allowed", sdk.sendSignInLinkToEmail(t.auth, t.address(), settings));
});

test("a user who is disabled does not get in by a link", async (t) => {
  const { uid, email } = await t.signedUp();
  const link = await signInLink(t, email);
  await t.change(uid, { disableUser: true });
  await t.refused("auth/user-disabled", sdk.signInWithEmailLink(t.client(), email, link));
});

// A new password

test("a user who forgot the password sets another", async (t) => {
  const { uid, email } = await t.signedUp();
  await sdk.sendPasswordResetEmail(t.auth, email);
  const code = await t.actionCode(email);
  t.equal(await sdk.verifyPasswordResetCode(t.auth, code), email);
  const { operation, data } = await sdk.checkActionCode(t.auth, code);
  t.equal([operation, data.email], [ActionCodeOperation.PASSWORD_RESET, email]);
  await sdk.confirmPasswordReset(t.auth, code, "a new horse");
  await t.refused("auth/wrong-password", sdk.signInWithEmailAndPassword(t.client(), email, PASSWORD));
  const user = await t.elsewhere(email, "a new horse");
  t.equal([user.uid, user.emailVerified], [uid, true]);
});

test("a code for a password is good once", async (t) => {
  const { email } = await t.signedUp();
  await sdk.sendPasswordResetEmail(t.auth, email);
  const code = await t.actionCode(email);
  await sdk.confirmPasswordReset(t.auth, code, "a new horse");
  await t.refused("auth/invalid-action-code", sdk.confirmPasswordReset(t.auth, code, "another horse"));
  await t.refused("auth/invalid-action-code", sdk.verifyPasswordResetCode(t.auth, code));
  await t.refused("auth/invalid-action-code", sdk.verifyPasswordResetCode(t.auth, "nonsense"));
});

test("a weak password leaves the code as it is", async (t) => {
  const { email } = await t.signedUp();
  await sdk.sendPasswordResetEmail(t.auth, email);
  const code = await t.actionCode(email);
  await t.refused("auth/weak-password", sdk.confirmPasswordReset(t.auth, code, "12345"));
  await sdk.confirmPasswordReset(t.auth, code, "a new horse");
});

test("a password that is set by a code ends the user's sessions", async (t) => {
  const user = await t.signedUp();
  await sdk.sendPasswordResetEmail(t.auth, user.email);
  const code = await t.actionCode(user.email);
  await t.later();
  await sdk.confirmPasswordReset(t.client(), code, "a new horse");
  await t.refused("auth/user-token-expired", user.reload());
});

test("a password is reset for users only", async (t) => {
  await t.refused("auth/user-not-found", sdk.sendPasswordResetEmail(t.auth, t.address()));
  await t.refused("auth/missing-email", sdk.sendPasswordResetEmail(t.auth, ""));
});

test("a password is reset for addresses only", async (t) => {
  await t.refused("auth/invalid-email", sdk.sendPasswordResetEmail(t.auth, "nonsense"));
});

test("where addresses are hidden, a reset for an unknown one is not refused", async (t) => {
  await t.hideAddresses();
  const email = t.address();
  await sdk.sendPasswordResetEmail(t.auth, email);
  t.equal(await t.link(email), undefined);
});

test("a link to reset a password leads on to the app", async (t) => {
  const { email } = await t.signedUp();
  await sdk.sendPasswordResetEmail(t.auth, email, settings);
  const link = await t.link(email);
  t.equal(sdk.parseActionCodeURL(link).continueUrl, settings.url);
  t.equal(await landed(`${link}&newPassword=a+new+horse`), settings.url);
  t.equal((await t.elsewhere(email, "a new horse")).email, email);
});

// Verification

test("a user verifies the address", async (t) => {
  const user = await t.signedUp();
  await sdk.sendEmailVerification(user);
  const code = await t.actionCode(user.email);
  const { operation, data } = await sdk.checkActionCode(t.auth, code);
  t.equal([operation, data.email], [ActionCodeOperation.VERIFY_EMAIL, user.email]);
  await sdk.applyActionCode(t.auth, code);
  t.equal((await claims(user)).email_verified, false);
  await user.reload();
  t.equal([user.emailVerified, (await claims(user, true)).email_verified], [true, true]);
  await t.refused("auth/invalid-action-code", sdk.applyActionCode(t.auth, code));
});

test("a link that is opened verifies the address, and leads on to the app", async (t) => {
  const user = await t.signedUp();
  await sdk.sendEmailVerification(user, settings);
  t.equal(await landed(await t.link(user.email)), settings.url);
  await user.reload();
  t.equal(user.emailVerified, true);
});

test("a user without an address has none to verify", async (t) => {
  const { user } = await sdk.signInAnonymously(t.auth);
  await t.refused("auth/missing-email", sdk.sendEmailVerification(user));
});

test("a new address is verified before it is taken", async (t) => {
  const user = await t.signedUp();
  const [former, email] = [user.email, t.address()];
  await sdk.verifyBeforeUpdateEmail(user, email);
  const code = await t.actionCode(former);
  const { operation, data } = await sdk.checkActionCode(t.auth, code);
  t.equal([operation, data.email, data.previousEmail], [ActionCodeOperation.VERIFY_AND_CHANGE_EMAIL, email, former]);
  await user.reload();
  t.equal(user.email, former);
  await sdk.applyActionCode(t.auth, code);
  const changed = await t.elsewhere(email);
  t.equal([changed.uid, changed.email, changed.emailVerified], [user.uid, email, true]);
  await t.refused("auth/user-not-found", sdk.signInWithEmailAndPassword(t.client(), former, PASSWORD));
});

test("an address that was changed by a link ends the user's sessions", async (t) => {
  const user = await t.signedUp();
  await sdk.verifyBeforeUpdateEmail(user, t.address());
  const code = await t.actionCode(user.email);
  await t.later();
  await sdk.applyActionCode(t.client(), code);
  await t.refused("auth/user-token-expired", user.reload());
});

test("another's address is not taken by a link", async (t) => {
  const { email } = await t.signedUp();
  const user = await t.signedUp(t.address(), t.client());
  await t.refused("auth/email-already-in-use", sdk.verifyBeforeUpdateEmail(user, email));
  await t.refused("auth/missing-new-email", sdk.verifyBeforeUpdateEmail(user, ""));
});

test("a new address is an address", async (t) => {
  await t.refused("auth/invalid-new-email", sdk.verifyBeforeUpdateEmail(await t.signedUp(), "nonsense"));
});

test("where addresses are hidden, a change to another's is not refused", async (t) => {
  const { email } = await t.signedUp();
  const user = await t.signedUp(t.address(), t.client());
  await t.hideAddresses();
  await sdk.verifyBeforeUpdateEmail(user, email);
});

test("an address that was taken since is not changed to", async (t) => {
  const user = await t.signedUp();
  const email = t.address();
  await sdk.verifyBeforeUpdateEmail(user, email);
  const code = await t.actionCode(user.email);
  await t.signedUp(email, t.client());
  await t.refused("auth/email-already-in-use", sdk.applyActionCode(t.auth, code));
});

test("a user has the former address back", async (t) => {
  const user = await t.signedUp();
  const former = user.email;
  await sdk.updateEmail(user, t.address());
  const code = await t.actionCode(former);
  const { operation, data } = await sdk.checkActionCode(t.auth, code);
  t.equal([operation, data.email], [ActionCodeOperation.RECOVER_EMAIL, former]);
  await sdk.applyActionCode(t.auth, code);
  const recovered = await t.elsewhere(former);
  t.equal([recovered.uid, recovered.emailVerified], [user.uid, true]);
});

test("a code to have an address back says which one it replaces", async (t) => {
  const user = await t.signedUp();
  const [former, email] = [user.email, t.address()];
  await sdk.updateEmail(user, email);
  const { data } = await sdk.checkActionCode(t.auth, await t.actionCode(former));
  t.equal([data.email, data.previousEmail], [former, email]);
});

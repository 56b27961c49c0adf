// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Users with addresses and passwords, anonymous users, and the changes they make.
import { claims, PASSWORD, project, providers, sdk, test } from "/web/auth/suite.js";

const { EmailAuthProvider, createUserWithEmailAndPassword, signInWithEmailAndPassword } = sdk;

// Sign-up

test("sign-up makes a user with an address", async (t) => {
  const email = t.address();
  const credential = await createUserWithEmailAndPassword(t.auth, email, PASSWORD);
  const { user } = credential;
  t.isTrue(/^[A-Za-z0-9]{28}$/.test(user.uid), user.uid);
  t.equal([user.email, user.emailVerified, user.isAnonymous, user.displayName, user.tenantId], [email, false, false, null, null]);
  t.equal([credential.operationType, credential.providerId], ["signIn", null]);
  t.equal(user.providerData, [{ providerId: "password", uid: email, displayName: null, email, phoneNumber: null, photoURL: null }]);
  t.isTrue(t.auth.currentUser === user, "it is the current user");
});

test("sign-up says that the user is new", async (t) => {
  const { isNewUser, providerId } = sdk.getAdditionalUserInfo(await createUserWithEmailAndPassword(t.auth, t.address(), PASSWORD));
  t.equal([isNewUser, providerId], [true, "password"]);
});

test("a user knows when it was made, and signed in last", async (t) => {
  const { metadata } = await t.signedUp();
  const [made, last] = [metadata.creationTime, metadata.lastSignInTime].map(Date.parse);
  t.isTrue(Math.abs(made - Date.now()) < 60_000 && Math.abs(last - made) < 5_000, [made, last]);
});

test("an address belongs to one user", async (t) => {
  const { email } = await t.signedUp();
  await t.refused("auth/email-already-in-use", createUserWithEmailAndPassword(t.client(), email.toUpperCase(), PASSWORD));
});

test("a password has six characters at least", async (t) => {
  const error = await t.refused("auth/weak-password", createUserWithEmailAndPassword(t.auth, t.address(), "12345"));
  t.isTrue(error.message.includes("Password should be at least 6 characters"), error.message);
});

test("an address has an @ in it", async (t) => {
  await t.refused("auth/invalid-email", createUserWithEmailAndPassword(t.auth, "nonsense", PASSWORD));
});

test("sign-up without a password is refused", async (t) => {
  await t.refused("auth/missing-password", createUserWithEmailAndPassword(t.auth, t.address(), ""));
});

test("sign-up without an address is refused", async (t) => {
  await t.refused("auth/missing-email", createUserWithEmailAndPassword(t.auth, "", PASSWORD));
});

test("sign-up is refused where a project has no passwords", async (t) => {
  await t.settings({ signIn: { email: { enabled: false } } });
  await t.refused("auth/operation-not-allowed", createUserWithEmailAndPassword(t.auth, t.address(), PASSWORD));
});

test("sign-up is refused where administrators alone make users", async (t) => {
  await t.settings({ client: { permissions: { disabledUserSignup: true } } });
  await t.refused("auth/admin-restricted-operation", createUserWithEmailAndPassword(t.auth, t.address(), PASSWORD));
});

// Sign-in

test("sign-in finds the user, whatever the case of the address", async (t) => {
  const { uid, email } = await t.signedUp();
  const credential = await signInWithEmailAndPassword(t.client(), email.toUpperCase(), PASSWORD);
  t.equal([credential.user.uid, credential.user.email], [uid, email]);
  t.equal(sdk.getAdditionalUserInfo(credential).isNewUser, false);
});

test("a wrong password is refused", async (t) => {
  const { email } = await t.signedUp();
  await t.refused("auth/wrong-password", signInWithEmailAndPassword(t.client(), email, "wrong horse"));
});

test("an unknown address is refused", async (t) => {
  await t.refused("auth/user-not-found", signInWithEmailAndPassword(t.auth, t.address(), PASSWORD));
});

test("where addresses are hidden, both are refused alike", async (t) => {
  const { email } = await t.signedUp();
  await t.hideAddresses();
  await t.refused("auth/invalid-credential", signInWithEmailAndPassword(t.client(), email, "wrong horse"));
  await t.refused("auth/invalid-credential", signInWithEmailAndPassword(t.client(), t.address(), PASSWORD));
  t.equal((await t.elsewhere(email)).email, email);
});

test("sign-in wants an address and a password", async (t) => {
  await t.refused("auth/invalid-email", signInWithEmailAndPassword(t.auth, "nonsense", PASSWORD));
  await t.refused("auth/missing-password", signInWithEmailAndPassword(t.auth, t.address(), ""));
});

test("sign-in is refused where a project has no passwords", async (t) => {
  const { email } = await t.signedUp();
  await t.settings({ signIn: { email: { enabled: false } } });
  await t.refused("auth/operation-not-allowed", signInWithEmailAndPassword(t.client(), email, PASSWORD));
});

test("a user who is disabled does not get in", async (t) => {
  const { uid, email } = await t.signedUp();
  await t.change(uid, { disableUser: true });
  await t.refused("auth/user-disabled", signInWithEmailAndPassword(t.client(), email, PASSWORD));
  await t.change(uid, { disableUser: false });
  t.equal((await t.elsewhere(email)).uid, uid);
});

test("passwords and names may be of any script", async (t) => {
  const [email, password] = [t.address(), "正しい馬 🐎"];
  const { user } = await createUserWithEmailAndPassword(t.auth, email, password);
  await sdk.updateProfile(user, { displayName: "Zoë 🦊 李" });
  t.equal((await t.elsewhere(email, password)).displayName, "Zoë 🦊 李");
});

test("a page in another language signs in", async (t) => {
  const { email } = await t.signedUp();
  t.auth.languageCode = "pt-BR";
  await sdk.sendPasswordResetEmail(t.auth, email);
  t.isTrue(await t.link(email), "a link was sent");
});

test("sign-out leaves no user", async (t) => {
  await t.signedUp();
  await sdk.signOut(t.auth);
  t.equal(t.auth.currentUser, null);
});

test("an address has ways to sign in", async (t) => {
  const { email } = await t.signedUp();
  t.equal(await sdk.fetchSignInMethodsForEmail(t.auth, email), ["password"]);
  t.equal(await sdk.fetchSignInMethodsForEmail(t.auth, t.address()), []);
});

test("where addresses are hidden, their ways to sign in are, too", async (t) => {
  const { email } = await t.signedUp();
  await t.hideAddresses();
  t.equal(await sdk.fetchSignInMethodsForEmail(t.auth, email), []);
});

test("ways to sign in are of addresses only", async (t) => {
  await t.refused("auth/invalid-email", sdk.fetchSignInMethodsForEmail(t.auth, "nonsense"));
});

// Without an address

test("an anonymous user has an id and nothing else", async (t) => {
  const credential = await sdk.signInAnonymously(t.auth);
  const { user } = credential;
  t.equal([user.isAnonymous, user.email, user.providerData], [true, null, []]);
  t.equal(sdk.getAdditionalUserInfo(credential), { isNewUser: true, profile: {}, providerId: null });
  const { provider_id, firebase, aud, sub } = await claims(user);
  t.equal([provider_id, firebase.sign_in_provider, aud, sub], ["anonymous", "anonymous", project, user.uid]);
});

test("a client has one anonymous user", async (t) => {
  const { user } = await sdk.signInAnonymously(t.auth);
  t.equal((await sdk.signInAnonymously(t.auth)).user.uid, user.uid);
  t.isTrue((await sdk.signInAnonymously(t.client())).user.uid !== user.uid, "another client has another");
});

test("anonymous users are refused where a project has none", async (t) => {
  await t.settings({ signIn: { anonymous: { enabled: false } } });
  await t.refused("auth/admin-restricted-operation", sdk.signInAnonymously(t.auth));
});

test("an anonymous user gets a password, and stays who it is", async (t) => {
  const { user } = await sdk.signInAnonymously(t.auth);
  const email = t.address();
  const linked = await sdk.linkWithCredential(user, EmailAuthProvider.credential(email, PASSWORD));
  t.equal([linked.operationType, user.isAnonymous, user.email, providers(user)], ["link", false, email, ["password"]]);
  t.equal((await claims(user)).firebase.sign_in_provider, "password");
  t.equal((await t.elsewhere(email)).uid, user.uid);
});

test("an anonymous user does not get another's address", async (t) => {
  const { email } = await t.signedUp();
  const auth = t.client();
  const { user } = await sdk.signInAnonymously(auth);
  await t.refused("auth/email-already-in-use", sdk.linkWithCredential(user, EmailAuthProvider.credential(email, PASSWORD)));
  t.equal([user.isAnonymous, user.email, auth.currentUser.uid], [true, null, user.uid]);
});

test("a weak password is not linked", async (t) => {
  const { user } = await sdk.signInAnonymously(t.auth);
  await t.refused("auth/weak-password", sdk.linkWithCredential(user, EmailAuthProvider.credential(t.address(), "12345")));
});

// Changes

test("a user takes a name and a picture, and removes them", async (t) => {
  const user = await t.signedUp();
  await sdk.updateProfile(user, { displayName: "Ann", photoURL: "https://example.com/ann.png" });
  t.equal([user.displayName, user.photoURL], ["Ann", "https://example.com/ann.png"]);
  const { name, picture } = await claims(user, true);
  t.equal([name, picture], ["Ann", "https://example.com/ann.png"]);
  const other = await t.elsewhere(user.email);
  t.equal([other.displayName, other.providerData[0].photoURL], ["Ann", "https://example.com/ann.png"]);
  await sdk.updateProfile(user, { displayName: "", photoURL: "" });
  await other.reload();
  t.equal([user.displayName, user.photoURL, other.displayName, other.photoURL], [null, null, null, null]);
});

test("null removes a name and a picture", async (t) => {
  const user = await t.signedUp();
  await sdk.updateProfile(user, { displayName: "Ann", photoURL: "https://example.com/ann.png" });
  await sdk.updateProfile(user, { displayName: null, photoURL: null });
  t.equal([user.displayName, user.photoURL], [null, null]);
});

test("a user changes one part of the profile", async (t) => {
  const user = await t.signedUp();
  await sdk.updateProfile(user, { displayName: "Ann", photoURL: "https://example.com/ann.png" });
  await sdk.updateProfile(user, { displayName: "Anna" });
  await user.reload();
  t.equal([user.displayName, user.photoURL], ["Anna", "https://example.com/ann.png"]);
});

test("a reload has what others changed", async (t) => {
  const user = await t.signedUp();
  await t.change(user.uid, { displayName: "Renamed", emailVerified: true });
  await user.reload();
  t.equal([user.displayName, user.emailVerified], ["Renamed", true]);
});

test("a user changes the address", async (t) => {
  const user = await t.signedUp();
  const [former, email] = [user.email, t.address()];
  await t.change(user.uid, { emailVerified: true });
  await sdk.updateEmail(user, email);
  t.equal([user.email, user.emailVerified, user.providerData[0].email], [email, false, email]);
  t.equal((await claims(user)).email, email);
  t.equal((await t.elsewhere(email)).uid, user.uid);
  await t.refused("auth/user-not-found", signInWithEmailAndPassword(t.client(), former, PASSWORD));
});

test("a user does not change to another's address, nor to none", async (t) => {
  const { email } = await t.signedUp();
  const user = await t.signedUp(t.address(), t.client());
  await t.refused("auth/email-already-in-use", sdk.updateEmail(user, email));
  await t.refused("auth/invalid-email", sdk.updateEmail(user, "nonsense"));
});

test("where addresses are hidden, a new one is verified first", async (t) => {
  const user = await t.signedUp();
  await t.hideAddresses();
  await t.refused("auth/operation-not-allowed", sdk.updateEmail(user, t.address()));
});

test("a user changes the password", async (t) => {
  const user = await t.signedUp();
  await t.refused("auth/weak-password", sdk.updatePassword(user, "12345"));
  await sdk.updatePassword(user, "a new horse");
  await t.refused("auth/wrong-password", signInWithEmailAndPassword(t.client(), user.email, PASSWORD));
  t.equal((await t.elsewhere(user.email, "a new horse")).uid, user.uid);
  await user.reload();
});

test("a new password ends the user's sessions elsewhere", async (t) => {
  const user = await t.signedUp();
  const other = await t.elsewhere(user.email);
  await t.later();
  await sdk.updatePassword(user, "a new horse");
  await t.refused("auth/user-token-expired", other.reload());
  t.equal([other.auth.currentUser, t.auth.currentUser.uid], [null, user.uid]);
});

test("a user reauthenticates with a password", async (t) => {
  const user = await t.signedUp();
  const credential = (password, email = user.email) => EmailAuthProvider.credential(email, password);
  const again = await sdk.reauthenticateWithCredential(user, credential(PASSWORD));
  t.equal([again.operationType, again.user.uid], ["reauthenticate", user.uid]);
  await t.refused("auth/wrong-password", sdk.reauthenticateWithCredential(user, credential("wrong horse")));
  const other = await t.signedUp(t.address(), t.client());
  await t.refused("auth/user-mismatch", sdk.reauthenticateWithCredential(user, credential(PASSWORD, other.email)));
  await t.refused("auth/user-mismatch", sdk.reauthenticateWithCredential(user, credential(PASSWORD, t.address())));
});

test("a password is linked once, and can be given up", async (t) => {
  const user = await t.signedUp();
  const credential = EmailAuthProvider.credential(t.address(), PASSWORD);
  await t.refused("auth/provider-already-linked", sdk.linkWithCredential(user, credential));
  const { email } = user;
  await sdk.unlink(user, "password");
  t.equal(providers(user), []);
  await t.refused("auth/no-such-provider", sdk.unlink(user, "password"));
  await t.refused("auth/user-not-found", signInWithEmailAndPassword(t.client(), email, PASSWORD));
});

test("a user who is deleted is gone", async (t) => {
  const user = await t.signedUp();
  const other = await t.elsewhere(user.email);
  await sdk.deleteUser(user);
  t.equal([t.auth.currentUser, await t.users({ localId: [user.uid] })], [null, []]);
  await t.refused("auth/user-not-found", signInWithEmailAndPassword(t.auth, user.email, PASSWORD));
  await t.refused("auth/user-token-expired", other.reload());
  t.equal(other.auth.currentUser, null);
});

test("the address of a deleted user is free", async (t) => {
  const user = await t.signedUp();
  await user.delete();
  t.isTrue((await t.signedUp(user.email)).uid !== user.uid, "another user has it");
});

test("users do not delete themselves where a project refuses that", async (t) => {
  const user = await t.signedUp();
  await t.settings({ client: { permissions: { disabledUserDeletion: true } } });
  await t.refused("auth/admin-restricted-operation", sdk.deleteUser(user));
  await user.reload();
});

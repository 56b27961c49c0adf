// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Users of telephones, by codes that are sent to them.
import { claims, providers, sdk, test } from "/web/auth/suite.js";

const { PhoneAuthProvider } = sdk;

/** Signs in by a code to a number. */
async function signIn(t, number, auth = t.auth) {
  const sent = await sdk.signInWithPhoneNumber(auth, number, t.verifier());
  return sent.confirm(await t.code(number));
}

/** A credential of a code to a number. */
async function credential(t, number, auth = t.auth) {
  const id = await new PhoneAuthProvider(auth).verifyPhoneNumber(number, t.verifier());
  return PhoneAuthProvider.credential(id, await t.code(number));
}

test("a code signs a new user in", async (t) => {
  const number = t.number();
  const result = await signIn(t, number);
  const { user } = result;
  t.equal([user.phoneNumber, user.isAnonymous, user.email], [number, false, null]);
  t.equal([result.operationType, result.providerId, sdk.getAdditionalUserInfo(result).isNewUser], ["signIn", "phone", true]);
  t.equal(user.providerData, [{ providerId: "phone", uid: number, displayName: null, email: null, phoneNumber: number, photoURL: null }]);
  const { phone_number, firebase } = await claims(user);
  t.equal([phone_number, firebase], [number, { identities: { phone: [number] }, sign_in_provider: "phone" }]);
});

test("the SDK's own verifier needs no person in tests", async (t) => {
  t.equal(t.auth.settings.appVerificationDisabledForTesting, true);
  const place = document.body.appendChild(document.createElement("div"));
  const verifier = new sdk.RecaptchaVerifier(t.auth, place, { size: "invisible" });
  const number = t.number();
  const sent = await sdk.signInWithPhoneNumber(t.auth, number, verifier);
  t.equal((await sent.confirm(await t.code(number))).user.phoneNumber, number);
  verifier.clear();
  place.remove();
});

test("a number signs the same user in", async (t) => {
  const number = t.number();
  const { user } = await signIn(t, number);
  const again = await signIn(t, number, t.client());
  t.equal([again.user.uid, sdk.getAdditionalUserInfo(again).isNewUser], [user.uid, false]);
});

test("a wrong code is refused, and the right one is still good", async (t) => {
  const number = t.number();
  const sent = await sdk.signInWithPhoneNumber(t.auth, number, t.verifier());
  const code = await t.code(number);
  t.isTrue(/^\d{6}$/.test(code), code);
  await t.refused("auth/invalid-verification-code", sent.confirm(code === "123456" ? "123457" : "123456"));
  t.equal((await sent.confirm(code)).user.phoneNumber, number);
});

test("a code is good once", async (t) => {
  const number = t.number();
  const sent = await sdk.signInWithPhoneNumber(t.auth, number, t.verifier());
  const code = await t.code(number);
  await sent.confirm(code);
  await t.refused("auth/invalid-verification-id", sent.confirm(code));
});

test("a code that was not sent for is refused", async (t) => {
  await t.refused("auth/invalid-verification-id", sdk.signInWithCredential(t.auth, PhoneAuthProvider.credential("nonsense", "123456")));
  await t.refused("auth/missing-code", sdk.signInWithCredential(t.auth, PhoneAuthProvider.credential("nonsense", "")));
});

test("a number has the code of its country", async (t) => {
  await t.refused("auth/invalid-phone-number", sdk.signInWithPhoneNumber(t.auth, "6505550100", t.verifier()));
});

test("a number for tests has a code of its own", async (t) => {
  const number = t.number();
  await t.settings({ signIn: { phoneNumber: { enabled: true, testPhoneNumbers: { [number]: "424242" } } } });
  const sent = await sdk.signInWithPhoneNumber(t.auth, number, t.verifier());
  t.equal((await sent.confirm("424242")).user.phoneNumber, number);
});

test("no code is sent where a project has no telephones", async (t) => {
  await t.settings({ signIn: { phoneNumber: { enabled: false } } });
  await t.refused("auth/operation-not-allowed", sdk.signInWithPhoneNumber(t.auth, t.number(), t.verifier()));
});

test("a user who is disabled does not get in by a code", async (t) => {
  const number = t.number();
  const { user } = await signIn(t, number);
  await t.change(user.uid, { disableUser: true });
  await t.refused("auth/user-disabled", signIn(t, number, t.client()));
});

test("a user links a number, signs in by it, and unlinks it", async (t) => {
  const user = await t.signedUp();
  const number = t.number();
  const sent = await sdk.linkWithPhoneNumber(user, number, t.verifier());
  t.equal((await sent.confirm(await t.code(number))).operationType, "link");
  t.equal([user.phoneNumber, providers(user)], [number, ["password", "phone"]]);
  t.equal((await signIn(t, number, t.client())).user.uid, user.uid);
  await sdk.unlink(user, "phone");
  t.equal([user.phoneNumber, providers(user)], [null, ["password"]]);
  t.isTrue((await signIn(t, number, t.client())).user.uid !== user.uid, "another user has it");
});

test("a user has one number", async (t) => {
  const { user } = await signIn(t, t.number());
  await t.refused("auth/provider-already-linked", sdk.linkWithPhoneNumber(user, t.number(), t.verifier()));
});

test("an anonymous user gets a number, and stays who it is", async (t) => {
  const { user } = await sdk.signInAnonymously(t.auth);
  const number = t.number();
  await sdk.linkWithCredential(user, await credential(t, number));
  t.equal([user.isAnonymous, user.phoneNumber], [false, number]);
  t.equal((await signIn(t, number, t.client())).user.uid, user.uid);
});

test("another's number is not linked, but its owner gets in with the proof", async (t) => {
  const number = t.number();
  const owner = (await signIn(t, number)).user;
  const auth = t.client();
  const user = await t.signedUp(t.address(), auth);
  const linked = sdk.linkWithCredential(user, await credential(t, number, auth));
  const error = await t.refused("auth/account-exists-with-different-credential", linked);
  t.equal([error.customData.phoneNumber, user.phoneNumber], [number, null]);
  const proof = PhoneAuthProvider.credentialFromError(error);
  t.equal((await sdk.signInWithCredential(auth, proof)).user.uid, owner.uid);
});

test("a user changes the number", async (t) => {
  const user = await t.signedUp();
  const [former, number] = [t.number(), t.number()];
  await sdk.updatePhoneNumber(user, await credential(t, former));
  await sdk.updatePhoneNumber(user, await credential(t, number));
  t.equal([user.phoneNumber, (await claims(user, true)).phone_number], [number, number]);
  t.isTrue((await signIn(t, former, t.client())).user.uid !== user.uid, "the former number is free");
});

test("a user reauthenticates with a number", async (t) => {
  const number = t.number();
  const { user } = await signIn(t, number);
  const sent = await sdk.reauthenticateWithPhoneNumber(user, number, t.verifier());
  const again = await sent.confirm(await t.code(number));
  t.equal([again.operationType, again.user.uid], ["reauthenticate", user.uid]);
  const other = t.number();
  await signIn(t, other, t.client());
  await t.refused("auth/user-mismatch", sdk.reauthenticateWithCredential(user, await credential(t, other)));
});

test("an unknown number does not reauthenticate, and makes no user", async (t) => {
  const { user } = await signIn(t, t.number());
  const number = t.number();
  await t.refused("auth/user-mismatch", sdk.reauthenticateWithCredential(user, await credential(t, number)));
  t.equal(await t.users({ phoneNumber: [number] }), []);
});

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Second factors: codes to telephones, and codes of authenticator apps.
import { claims, PASSWORD, sdk, test } from "/web/auth/suite.js";

const { PhoneAuthProvider, PhoneMultiFactorGenerator, TotpMultiFactorGenerator, multiFactor } = sdk;
const REQUIRED = "auth/multi-factor-auth-required";
const APPS = { mfa: { state: "ENABLED", providerConfigs: [{ state: "ENABLED", totpProviderConfig: { adjacentIntervals: 1 } }] } };

/** Sends a code to a number, as a factor. */
async function sent(t, options, number, auth) {
  const id = await new PhoneAuthProvider(auth).verifyPhoneNumber(options, t.verifier());
  return PhoneMultiFactorGenerator.assertion(PhoneAuthProvider.credential(id, await t.code(number, auth.tenantId)));
}

/** Enrolls a number. */
async function enroll(t, user, number = t.number(), name = "my phone") {
  const session = await multiFactor(user).getSession();
  await multiFactor(user).enroll(await sent(t, { phoneNumber: number, session }, number, user.auth), name);
  return number;
}

/** Signs in up to the second factor. */
async function halfway(t, email, auth) {
  return sdk.getMultiFactorResolver(auth, await t.refused(REQUIRED, sdk.signInWithEmailAndPassword(auth, email, PASSWORD)));
}

/** The code that an authenticator app shows now, or some intervals of 30 seconds later (RFC 6238). */
async function shownCode(secret, later = 0) {
  const bits = Array.from(secret, (letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"));
  const bytes = Uint8Array.from(bits.join("").match(/.{8}/g), (byte) => parseInt(byte, 2));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-1" }, false, ["sign"]);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.floor(Date.now() / 30_000) + later));
  const digest = new DataView(await crypto.subtle.sign("HMAC", key, counter.buffer));
  const number = digest.getUint32(digest.getUint8(19) & 0xf) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

/** Enrolls an authenticator app; returns its secret. */
async function enrollApp(user, name = "my app") {
  const secret = await TotpMultiFactorGenerator.generateSecret(await multiFactor(user).getSession());
  await multiFactor(user).enroll(TotpMultiFactorGenerator.assertionForEnrollment(secret, await shownCode(secret.secretKey)), name);
  return secret.secretKey;
}

// Telephones

test("a user enrolls a telephone", async (t) => {
  const user = await t.verified();
  const number = await enroll(t, user);
  const [factor, ...others] = multiFactor(user).enrolledFactors;
  t.equal([factor.factorId, factor.displayName, factor.phoneNumber, others], ["phone", "my phone", number, []]);
  t.isTrue(factor.uid && Math.abs(Date.parse(factor.enrollmentTime) - Date.now()) < 60_000, factor);
  const { signInSecondFactor, claims } = await user.getIdTokenResult();
  t.equal([signInSecondFactor, claims.firebase.second_factor_identifier], ["phone", factor.uid]);
});

test("a user with a telephone signs in by its code", async (t) => {
  const user = await t.verified();
  const number = await enroll(t, user);
  const auth = t.client();
  const resolver = await halfway(t, user.email, auth);
  const [hint] = resolver.hints;
  t.equal([hint.factorId, hint.displayName, hint.phoneNumber], ["phone", "my phone", `+*******${number.slice(-4)}`]);
  t.equal(auth.currentUser, null);
  const options = { multiFactorHint: hint, session: resolver.session };
  const credential = await resolver.resolveSignIn(await sent(t, options, number, auth));
  t.equal([credential.operationType, credential.user.uid, auth.currentUser.uid], ["signIn", user.uid, user.uid]);
  const { signInProvider, signInSecondFactor } = await credential.user.getIdTokenResult();
  t.equal([signInProvider, signInSecondFactor], ["password", "phone"]);
});

test("a wrong code of a telephone is refused, and the right one is still good", async (t) => {
  const user = await t.verified();
  const number = await enroll(t, user);
  const auth = t.client();
  const resolver = await halfway(t, user.email, auth);
  const options = { multiFactorUid: resolver.hints[0].uid, session: resolver.session };
  const id = await new PhoneAuthProvider(auth).verifyPhoneNumber(options, t.verifier());
  const code = await t.code(number);
  const shown = (code) => resolver.resolveSignIn(PhoneMultiFactorGenerator.assertion(PhoneAuthProvider.credential(id, code)));
  await t.refused("auth/invalid-verification-code", shown(code === "123456" ? "123457" : "123456"));
  t.equal((await shown(code)).user.uid, user.uid);
});

test("a session keeps the factor that it began with", async (t) => {
  const user = await t.verified();
  await enroll(t, user);
  await t.later();
  t.equal((await claims(user, true)).firebase.sign_in_second_factor, "phone");
});

test("a user with two telephones chooses one", async (t) => {
  const user = await t.verified();
  await enroll(t, user, t.number(), "one");
  const number = await enroll(t, user, t.number(), "two");
  const auth = t.client();
  const resolver = await halfway(t, user.email, auth);
  t.equal(resolver.hints.map((hint) => hint.displayName), ["one", "two"]);
  const options = { multiFactorHint: resolver.hints[1], session: resolver.session };
  t.equal((await resolver.resolveSignIn(await sent(t, options, number, auth))).user.uid, user.uid);
});

test("a telephone is enrolled once", async (t) => {
  const user = await t.verified();
  const number = await enroll(t, user);
  await t.refused("auth/second-factor-already-in-use", enroll(t, user, number));
});

test("a factor wants an address that is verified", async (t) => {
  await t.refused("auth/unverified-email", enroll(t, await t.signedUp()));
});

test("a factor is of a telephone's number", async (t) => {
  await t.refused("auth/invalid-phone-number", enroll(t, await t.verified(), "6505550100"));
});

test("anonymous users have no second factor", async (t) => {
  const { user } = await sdk.signInAnonymously(t.auth);
  await t.refused("auth/unsupported-first-factor", enroll(t, user));
});

test("users of telephones have no second factor", async (t) => {
  const number = t.number();
  const confirmation = await sdk.signInWithPhoneNumber(t.auth, number, t.verifier());
  const { user } = await confirmation.confirm(await t.code(number));
  await t.refused("auth/unsupported-first-factor", enroll(t, user));
});

test("a user with a second factor gets no number as a first one", async (t) => {
  const user = await t.verified();
  await enroll(t, user);
  const number = t.number();
  const confirmation = await sdk.linkWithPhoneNumber(user, number, t.verifier());
  await t.refused("auth/unsupported-first-factor", confirmation.confirm(await t.code(number)));
});

test("a user takes a telephone out, and signs in without", async (t) => {
  const user = await t.verified();
  await enroll(t, user);
  await t.refused("auth/multi-factor-info-not-found", multiFactor(user).unenroll("nonsense"));
  await multiFactor(user).unenroll(multiFactor(user).enrolledFactors[0]);
  t.equal([multiFactor(user).enrolledFactors, (await t.elsewhere(user.email)).uid], [[], user.uid]);
  t.equal((await user.getIdTokenResult()).signInSecondFactor, null);
});

test("a factor that an administrator gives is asked for", async (t) => {
  const user = await t.verified();
  const number = t.number();
  await t.change(user.uid, { mfa: { enrollments: [{ mfaEnrollmentId: "given", phoneInfo: number, displayName: "given" }] } });
  const auth = t.client();
  const resolver = await halfway(t, user.email, auth);
  t.equal(resolver.hints.map((hint) => [hint.uid, hint.displayName]), [["given", "given"]]);
  const options = { multiFactorUid: "given", session: resolver.session };
  t.equal((await resolver.resolveSignIn(await sent(t, options, number, auth))).user.uid, user.uid);
});

test("a user with a second factor reauthenticates", async (t) => {
  const user = await t.verified();
  const number = await enroll(t, user);
  const credential = sdk.EmailAuthProvider.credential(user.email, PASSWORD);
  const error = await t.refused(REQUIRED, sdk.reauthenticateWithCredential(user, credential));
  const resolver = sdk.getMultiFactorResolver(t.auth, error);
  const options = { multiFactorHint: resolver.hints[0], session: resolver.session };
  const again = await resolver.resolveSignIn(await sent(t, options, number, t.auth));
  t.equal([again.operationType, again.user.uid], ["reauthenticate", user.uid]);
});

test("Google asks for a second factor, too", async (t) => {
  const email = t.address();
  const google = sdk.GoogleAuthProvider.credential(JSON.stringify({ sub: `google-${email}`, email, email_verified: true }));
  const { user } = await sdk.signInWithCredential(t.auth, google);
  const number = await enroll(t, user);
  const auth = t.client();
  const resolver = sdk.getMultiFactorResolver(auth, await t.refused(REQUIRED, sdk.signInWithCredential(auth, google)));
  const options = { multiFactorHint: resolver.hints[0], session: resolver.session };
  const credential = await resolver.resolveSignIn(await sent(t, options, number, auth));
  t.equal([credential.user.uid, credential.providerId], [user.uid, "google.com"]);
  t.equal((await credential.user.getIdTokenResult()).signInProvider, "google.com");
});

test("a link asks for a second factor, too", async (t) => {
  const user = await t.verified();
  await enroll(t, user);
  await sdk.sendSignInLinkToEmail(t.auth, user.email, { url: location.origin, handleCodeInApp: true });
  await t.refused(REQUIRED, sdk.signInWithEmailLink(t.client(), user.email, await t.link(user.email)));
});

test("no telephone is enrolled where a project has no second factors", async (t) => {
  await t.settings({ mfa: { state: "DISABLED" } });
  await t.refused("auth/operation-not-allowed", enroll(t, await t.verified()));
});

// Authenticator apps

test("a secret for an app says how its codes are made", async (t) => {
  await t.settings(APPS);
  const user = await t.verified();
  const secret = await TotpMultiFactorGenerator.generateSecret(await multiFactor(user).getSession());
  t.isTrue(/^[A-Z2-7]{32}$/.test(secret.secretKey), secret.secretKey);
  t.equal([secret.hashingAlgorithm, secret.codeLength, secret.codeIntervalSeconds], ["SHA1", 6, 30]);
  const minutes = (Date.parse(secret.enrollmentCompletionDeadline) - Date.now()) / 60_000;
  t.isTrue(minutes > 13 && minutes < 16, minutes);
  const address = secret.generateQrCodeUrl("ann", "Acme");
  t.equal(address, `otpauth://totp/Acme:ann?secret=${secret.secretKey}&issuer=Acme&algorithm=SHA1&digits=6`);
});

test("a user enrolls an app", async (t) => {
  await t.settings(APPS);
  const user = await t.verified();
  await enrollApp(user);
  const [factor, ...others] = multiFactor(user).enrolledFactors;
  t.equal([factor.factorId, factor.displayName, others], ["totp", "my app", []]);
  t.equal((await user.getIdTokenResult()).signInSecondFactor, "totp");
});

test("a user with an app signs in by its code", async (t) => {
  await t.settings(APPS);
  const user = await t.verified();
  const secret = await enrollApp(user);
  const auth = t.client();
  const resolver = await halfway(t, user.email, auth);
  const [hint] = resolver.hints;
  t.equal([hint.factorId, hint.displayName], ["totp", "my app"]);
  const shown = (code) => resolver.resolveSignIn(TotpMultiFactorGenerator.assertionForSignIn(hint.uid, code));
  await t.refused("auth/invalid-verification-code", shown(await shownCode(secret, 7)));
  const credential = await shown(await shownCode(secret));
  const { signInSecondFactor, claims } = await credential.user.getIdTokenResult();
  t.equal([credential.user.uid, signInSecondFactor, claims.firebase.second_factor_identifier], [user.uid, "totp", hint.uid]);
});

test("codes near the present one are good, as far as the project says", async (t) => {
  await t.settings({ mfa: { state: "ENABLED", providerConfigs: [{ state: "ENABLED", totpProviderConfig: { adjacentIntervals: 3 } }] } });
  const user = await t.verified();
  const secret = await enrollApp(user);
  const auth = t.client();
  const resolver = await halfway(t, user.email, auth);
  const shown = (code) => resolver.resolveSignIn(TotpMultiFactorGenerator.assertionForSignIn(resolver.hints[0].uid, code));
  await t.refused("auth/invalid-verification-code", shown(await shownCode(secret, 5)));
  t.equal((await shown(await shownCode(secret, 2))).user.uid, user.uid);
});

test("a wrong code enrolls no app", async (t) => {
  await t.settings(APPS);
  const user = await t.verified();
  const secret = await TotpMultiFactorGenerator.generateSecret(await multiFactor(user).getSession());
  const assertion = TotpMultiFactorGenerator.assertionForEnrollment(secret, await shownCode(secret.secretKey, 7));
  await t.refused("auth/invalid-verification-code", multiFactor(user).enroll(assertion, "my app"));
  t.equal(multiFactor(user).enrolledFactors, []);
});

test("a user with a telephone and an app signs in by either", async (t) => {
  await t.settings(APPS);
  const user = await t.verified();
  const number = await enroll(t, user);
  const secret = await enrollApp(user);
  const [one, two] = [t.client(), t.client()];
  const byPhone = await halfway(t, user.email, one);
  t.equal(byPhone.hints.map((hint) => hint.factorId), ["phone", "totp"]);
  const options = { multiFactorHint: byPhone.hints[0], session: byPhone.session };
  t.equal((await byPhone.resolveSignIn(await sent(t, options, number, one))).user.uid, user.uid);
  const byApp = await halfway(t, user.email, two);
  const assertion = TotpMultiFactorGenerator.assertionForSignIn(byApp.hints[1].uid, await shownCode(secret));
  t.equal((await byApp.resolveSignIn(assertion)).user.uid, user.uid);
});

test("a user takes an app out, and signs in without", async (t) => {
  await t.settings(APPS);
  const user = await t.verified();
  await enrollApp(user);
  await multiFactor(user).unenroll(multiFactor(user).enrolledFactors[0].uid);
  t.equal([multiFactor(user).enrolledFactors, (await t.elsewhere(user.email)).uid], [[], user.uid]);
});

test("an app wants an address that is verified", async (t) => {
  await t.settings(APPS);
  const session = await multiFactor(await t.signedUp()).getSession();
  await t.refused("auth/unverified-email", TotpMultiFactorGenerator.generateSecret(session));
});

test("no app is enrolled where a project has none", async (t) => {
  const session = await multiFactor(await t.verified()).getSession();
  await t.refused("auth/operation-not-allowed", TotpMultiFactorGenerator.generateSecret(session));
});

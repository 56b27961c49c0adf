// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Settings of projects and tenants: passwords, reCAPTCHA, ways to sign in.
import { claims, PASSWORD, project, providers, sdk, test } from "/web/auth/suite.js";

const STRENGTH = { minPasswordLength: 8, maxPasswordLength: 20, containsUppercaseCharacter: true, containsNumericCharacter: true };
const POLICY = { passwordPolicyEnforcementState: "ENFORCE", passwordPolicyVersions: [{ customStrengthOptions: STRENGTH }] };
const UNMET = "auth/password-does-not-meet-requirements";

// Passwords

test("without a policy, six characters are enough", async (t) => {
  const status = await sdk.validatePassword(t.auth, "123456");
  t.equal([status.isValid, status.meetsMinPasswordLength, status.passwordPolicy.enforcementState], [true, true, "OFF"]);
  t.equal(status.passwordPolicy.customStrengthOptions.minPasswordLength, 6);
  t.isTrue(status.passwordPolicy.allowedNonAlphanumericCharacters.includes("$"), "characters are listed");
  t.equal((await sdk.validatePassword(t.auth, "12345")).isValid, false);
});

test("a policy names the faults of a password", async (t) => {
  await t.settings({ passwordPolicyConfig: POLICY });
  const weak = await sdk.validatePassword(t.auth, "weak");
  t.equal([weak.isValid, weak.meetsMinPasswordLength, weak.meetsMaxPasswordLength], [false, false, true]);
  t.equal([weak.containsUppercaseLetter, weak.containsNumericCharacter, weak.containsLowercaseLetter], [false, false, undefined]);
  const long = await sdk.validatePassword(t.auth, "Correct Horse Battery 1");
  t.equal([long.isValid, long.meetsMaxPasswordLength], [false, false]);
  const { isValid, passwordPolicy } = await sdk.validatePassword(t.auth, "Correct Horse 1");
  t.equal([isValid, passwordPolicy.enforcementState, passwordPolicy.forceUpgradeOnSignin], [true, "ENFORCE", false]);
  t.equal(passwordPolicy.customStrengthOptions.maxPasswordLength, 20);
});

test("a policy is for sign-up", async (t) => {
  await t.settings({ passwordPolicyConfig: POLICY });
  const error = await t.refused(UNMET, sdk.createUserWithEmailAndPassword(t.auth, t.address(), "correct"));
  t.isTrue(error.message.includes("Missing password requirements: ["), error.message);
  t.equal(t.auth.currentUser, null);
  await sdk.createUserWithEmailAndPassword(t.auth, t.address(), "Correct Horse 1");
});

test("a policy is for changes of passwords", async (t) => {
  const user = await t.signedUp();
  await sdk.sendPasswordResetEmail(t.auth, user.email);
  const code = await t.actionCode(user.email);
  await t.settings({ passwordPolicyConfig: POLICY });
  await t.refused(UNMET, sdk.updatePassword(user, "a new horse"));
  await t.refused(UNMET, sdk.confirmPasswordReset(t.auth, code, "a new horse"));
  await sdk.confirmPasswordReset(t.auth, code, "A New Horse 1");
  t.equal((await t.elsewhere(user.email, "A New Horse 1")).uid, user.uid);
});

test("a policy accepts former passwords", async (t) => {
  const user = await t.signedUp();
  await t.settings({ passwordPolicyConfig: POLICY });
  t.equal((await t.elsewhere(user.email)).uid, user.uid);
});

test("a policy may refuse former passwords", async (t) => {
  const user = await t.signedUp();
  await t.settings({ passwordPolicyConfig: { ...POLICY, forceUpgradeOnSignin: true } });
  await t.refused(UNMET, sdk.signInWithEmailAndPassword(t.client(), user.email, PASSWORD));
});

// reCAPTCHA

test("a project without reCAPTCHA has no key for it, and signs users in", async (t) => {
  const error = await sdk.initializeRecaptchaConfig(t.auth).catch((error) => error);
  t.equal(error.message, "recaptchaKey undefined");
  t.equal((await t.elsewhere((await t.signedUp()).email)).isAnonymous, false);
});

test("a project with reCAPTCHA has a key for it, and signs users in", async (t) => {
  const key = { key: `projects/${project}/keys/site-key`, type: "WEB" };
  await t.settings({ recaptchaConfig: { emailPasswordEnforcementState: "AUDIT", phoneEnforcementState: "AUDIT", recaptchaKeys: [key] } });
  await sdk.initializeRecaptchaConfig(t.auth);
  const { email } = await t.signedUp();
  t.equal((await sdk.signInWithEmailAndPassword(t.auth, email, PASSWORD)).user.email, email);
});

// Tenants

test("a tenant has users of its own", async (t) => {
  const auth = await t.tenant();
  const ofProject = await t.signedUp();
  const user = await t.signedUp(ofProject.email, auth);
  t.equal([user.tenantId, (await claims(user)).firebase.tenant, ofProject.tenantId], [auth.tenantId, auth.tenantId, null]);
  t.isTrue(user.uid !== ofProject.uid, "there are two users");
  const again = await sdk.signInWithEmailAndPassword(auth, user.email, PASSWORD);
  t.equal([again.user.uid, again.user.tenantId], [user.uid, auth.tenantId]);
  await again.user.reload();
  t.equal((await claims(again.user, true)).firebase.tenant, auth.tenantId);
});

test("a tenant does not know the project's users, nor the other way round", async (t) => {
  const auth = await t.tenant();
  const [inProject, inTenant] = [await t.signedUp(), await t.signedUp(t.address(), auth)];
  await t.refused("auth/user-not-found", sdk.signInWithEmailAndPassword(auth, inProject.email, PASSWORD));
  await t.refused("auth/user-not-found", sdk.signInWithEmailAndPassword(t.client(), inTenant.email, PASSWORD));
});

test("a user of a tenant does not move to another", async (t) => {
  const auth = await t.tenant();
  const user = await t.signedUp(t.address(), auth);
  await t.refused("auth/tenant-id-mismatch", sdk.updateCurrentUser(t.client(), user));
  await t.refused("auth/tenant-id-mismatch", sdk.updateCurrentUser(await t.tenant(), user));
});

test("a tenant has ways to sign in of its own", async (t) => {
  const auth = await t.tenant({ allowPasswordSignup: false, enableEmailLinkSignin: false, enableAnonymousUser: false });
  await t.refused("auth/operation-not-allowed", sdk.createUserWithEmailAndPassword(auth, t.address(), PASSWORD));
  await t.refused("auth/admin-restricted-operation", sdk.signInAnonymously(auth));
  const settings = { url: location.origin, handleCodeInApp: true };
  await t.refused("auth/operation-not-allowed", sdk.sendSignInLinkToEmail(auth, t.address(), settings));
});

test("a tenant that is switched off refuses everyone", async (t) => {
  const auth = await t.tenant({ disableAuth: true });
  await t.refused("auth/project-disabled", sdk.createUserWithEmailAndPassword(auth, t.address(), PASSWORD));
});

test("a tenant has anonymous users, who get a password", async (t) => {
  const auth = await t.tenant();
  const { user } = await sdk.signInAnonymously(auth);
  await sdk.linkWithCredential(user, sdk.EmailAuthProvider.credential(t.address(), PASSWORD));
  t.equal([user.tenantId, user.isAnonymous, providers(user)], [auth.tenantId, false, ["password"]]);
});

test("a tenant has users of Google", async (t) => {
  const auth = await t.tenant();
  const email = t.address();
  const google = sdk.GoogleAuthProvider.credential(JSON.stringify({ sub: `google-${email}`, email, email_verified: true }));
  const inTenant = (await sdk.signInWithCredential(auth, google)).user;
  const inProject = (await sdk.signInWithCredential(t.auth, google)).user;
  t.equal([inTenant.tenantId, inProject.tenantId, inTenant.uid === inProject.uid], [auth.tenantId, null, false]);
});

test("a tenant's links name it", async (t) => {
  const auth = await t.tenant();
  const email = t.address();
  await sdk.sendSignInLinkToEmail(auth, email, { url: location.origin, handleCodeInApp: true });
  const link = await t.link(email, auth.tenantId);
  t.equal(sdk.parseActionCodeURL(link).tenantId, auth.tenantId);
  await t.refused("auth/tenant-id-mismatch", Promise.resolve().then(() => sdk.signInWithEmailLink(t.auth, email, link)));
  t.equal((await sdk.signInWithEmailLink(auth, email, link)).user.tenantId, auth.tenantId);
});

test("a tenant's users reset their passwords and verify their addresses", async (t) => {
  const auth = await t.tenant();
  const user = await t.signedUp(t.address(), auth);
  await sdk.sendEmailVerification(user);
  await sdk.applyActionCode(auth, await t.actionCode(user.email, auth.tenantId));
  await user.reload();
  t.equal(user.emailVerified, true);
  await sdk.sendPasswordResetEmail(auth, user.email);
  await sdk.confirmPasswordReset(auth, await t.actionCode(user.email, auth.tenantId), "a new horse");
  t.equal((await sdk.signInWithEmailAndPassword(auth, user.email, "a new horse")).user.uid, user.uid);
});

test("a tenant has a policy of its own", async (t) => {
  const auth = await t.tenant({ passwordPolicyConfig: POLICY });
  t.equal([(await sdk.validatePassword(auth, PASSWORD)).isValid, (await sdk.validatePassword(t.auth, PASSWORD)).isValid], [false, true]);
  await t.refused(UNMET, sdk.createUserWithEmailAndPassword(auth, t.address(), PASSWORD));
});

test("a tenant's custom tokens name it", async (t) => {
  const auth = await t.tenant();
  const { user } = await sdk.signInWithCustomToken(auth, JSON.stringify({ uid: `custom-${t.address()}`, tenant_id: auth.tenantId }));
  t.equal([user.tenantId, (await claims(user)).firebase.tenant], [auth.tenantId, auth.tenantId]);
});

test("a tenant asks for second factors where it has them", async (t) => {
  const auth = await t.tenant({ mfaConfig: { state: "ENABLED", enabledProviders: ["PHONE_SMS"] } });
  const user = await t.signedUp(t.address(), auth);
  await sdk.sendEmailVerification(user);
  await sdk.applyActionCode(auth, await t.actionCode(user.email, auth.tenantId));
  await user.reload();
  const [number, factors] = [t.number(), sdk.multiFactor(user)];
  const options = { phoneNumber: number, session: await factors.getSession() };
  const id = await new sdk.PhoneAuthProvider(auth).verifyPhoneNumber(options, t.verifier());
  const credential = sdk.PhoneAuthProvider.credential(id, await t.code(number, auth.tenantId));
  await factors.enroll(sdk.PhoneMultiFactorGenerator.assertion(credential), "my phone");
  await t.refused("auth/multi-factor-auth-required", sdk.signInWithEmailAndPassword(auth, user.email, PASSWORD));
});

test("a tenant without second factors enrolls none", async (t) => {
  const auth = await t.tenant();
  const session = await sdk.multiFactor(await t.signedUp(t.address(), auth)).getSession();
  const sent = new sdk.PhoneAuthProvider(auth).verifyPhoneNumber({ phoneNumber: t.number(), session }, t.verifier());
  await t.refused("auth/operation-not-allowed", sent);
});

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Users of identity providers, by credentials that hold the identity.
import { claims, PASSWORD, providers, sdk, test, unsignedToken } from "/web/auth/suite.js";

const { FacebookAuthProvider, GithubAuthProvider, GoogleAuthProvider, OAuthProvider, TwitterAuthProvider, signInWithCredential } = sdk;

const google = (claims) => GoogleAuthProvider.credential(JSON.stringify(claims));
const facebook = (claims) => FacebookAuthProvider.credential(JSON.stringify(claims));

/** A user of Google, whose address is verified. */
function ann(t, changes = {}) {
  const email = t.address();
  return { sub: `google-${email}`, email, email_verified: true, name: "Ann", picture: "https://example.com/ann.png", ...changes };
}

// Sign-in

test("Google signs a new user in, with the profile that it has there", async (t) => {
  const identity = ann(t);
  const credential = await signInWithCredential(t.auth, google(identity));
  const { user } = credential;
  t.equal([user.email, user.emailVerified, user.displayName, user.photoURL], [identity.email, true, "Ann", identity.picture]);
  t.equal([credential.providerId, credential.operationType], ["google.com", "signIn"]);
  const [{ providerId, uid, email, displayName, photoURL }] = user.providerData;
  t.equal([providerId, uid, email, displayName, photoURL], ["google.com", identity.sub, identity.email, "Ann", identity.picture]);
  const { firebase } = await claims(user);
  t.equal(firebase, { identities: { email: [identity.email], "google.com": [identity.sub] }, sign_in_provider: "google.com" });
});

test("a sign-in by Google has the profile that Google gives", async (t) => {
  const identity = ann(t, { given_name: "Ann" });
  const { isNewUser, providerId, profile } = sdk.getAdditionalUserInfo(await signInWithCredential(t.auth, google(identity)));
  t.equal([isNewUser, providerId], [true, "google.com"]);
  t.equal([profile.id, profile.email, profile.verified_email], [identity.sub, identity.email, true]);
  t.equal([profile.name, profile.given_name], ["Ann", "Ann"]);
});

test("a sign-in by Google can be repeated with its credential", async (t) => {
  const first = await signInWithCredential(t.auth, google(ann(t)));
  const again = await signInWithCredential(t.client(), GoogleAuthProvider.credentialFromResult(first));
  t.equal([again.user.uid, sdk.getAdditionalUserInfo(again).isNewUser], [first.user.uid, false]);
});

test("Google's token may be a real one", async (t) => {
  const identity = ann(t);
  const { user } = await signInWithCredential(t.auth, GoogleAuthProvider.credential(unsignedToken(identity)));
  t.equal([user.email, user.providerData[0].uid], [identity.email, identity.sub]);
});

test("Facebook signs in by an access token", async (t) => {
  const credential = await signInWithCredential(t.auth, facebook({ sub: `facebook-${t.address()}`, name: "Bob" }));
  t.equal([credential.user.displayName, credential.user.email, providers(credential.user)], ["Bob", null, ["facebook.com"]]);
  t.equal(sdk.getAdditionalUserInfo(credential).providerId, "facebook.com");
});

test("GitHub signs in, and says the user's name there", async (t) => {
  const identity = { sub: `github-${t.address()}`, screen_name: "octocat" };
  const credential = await signInWithCredential(t.auth, GithubAuthProvider.credential(JSON.stringify(identity)));
  t.equal(providers(credential.user), ["github.com"]);
  t.equal(sdk.getAdditionalUserInfo(credential).providerId, "github.com");
});

test("Twitter signs in by a token and its secret", async (t) => {
  const identity = { sub: `twitter-${t.address()}`, screen_name: "bird" };
  const credential = await signInWithCredential(t.auth, TwitterAuthProvider.credential(JSON.stringify(identity), "secret"));
  t.equal(providers(credential.user), ["twitter.com"]);
  t.equal(sdk.getAdditionalUserInfo(credential).username, "bird");
});

test("Apple signs in by a token with a nonce", async (t) => {
  const identity = { sub: `apple-${t.address()}`, email: t.address(), email_verified: true };
  const credential = new OAuthProvider("apple.com").credential({ idToken: JSON.stringify(identity), rawNonce: "nonce" });
  const { user } = await signInWithCredential(t.auth, credential);
  t.equal([providers(user), user.email], [["apple.com"], identity.email]);
});

test("a provider of OpenID Connect signs in", async (t) => {
  const identity = { sub: `acme-${t.address()}`, email: t.address(), department: "Roads" };
  const credential = new OAuthProvider("oidc.acme").credential({ idToken: JSON.stringify(identity) });
  const result = await signInWithCredential(t.auth, credential);
  t.equal([providers(result.user), (await claims(result.user)).firebase.sign_in_provider], [["oidc.acme"], "oidc.acme"]);
  t.equal(sdk.getAdditionalUserInfo(result).profile.department, "Roads");
});

test("a credential without an identity is refused", async (t) => {
  await t.refused("auth/invalid-credential", signInWithCredential(t.auth, GoogleAuthProvider.credential("nonsense")));
  await t.refused("auth/invalid-credential", signInWithCredential(t.auth, google({ email: t.address() })));
});

test("a user who is disabled does not get in by Google", async (t) => {
  const identity = ann(t);
  const { user } = await signInWithCredential(t.auth, google(identity));
  await t.change(user.uid, { disableUser: true });
  await t.refused("auth/user-disabled", signInWithCredential(t.client(), google(identity)));
});

test("Google makes no users where administrators alone do", async (t) => {
  const identity = ann(t);
  const { user } = await signInWithCredential(t.auth, google(identity));
  await t.settings({ client: { permissions: { disabledUserSignup: true } } });
  await t.refused("auth/admin-restricted-operation", signInWithCredential(t.client(), google(ann(t))));
  t.equal((await signInWithCredential(t.client(), google(identity))).user.uid, user.uid);
});

// One address, several ways

test("an address that a provider does not vouch for stays its owner's, who links it", async (t) => {
  const owner = await t.signedUp();
  const auth = t.client();
  const identity = { sub: `facebook-${owner.email}`, email: owner.email };
  const error = await t.refused("auth/account-exists-with-different-credential", signInWithCredential(auth, facebook(identity)));
  t.equal([error.customData.email, auth.currentUser], [owner.email, null]);
  t.equal(await sdk.fetchSignInMethodsForEmail(auth, error.customData.email), ["password"]);
  const { user } = await sdk.signInWithEmailAndPassword(auth, owner.email, PASSWORD);
  await sdk.linkWithCredential(user, FacebookAuthProvider.credentialFromError(error));
  t.equal([user.uid, providers(user)], [owner.uid, ["facebook.com", "password"]]);
  t.equal((await signInWithCredential(t.client(), facebook(identity))).user.uid, owner.uid);
});

test("an address that Google vouches for is Google's, without the password that was not verified", async (t) => {
  const owner = await t.signedUp();
  const { user } = await signInWithCredential(t.client(), google(ann(t, { email: owner.email })));
  t.equal([user.uid, user.emailVerified, providers(user)], [owner.uid, true, ["google.com"]]);
  await t.refused("auth/wrong-password", sdk.signInWithEmailAndPassword(t.client(), owner.email, PASSWORD));
});

test("an address that Google vouches for is not GitHub's any more", async (t) => {
  const identity = ann(t);
  const github = GithubAuthProvider.credential(JSON.stringify({ sub: `github-${identity.email}`, email: identity.email }));
  const { user } = await signInWithCredential(t.client(), github);
  const taken = await signInWithCredential(t.client(), google(identity));
  t.equal([taken.user.uid, providers(taken.user)], [user.uid, ["google.com"]]);
  await t.refused("auth/account-exists-with-different-credential", signInWithCredential(t.client(), github));
});

test("an address that is verified keeps its password beside Google", async (t) => {
  const owner = await t.verified();
  const { user } = await signInWithCredential(t.client(), google(ann(t, { email: owner.email })));
  t.equal([user.uid, providers(user)], [owner.uid, ["google.com", "password"]]);
  t.equal((await t.elsewhere(owner.email)).uid, owner.uid);
  t.equal((await sdk.fetchSignInMethodsForEmail(t.auth, owner.email)).sort(), ["google.com", "password"]);
});

test("where addresses need not be unique, each provider has a user of its own", async (t) => {
  await t.settings({ signIn: { allowDuplicateEmails: true } });
  const identity = ann(t);
  const one = (await signInWithCredential(t.auth, google(identity))).user;
  const two = (await signInWithCredential(t.client(), facebook({ sub: identity.sub, email: identity.email }))).user;
  t.isTrue(one.uid !== two.uid, "there are two users");
  t.equal([one.email, one.providerData[0].email, two.providerData[0].email], [null, identity.email, identity.email]);
});

// Links

test("a user links Google, signs in by it, and unlinks it", async (t) => {
  const user = await t.signedUp();
  const identity = ann(t);
  const linked = await sdk.linkWithCredential(user, google(identity));
  t.equal([linked.operationType, linked.providerId, providers(user)], ["link", "google.com", ["google.com", "password"]]);
  t.equal([linked.user.uid, (await claims(user)).firebase.identities["google.com"]], [user.uid, [identity.sub]]);
  t.equal((await signInWithCredential(t.client(), google(identity))).user.uid, user.uid);
  await sdk.unlink(user, "google.com");
  t.equal(providers(user), ["password"]);
  t.isTrue((await signInWithCredential(t.client(), google(identity))).user.uid !== user.uid, "another user has it");
});

test("an anonymous user becomes one of Google's, and stays who it is", async (t) => {
  const { user } = await sdk.signInAnonymously(t.auth);
  const identity = ann(t);
  await sdk.linkWithCredential(user, google(identity));
  t.equal([user.isAnonymous, user.email, user.emailVerified, providers(user)], [false, identity.email, true, ["google.com"]]);
  t.equal((await signInWithCredential(t.client(), google(identity))).user.uid, user.uid);
});

test("an identity belongs to one user", async (t) => {
  const identity = ann(t);
  await signInWithCredential(t.auth, google(identity));
  const user = await t.signedUp(t.address(), t.client());
  await t.refused("auth/credential-already-in-use", sdk.linkWithCredential(user, google(identity)));
  t.equal(providers(user), ["password"]);
});

test("an identity with another's address is not linked", async (t) => {
  const { email } = await t.signedUp();
  const user = await t.signedUp(t.address(), t.client());
  await t.refused("auth/email-already-in-use", sdk.linkWithCredential(user, google(ann(t, { email }))));
});

test("a provider is linked once, and unlinked once", async (t) => {
  const { user } = await signInWithCredential(t.auth, google(ann(t)));
  await t.refused("auth/provider-already-linked", sdk.linkWithCredential(user, google(ann(t))));
  await t.refused("auth/no-such-provider", sdk.unlink(user, "facebook.com"));
});

test("a user has several providers", async (t) => {
  const { user } = await signInWithCredential(t.auth, google(ann(t)));
  await sdk.linkWithCredential(user, facebook({ sub: `facebook-${user.email}` }));
  await sdk.linkWithCredential(user, GithubAuthProvider.credential(JSON.stringify({ sub: `github-${user.email}` })));
  t.equal(providers(user), ["facebook.com", "github.com", "google.com"]);
  await sdk.unlink(user, "google.com");
  await user.reload();
  t.equal(providers(user), ["facebook.com", "github.com"]);
});

test("a user of Google adds a password for another address", async (t) => {
  const { user } = await signInWithCredential(t.auth, google(ann(t)));
  const email = t.address();
  await sdk.linkWithCredential(user, sdk.EmailAuthProvider.credential(email, PASSWORD));
  t.equal([providers(user), user.email, (await t.elsewhere(email)).uid], [["google.com", "password"], email, user.uid]);
});

test("a user of Google adds a password for the same address", async (t) => {
  const { user } = await signInWithCredential(t.auth, google(ann(t)));
  await sdk.linkWithCredential(user, sdk.EmailAuthProvider.credential(user.email, PASSWORD));
  t.equal([providers(user), (await t.elsewhere(user.email)).uid], [["google.com", "password"], user.uid]);
});

test("a user reauthenticates with Google", async (t) => {
  const identity = ann(t);
  const { user } = await signInWithCredential(t.auth, google(identity));
  const again = await sdk.reauthenticateWithCredential(user, google(identity));
  t.equal([again.operationType, again.user.uid], ["reauthenticate", user.uid]);
  const other = ann(t);
  await signInWithCredential(t.client(), google(other));
  await t.refused("auth/user-mismatch", sdk.reauthenticateWithCredential(user, google(other)));
});

test("an unknown identity does not reauthenticate, and makes no user", async (t) => {
  const { user } = await signInWithCredential(t.auth, google(ann(t)));
  const stranger = ann(t);
  await t.refused("auth/user-mismatch", sdk.reauthenticateWithCredential(user, google(stranger)));
  t.equal(await t.users({ email: [stranger.email] }), []);
});

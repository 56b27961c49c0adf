// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// An app with the Web SDK's Authentication. Each click on the button runs the operation that `window.plan` names.
import { initializeApp } from "/sdk/firebase-app.js";
import * as sdk from "/sdk/firebase-auth.js";

const parameters = new URLSearchParams(location.search);
const emulator = parameters.get("auth");
/** Ways in which a page loads the emulator's script; docs/auth-pages.md has them. */
const ways = {
  import: (address) => import(address),
  tag: (address) =>
    new Promise((loaded) => document.head.append(Object.assign(document.createElement("script"), { src: address, onload: loaded }))),
  none: () => {},
};
// Before `getAuth`, which needs it at once where a redirect leads back to the page.
await ways[parameters.get("gapi") ?? "import"](`${emulator}/emulator/auth/gapi.js`);

const app = initializeApp({ apiKey: "fake-api-key", authDomain: "demo.firebaseapp.com", projectId: "demo-pages" });
const auth = sdk.getAuth(app);
sdk.connectAuthEmulator(auth, emulator, { disableWarnings: true });

function providerOf({ provider, scopes = [], parameters = {} }) {
  const made = provider.startsWith("saml.") ? new sdk.SAMLAuthProvider(provider) : new sdk.OAuthProvider(provider);
  for (const scope of scopes) made.addScope(scope);
  return made.setCustomParameters(parameters);
}

/** The parts of a result that tests check. */
function described(result) {
  if (!result) return { result: null };
  const { user, providerId, operationType } = result;
  const { uid, email, displayName, photoURL } = user;
  return { uid, email, displayName, photoURL, providerId, operationType, linked: user.providerData.map((one) => one.providerId) };
}

async function settle(promise) {
  try {
    window.outcome = described(await promise);
  } catch (error) {
    window.outcome = { code: error.code ?? "none", message: error.message };
  }
}

document.getElementById("run").addEventListener("click", () => {
  const { operation } = window.plan;
  settle(sdk[operation](/^(link|reauth)/.test(operation) ? auth.currentUser : auth, providerOf(window.plan)));
});
Object.assign(window, {
  redirected: () => settle(sdk.getRedirectResult(auth)),
  sendSignInLink: (email) => sdk.sendSignInLinkToEmail(auth, email, { url: location.href, handleCodeInApp: true }),
  signInWithLink: (email) => settle(sdk.signInWithEmailLink(auth, email, location.href)),
  isReady: true,
});

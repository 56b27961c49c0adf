// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/** The claims of an account's ID token. The emulator accepts them unsigned. */
export function claimsOf({ sub, email, displayName, screenName, photoUrl }) {
  const fixed = { iss: "", aud: "", exp: 0, iat: 0 };
  return { sub, ...fixed, name: displayName, screen_name: screenName, email, email_verified: true, picture: photoUrl };
}

/** A random provider id of 40 digits. */
export function newSubject() {
  return Array.from(crypto.getRandomValues(new Uint8Array(40)), (byte) => byte % 10).join("");
}

/** The event that the client's SDK waits for. */
export function authEventFor(request, account, page) {
  return {
    type: request.authType,
    eventId: request.eventId,
    urlResponse: responseUrl(request, account, page),
    sessionId: "ValueNotUsedByAuthEmulator",
    postBody: "",
    tenantId: request.tid,
    error: null,
  };
}

/** The page's URL with the provider's response as its query. The SDK sends it to `accounts:signInWithIdp` as `requestUri`. */
function responseUrl({ providerId }, account, page) {
  const response = { providerId, id_token: JSON.stringify(claimsOf(account)) };
  if (providerId.startsWith("saml.")) {
    response.SAMLResponse = JSON.stringify({ assertion: { subject: { nameId: account.email } } });
  }
  const parts = Object.entries(response).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${page.split(/[?#]/)[0]}?${parts.join("&")}`;
}

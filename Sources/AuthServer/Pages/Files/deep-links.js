// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/** The link that opens the Android app with an event. Chrome opens the fallback URL if no app handles it. */
export function androidLink({ apn }, { type, eventId, urlResponse }, page) {
  if (!/^[\w.]+$/.test(apn)) throw new Error("The parameter apn is not a package name.");
  const extras = {
    "S.authType": type,
    ...(eventId && { "S.eventId": eventId }),
    "S.link": urlResponse,
    "B.encryptionEnabled": "false",
    "S.browser_fallback_url": `${page}&error=App+not+found+for+intent`,
  };
  const parts = Object.entries(extras).map(([name, value]) => `${name}=${encodeURIComponent(value)};`);
  return `intent://firebase.auth/#Intent;scheme=genericidp;package=${apn};${parts.join("")}end;`;
}

/** The link that opens the iOS app with an event. The SDK only parses the callback URL; there is not a page behind it. */
export function iosLink(request, { type, eventId, urlResponse }, origin) {
  const callback = new URL("/__/auth/callback", origin);
  const parts = { authType: type, link: urlResponse, ...(eventId && { eventId }) };
  callback.search = Object.entries(parts).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  const host = request.clientId || request.appId ? "firebaseauth" : "google";
  return `${iosScheme(request)}://${host}/link?deep_link_id=${encodeURIComponent(callback)}`;
}

function iosScheme({ clientId, appId, ibi }) {
  const scheme = clientId ? clientId.split(".").reverse().join(".") : appId ? `app-${appId.replaceAll(":", "-")}` : ibi;
  // App schemes contain a dot or a dash; `javascript` and `data` do not.
  if (!/^[a-z][\w+]*[.-][\w+.-]*$/i.test(scheme)) throw new Error("The parameters clientId, appId and ibi do not name an iOS app.");
  return scheme;
}

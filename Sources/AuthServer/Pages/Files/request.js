// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

const NAMES = [
  "apiKey", "appName", "appId", "apn", "authType", "clientId", "customParameters", "eventId", "ibi", "providerId", "redirectUrl",
  "scopes", "tid",
];

/** The parameters in the page's URL; missing ones are null. */
export function readRequest(query) {
  if (query.has("error")) throw new Error(query.get("error"));
  const request = Object.fromEntries(NAMES.map((name) => [name, query.get(name)]));
  request.tid ??= query.get("tenantId");
  if (!request.apiKey || !request.providerId) throw new Error("The URL is missing apiKey or providerId.");
  const { appName, clientId, appId, apn, ibi } = request;
  if (!(appName || clientId || appId || apn || ibi)) {
    throw new Error("The URL needs one of appName, clientId, appId, apn and ibi.");
  }
  return request;
}

/** The provider's display name, as in `Google.com`. */
export function providerName({ providerId }) {
  return providerId[0].toUpperCase() + providerId.slice(1);
}

export const storageKey = ({ apiKey, appName }) => `${apiKey}:${appName}`;

export const isPopup = ({ authType }) => /popup/i.test(authType ?? "");

/** The provider's custom parameters, such as `login_hint`. */
export function customParameters(request) {
  try {
    return Object(JSON.parse(request.customParameters));
  } catch {
    return {};
  }
}

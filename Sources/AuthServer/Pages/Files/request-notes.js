// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import { customParameters } from "./request.js";
import { make } from "./views.js";

/** Lists the parameters of the request. */
export function describeRequest(request, list) {
  const rows = {
    Provider: request.providerId,
    Operation: request.authType,
    Scopes: request.scopes?.replaceAll(",", ", "),
    Tenant: request.tid,
    App: request.appName ?? request.clientId ?? request.appId ?? request.apn ?? request.ibi,
    "Returns to": request.redirectUrl,
    ...customParameters(request),
  };
  for (const [name, value] of Object.entries(rows)) {
    if (value) list.append(make("dt", "", name), make("dd", "", `${value}`));
  }
}

/** A warning for flows that only work with the emulator, or null. */
export function mobileWarning({ providerId, apn, ibi }) {
  const isFacebook = providerId === "facebook.com" && (apn || ibi);
  const isApple = providerId === "apple.com" && ibi;
  if (!isFacebook && !isApple) return null;
  const sdk = `${isApple ? "Apple" : "Facebook"} ${apn ? "Android" : "iOS"} SDK`;
  return `This flow only works with the emulator. In production, use the ${sdk}.`;
}

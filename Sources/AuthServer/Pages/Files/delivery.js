// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import { androidLink, iosLink } from "./deep-links.js";
import { sendToOpener } from "./opener.js";
import { returnToApp } from "./redirect.js";
import { isPopup } from "./request.js";

/** Delivers an event to the client: a page, or an app for Android or iOS. Returns a text for the user, if any. */
export async function deliver(request, authEvent) {
  if (isPopup(request)) return sendToOpener(request, authEvent);
  if (request.apn) return location.replace(androidLink(request, authEvent, location.href));
  if (request.ibi) return location.replace(iosLink(request, authEvent, location.origin));
  if (request.redirectUrl) return returnToApp(request, authEvent);
  throw new Error("The URL has no redirectUrl. Apps without one can use signInWithCredential.");
}

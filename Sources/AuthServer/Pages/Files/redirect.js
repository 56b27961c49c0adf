// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import { relayUrl } from "./relay-url.js";
import { storageKey } from "./request.js";
import { keepEvent } from "./stored-event.js";

/** Stores an event for the helper frame in the app's page, and returns to that page. */
export async function returnToApp(request, authEvent) {
  const app = new URL(request.redirectUrl, location.href);
  if (!["http:", "https:"].includes(app.protocol)) throw new Error("The parameter redirectUrl is not an HTTP URL.");
  const key = storageKey(request);
  if (mayShareStorage(app, location)) {
    keepEvent(key, authEvent);
    return location.assign(app);
  }
  const relay = relayUrl(app, location, { storageKey: key, authEvent });
  if (relay && (await isReachable(relay))) return location.assign(relay);
  throw new Error(
    `Your app is at ${app.origin} and this emulator at ${location.origin}. Browsers do not share storage between the two, so the ` +
      "app would not receive the result. Use the same scheme and host for both in connectAuthEmulator, or use signInWithPopup."
  );
}

/** Whether two URLs belong to one site, approximated without the public suffix list. */
function mayShareStorage(one, other) {
  const end = ({ hostname }) => hostname.split(".").slice(-2).join(".");
  const isName = /\.[a-z][^.]*$/i.test(one.hostname);
  return one.protocol === other.protocol && (one.hostname === other.hostname || (isName && end(one) === end(other)));
}

/** Whether this emulator is reachable under the app's host name. */
async function isReachable(url) {
  try {
    return (await fetch(url, { credentials: "omit" })).ok;
  } catch {
    return false;
  }
}

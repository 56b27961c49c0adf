// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// A stop on the way back to an app under another loopback name than the emulator. The page embeds itself from the emulator's origin:
// the frame stores the event, then the top-level page continues to the app.
import { areSameServer } from "./relay-url.js";
import { keepSharedEvent } from "./stored-event.js";

const parameters = new URLSearchParams(location.hash.slice(1));
const next = new URL(parameters.get("next"));

function keep() {
  keepSharedEvent(parameters.get("storageKey"), next.origin, JSON.parse(parameters.get("authEvent")));
  parent.postMessage({ eventType: "eventKept" }, "*");
}

function pass() {
  const keeper = new URL("/emulator/auth/relay", parameters.get("keeper"));
  if (!areSameServer(keeper, location) || !["http:", "https:"].includes(next.protocol)) return;
  keeper.hash = location.hash;
  addEventListener("message", ({ origin, data }) => {
    if (origin === keeper.origin && data?.eventType === "eventKept") location.replace(next);
  });
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.src = keeper;
  document.body.append(frame);
}

if (parent === window) pass();
else keep();

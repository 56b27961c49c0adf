// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The hidden frame in the app's page: passes the results of pop-ups and redirects to the Web SDK.
import { eventChannel } from "./event-channel.js";
import { ParentPage } from "./parent-page.js";
import { takeEvent } from "./stored-event.js";

const NO_EVENT = { type: "unknown", error: { code: "auth/no-auth-event" } };

const query = new URLSearchParams(location.search);
const storageKey = `${query.get("apiKey")}:${query.get("appName")}`;
const opened = new URLSearchParams(location.hash.slice(1));
const page = new ParentPage(opened);

/** Sends an event to the SDK; returns whether the SDK accepted it. */
async function report(authEvent) {
  const answers = await page.send("authEvent", { type: "authEvent", authEvent });
  return answers?.at(-1)?.status === "ACK";
}

// The SDK checks this before it waits for a pop-up. Always true: pop-ups do not need storage.
page.answer("webStorageSupport", () => ({ status: "ACK", webStorageSupport: true }));

addEventListener("message", ({ origin, data }) => {
  if (origin !== location.origin || data?.eventType !== "sendAuthEvent") return;
  if (data.data.storageKey === storageKey) report(data.data.authEvent);
});

const channel = eventChannel(storageKey);
channel?.addEventListener("message", async ({ data: { authEvent } }) => {
  if (authEvent && (await report(authEvent))) channel.postMessage({ delivered: authEvent.eventId });
});

page.open();
report(takeEvent(storageKey, opened.get("parent")) ?? NO_EVENT);

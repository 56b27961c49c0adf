// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import { eventChannel } from "./event-channel.js";
import { storageKey } from "./request.js";

const FRAME_MILLISECONDS_MAX = 5000;
const CHANNEL_MILLISECONDS_MAX = 3000;
const SENT = "Signed in. If this window stays open, close it.";

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Sends an event to the helper frame in the page that opened this pop-up. The SDK then closes the pop-up. */
export async function sendToOpener(request, authEvent) {
  if (opener && (await sendToFrames(request, authEvent))) return SENT;
  if (await sendToChannel(request, authEvent)) {
    window.close(); // The page cannot: it has no reference to this window.
    return SENT;
  }
  throw new Error(
    "The page that opened this window has no frame of this emulator. It may have been closed or reloaded, or its " +
      "Cross-Origin-Opener-Policy may separate the two. In that case, use the same host for the page and in connectAuthEmulator."
  );
}

async function sendToFrames(request, authEvent) {
  const data = { authEvent, storageKey: storageKey(request) };
  for (let waited = 0; waited < FRAME_MILLISECONDS_MAX; waited += 50) {
    const frames = helperFrames(request);
    for (const frame of frames) {
      const eventId = crypto.getRandomValues(new Uint32Array(1)).join();
      frame.postMessage({ data, eventId, eventType: "sendAuthEvent" }, location.origin);
    }
    if (frames.length) return true;
    if (opener.closed || !opener.length) return false;
    await pause(50);
  }
  return false;
}

/** The helper frames of this app in the opener that have loaded. */
function helperFrames({ apiKey, appName }) {
  return Array.from({ length: opener.length }, (_, index) => opener[index]).filter((frame) => {
    try {
      const query = new URLSearchParams(frame.location.search);
      const isOfApp = query.get("apiKey") === apiKey && query.get("appName") === appName;
      return isOfApp && frame.document.readyState === "complete";
    } catch {
      return false; // A frame from another origin.
    }
  });
}

/** For pages with a Cross-Origin-Opener-Policy. Returns whether the SDK accepted the event. */
async function sendToChannel(request, authEvent) {
  const channel = eventChannel(storageKey(request));
  if (!channel) return false;
  const delivered = new Promise((resolve) => {
    channel.onmessage = ({ data }) => data.delivered === authEvent.eventId && resolve(true);
  });
  channel.postMessage({ authEvent });
  const isDelivered = await Promise.race([delivered, pause(CHANNEL_MILLISECONDS_MAX)]);
  channel.close();
  return isDelivered === true;
}

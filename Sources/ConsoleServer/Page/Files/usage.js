// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The usage as it grows: one connection for the whole page. The last hour is kept, a sample a second at most.

import { events, forgetState, get } from "./api.js";

const sampleCountMax = 3_600;
const quotaInterval = 2_000;
const listeners = new Set();

/// The present state. `samples`: `{ at (milliseconds), total }`, oldest first; `quota`: the answer of `GET /quota`.
/// A hidden page has no `total` and no samples.
export const usage = { total: undefined, quota: undefined, samples: [], isLive: false, isMetered: true };

/// Calls a function at once and at every change; the returned one ends that.
export function watchUsage(listener) {
  listeners.add(listener);
  listener(usage);
  return () => listeners.delete(listener);
}

function changed() { for (const listener of listeners) listener(usage); }

/// Begins to listen, once.
export function startUsage() {
  events("/usage/events", {
    usage(report) {
      usage.total = report;
      sample(Date.now());
      changed();
    },
    open() { usage.isLive = true; changed(); },
    lost() { usage.isLive = false; forgetState(); changed(); },
    // All that is used meanwhile would seem to be of the second in which the page is seen again.
    paused() { usage.total = undefined; usage.samples.length = 0; },
  });
  const askQuota = async () => {
    try {
      usage.quota = await get("/quota");
    } catch (error) {
      if (error.status === 404 || error.status === 503) usage.isMetered = error.status !== 404;
    }
    changed();
    setTimeout(askQuota, quotaInterval);
  };
  askQuota();
  // Time passes where nothing is used, too.
  setInterval(() => { if (usage.total && usage.isLive) { sample(Date.now()); changed(); } }, 1_000);
}

function sample(at) {
  const { samples } = usage;
  const last = samples.at(-1);
  if (last && at - last.at < 500) last.total = usage.total;
  else samples.push({ at, total: usage.total });
  if (samples.length > sampleCountMax) samples.splice(0, samples.length - sampleCountMax);
}

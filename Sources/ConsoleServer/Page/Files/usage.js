// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The usage as it grows: one connection for the whole page. The last hour is kept: of its last minutes a sample a second at most, of
// each minute before these the last one.

import { events, forgetState, get } from "./api.js";

const minute = 60_000;
const keptLength = 60 * minute;
/// The chart of ten minutes has points for seconds, that of an hour for minutes.
const fineLength = 11 * minute;
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
  let wasLost = false;
  events("/usage/events", {
    usage(report) {
      // Another run of the emulator counts from 0. In one run a sum may fall for a moment, while a request is corrected.
      if (wasLost && report.requests < usage.total?.requests) usage.samples.length = 0;
      wasLost = false;
      usage.total = report;
      sample(Date.now());
      changed();
    },
    open() { usage.isLive = true; changed(); },
    lost() { wasLost = true; usage.isLive = false; forgetState(); changed(); },
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
  const last = usage.samples.at(-1);
  if (last && at - last.at < 500) {
    last.total = usage.total;
    return;
  }
  usage.samples.push({ at, total: usage.total });
  if (last && minuteOf(at) !== minuteOf(last.at)) usage.samples = usage.samples.filter((each, index, all) => stays(each, all[index + 1], at));
}

/// Whether a sample is still drawn: all of the last minutes, and the last of each minute before.
function stays({ at }, next, now) {
  if (now - at > keptLength + minute) return false;
  return now - at < fineLength || minuteOf(at) !== minuteOf(next.at);
}

function minuteOf(at) { return Math.floor(at / minute); }

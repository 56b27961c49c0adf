// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Views of data are looked at while an app changes the data: the meter says when something was written.

import { watchUsage } from "./usage.js";

/// The least time between two reloads; and this many times as long as the last one took, so that they stay a small load.
const intervalMin = 1_000;
const restFactor = 20;

/// Calls `reload` behind changes of a figure of the usage, in a page that is looked at; the returned function ends that.
export function watchWrites(figure, reload) {
  let seen;
  let isRunning = false;
  let timer;
  let restUntil = 0;

  async function run() {
    timer = undefined;
    isRunning = true;
    const start = performance.now();
    try { await reload(); } catch { /* The view shows its own errors. */ }
    isRunning = false;
    restUntil = performance.now() + Math.max(intervalMin, restFactor * (performance.now() - start));
  }

  const end = watchUsage(({ total }) => {
    if (!total || document.hidden || isRunning || timer) return;
    const now = figure(total);
    if (seen !== undefined && now !== seen) timer = setTimeout(run, Math.max(0, restUntil - performance.now()));
    seen = now;
  });
  return () => { end(); clearTimeout(timer); };
}

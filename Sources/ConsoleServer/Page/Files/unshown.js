// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Screens that load more than they show, as it happens: findings of an audit of the recorded session, asked for again as it grows.

import { get } from "./api.js";
import { fill, isInUse, make, setText } from "./dom.js";
import { bytes, count, counted, duration, time } from "./format.js";
import { poll } from "./poll.js";
import { address } from "./route.js";
import { wasteOfScreens } from "./screen-waste.js";
import { usage } from "./usage.js";

const lookInterval = 2_000;
/// Between two audits, in milliseconds; and not more than one part of the time in this many.
const auditInterval = 10_000;
const auditShare = 5;
/// One that takes longer is worth saying.
const longAudit = 1_000;
const lineCountMax = 8;
/// One strategy is asked about, as none would be the usual ones.
const path = "/console/what-if?strategy=thumbnails";

/// The causes that are about loading more than is shown: that many responses, and what they were.
const causes = {
  overFetched: (number) => `loaded ${counted(number, "image")} of posts that were never opened`,
  oversized: (number) => `loaded ${counted(number, "image")} with more pixels than the place where they are shown`,
  prefetchedUnused: (number) => `loaded ${counted(number, "image")} ahead that were never shown`,
};

/// What the last audit found, kept while other views are open: an audit takes time.
let latest;
/// When the next may begin.
let nextAt = 0;
/// The total, and the recording, that it was of.
let seenTotal;
let audited;

/// Makes the card: `{ element, end() }`.
export function unshownList() {
  const said = make("p", { class: "soft" }, "Looking at the recorded session…");
  const list = make("ul", { class: "again" });
  const computed = make("p", { class: "soft small" });
  const element = make("section", { class: "card" }, make("h2", {}, "Loaded and not shown"), said, list, computed);
  let waiting;
  // Whether it is recorded, and how much, is asked at once.
  let isOpening = true;
  if (latest) draw(latest);

  const watch = poll(async (signal) => {
    if (waiting && !isHeld()) draw(waiting);
    // Where nothing was used since, the answer would be the one that is shown.
    if (!isOpening && (isTooSoon() || (audited && usage.isLive && usage.total === seenTotal))) return;
    isOpening = false;
    try {
      await look(signal);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      nextAt = performance.now() + auditInterval;
      audited = undefined;
      take({ text: error.message });
    }
  }, lookInterval);

  async function look(signal) {
    const { total } = usage;
    const { recording } = await get("/console/recording", { signal });
    const state = recording?.requests > 0 ? `${recording.since} ${recording.requests}` : undefined;
    if (state && state !== audited && isTooSoon()) return;
    seenTotal = total;
    if (state && state === audited) return;
    if (state) await audit(recording, signal);
    else take(recording ? { text: "Nothing was recorded yet. Use your app now." } : { text: "Nothing is recorded: start it at ", link: true });
    audited = state;
  }

  async function audit(recording, signal) {
    const begin = performance.now();
    try {
      const report = await get(path, { signal });
      take(resultOf(report, recording, performance.now() - begin));
    } catch (error) {
      // What is wrong with the session stays so until it grows; anything else may pass.
      if (error.status !== 422) throw error;
      take({ text: "The session so far has nothing to audit; the reason is at ", link: true });
    }
    nextAt = performance.now() + Math.max(auditInterval, (performance.now() - begin) * (auditShare - 1));
  }

  function take(result) {
    latest = result;
    if (isHeld()) waiting = result; else draw(result);
  }

  function draw({ text = "", link, lines = [], note = "" }) {
    waiting = undefined;
    said.hidden = text === "";
    fill(said, text, link && [make("a", { href: address("what-if") }, "What if"), "."]);
    fill(list, lines.map(drawLine));
    setText(computed, note);
  }

  function isHeld() { return list.childElementCount > 0 && isInUse(list); }

  return { element, end: () => watch.end() };
}

function isTooSoon() { return performance.now() < nextAt; }

function resultOf({ strategies, inferred }, recording, spent) {
  const outcome = strategies.find(({ name }) => name === "recorded");
  const lines = (outcome ? wasteOfScreens(outcome) : [])
    .flatMap(({ screen, bytes: all, parts }) => parts.filter(({ cause }) => Object.hasOwn(causes, cause)).map((part) => ({ screen, all, ...part })))
    .sort((left, right) => right.bytes - left.bytes)
    .slice(0, lineCountMax);
  const took = spent > longAudit ? `, in ${duration(spent)}` : "";
  const note = `Computed at ${time(Date.now() * 1_000)} of the ${count(recording.requests)} requests of the recorded session${took}. `
    + `${lines.length > 0 && inferred ? "Which posts were opened is inferred from them." : ""}`;
  if (lines.length > 0) return { lines, note };
  return { note, text: inferred?.downloads === 0 ? "No image was downloaded in this session." : "No screen loads much more than it shows." };
}

function drawLine({ screen, all, cause, bytes: unshown, responses, isLeast, remedy }) {
  return make("li", {}, make("span", { class: "who" }, screen), " ", causes[cause](responses),
    `: ${isLeast ? "at least " : ""}${bytes(unshown)} of ${bytes(all)}. `,
    remedy && make("a", { href: address("what-if", { strategy: remedy.strategy }) }, `What if: ${remedy.strategy}`));
}

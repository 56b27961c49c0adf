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

/// Makes the card: `{ element, end() }`.
export function unshownList() {
  const said = make("p", { class: "soft" }, "Looking at the recorded session…");
  const list = make("ul", { class: "again" });
  const computed = make("p", { class: "soft small" });
  const element = make("section", { class: "card" }, make("h2", {}, "Loaded and not shown"), said, list, computed);
  let nextAt = 0;
  let seenTotal;
  let audited;
  let waiting;

  const watch = poll(async (signal) => {
    if (waiting && !isHeld()) draw(waiting);
    // Where nothing was used since, the answer would be the one that is shown.
    if (performance.now() < nextAt || (audited && usage.isLive && usage.total === seenTotal)) return;
    seenTotal = usage.total;
    try {
      await look(signal);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      nextAt = performance.now() + auditInterval;
      // What is wrong with the session stays so until it grows; anything else may pass.
      if (error.status === 422) return draw({ text: "The session so far has nothing to audit; the reason is at ", link: true });
      audited = undefined;
      draw({ text: error.message });
    }
  }, lookInterval);

  async function look(signal) {
    const { recording } = await get("/console/recording", { signal });
    const state = recording?.requests > 0 ? `${recording.since} ${recording.requests}` : undefined;
    if (state && state === audited) return;
    audited = state;
    if (!recording) return draw({ text: "Nothing is recorded: start it at ", link: true });
    if (!state) return draw({ text: "Nothing was recorded yet. Use your app now." });
    const begin = performance.now();
    const report = await get(path, { signal });
    const spent = performance.now() - begin;
    nextAt = performance.now() + Math.max(auditInterval, spent * (auditShare - 1));
    const next = resultOf(report, recording, spent);
    if (isHeld()) waiting = next; else draw(next);
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

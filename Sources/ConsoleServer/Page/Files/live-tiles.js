// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The tiles of the live view: what was used, its share of the free amount, and when that runs out.

import { make, setText } from "./dom.js";
import { quotaItem } from "./forecast.js";
import { bytes, count, dollars, hour, percent } from "./format.js";
import { watchUsage } from "./usage.js";

const tiles = [
  { label: "requests", value: ({ total }) => count(total.requests) },
  {
    label: "downloaded",
    value: ({ total }) => bytes(total.bytes.sent),
    more: ({ total }) => `${bytes(total.billed.egressBytes)} billed`,
    item: "storage.egressBytes",
    owner: "Storage's ",
  },
  { label: "document reads", value: ({ total }) => count(total.billed.documentReads), item: "firestore.documentReads" },
  { label: "writes", value: ({ total }) => count(total.billed.documentWrites), item: "firestore.documentWrites" },
  { label: "deletes", value: ({ total }) => count(total.billed.documentDeletes), item: "firestore.documentDeletes" },
  { label: "operations A", value: ({ total }) => count(total.billed.classA), item: "storage.classA" },
  { label: "operations B", value: ({ total }) => count(total.billed.classB), item: "storage.classB" },
  {
    label: "this month",
    value: ({ quota }) => dollars(quota?.monthToDate?.usd ?? 0),
    more: ({ quota }) => `beyond the free amounts${quota?.profile ? `, prices of ${quota.profile.asOf}` : ""}`,
  },
];

/// Makes the tiles: `{ element, end() }`.
export function liveTiles() {
  const drawn = tiles.map(tile);
  const element = make("section", { class: "tiles live-tiles", "aria-label": "Usage so far" }, drawn.map((each) => each.element));
  const end = watchUsage((usage) => {
    if (usage.total) for (const each of drawn) each.draw(usage);
  });
  return { element, end };
}

function tile({ label, value, more, item, owner = "" }) {
  const figure = make("b", {}, "–");
  const note = make("small");
  const bar = make("i");
  const meter = make("div", { class: "meter", hidden: true }, bar);
  const forecast = make("small");
  return {
    element: make("div", { class: "tile" }, figure, make("span", {}, label), meter, note, forecast),
    draw(usage) {
      setText(figure, value(usage));
      const use = item && quotaItem(usage.quota, item);
      const hasShare = use?.percent !== undefined;
      const share = hasShare && `${percent(use.percent)} of ${owner}${amount(item, use.free)} free${periods[use.per] ?? ""}`;
      setText(note, [more?.(usage), share].filter(Boolean).join(" · "));
      meter.hidden = !hasShare;
      if (hasShare) {
        meter.classList.toggle("over", use.percent >= 100);
        bar.style.setProperty("width", `${Math.min(100, use.percent)}%`);
      }
      const end = use?.runsOutAt && `runs out at ${hour(Date.parse(use.runsOutAt))} at this rate`;
      setText(forecast, use?.isOver ? "free amount used up" : end ?? "");
      forecast.className = "bad";
    },
  };
}

const periods = { day: " a day", month: " a month" };

function amount(item, free) { return free === undefined ? "amount" : item.endsWith("Bytes") ? bytes(free, true) : count(free); }

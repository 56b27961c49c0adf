// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The tiles of the live view: what was used, its share of the free amount, and when that runs out.

import { make, setText } from "./dom.js";
import { isNear, quotaItem } from "./forecast.js";
import { bytes, count, date, dollars, hour, percent } from "./format.js";
import { watchUsage } from "./usage.js";

const tiles = [
  { label: "requests", value: ({ total }) => short(total.requests) },
  {
    label: "downloaded",
    value: ({ total }) => bytes(total.billed.egressBytes),
    more: ({ total }) => `${bytes(total.bytes.sent)} on the wire`,
    item: "storage.egressBytes",
    owner: "Storage's ",
  },
  { label: "document reads", value: ({ total }) => short(total.billed.documentReads), item: "firestore.documentReads" },
  { label: "writes", value: ({ total }) => short(total.billed.documentWrites), item: "firestore.documentWrites" },
  { label: "deletes", value: ({ total }) => short(total.billed.documentDeletes), item: "firestore.documentDeletes" },
  { label: "operations A", value: ({ total }) => short(total.billed.classA), item: "storage.classA" },
  { label: "operations B", value: ({ total }) => short(total.billed.classB), item: "storage.classB" },
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
      const end = use?.runsOutAt && `runs out ${moment(Date.parse(use.runsOutAt))} at this rate`;
      setText(forecast, use?.isOver ? "free amount used up" : end ?? "");
      forecast.className = isNear(use) ? "bad" : "soft";
    },
  };
}

// A tile has room for seven digits.
function short(number) { return number < 10_000_000 ? count(number) : `${(number / 1_000_000).toFixed(1)} M`; }

const periods = { day: " a day", month: " a month" };

function moment(at) {
  return new Date(at).toDateString() === new Date().toDateString() ? `at ${hour(at)}` : `on ${date(at).split(",")[0]}`;
}

// Some free amounts are in GB, others in GiB.
function amount(item, free) {
  if (free === undefined) return "amount";
  return item.endsWith("Bytes") ? bytes(free, free % 1_000_000 !== 0) : count(free);
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Rates in time: the last minutes from the samples of this page, before these and for the whole day by the meter's minutes.

import { get } from "./api.js";
import { chart } from "./chart.js";
import { button, fill, make, notice } from "./dom.js";
import { bytes, count } from "./format.js";
import { poll } from "./poll.js";
import { change } from "./route.js";
import { midnight, rateOfPart, ratesOfMinutes, ratesOfSamples } from "./rates.js";
import { usage, watchUsage } from "./usage.js";

/// The ranges by their names in addresses; `seconds` of a point.
const ranges = {
  "1m": { title: "1 min", length: 60, seconds: 1 },
  "10m": { title: "10 min", length: 600, seconds: 5 },
  "1h": { title: "1 h", length: 3_600, seconds: 60 },
  today: { title: "Today" },
};
const usual = "10m";
const minutesInterval = 30_000;
const figures = [(total) => total.bytes.sent, (total) => total.billed.documentReads, (total) => total.requests];

/// Makes the chart: `{ element, show(range), end() }`.
export function liveChart() {
  const perSecond = (value) => {
    if (value > 0 && value < 0.05) return "< 0.1";
    return value > 0 && value < 10 ? value.toFixed(1) : count(Math.round(value));
  };
  const drawn = chart({
    label: "Bytes, document reads and requests by the second; the tiles above have the sums",
    series: [
      { label: "downloaded", color: "--s0", format: (value) => `${bytes(value)}/s` },
      { label: "reads", color: "--s2", format: (value) => `${perSecond(value)}/s` },
      { label: "requests", color: "--s1", format: (value) => `${perSecond(value)}/s` },
    ],
  });
  const buttons = Object.entries(ranges).map(([name, { title }]) =>
    button(title, () => change({ range: name === usual ? null : name }, { replaces: true }), { data: { range: name } }));
  const problem = make("div");
  const element = make("section", { class: "card live-chart", "aria-label": "Rates" },
    make("div", { class: "tools", role: "group", "aria-label": "Time shown" }, buttons), problem, drawn.element);
  let range = ranges[usual];
  let minutes = [];
  let asked;
  let drawnAt = 0;

  // They are asked for at once, too, when the page is seen again: a hidden one has no samples.
  const askedMinutes = poll(async (signal) => {
    if (range === ranges["1m"]) return;
    try {
      const { series, total } = await get("/usage?every=1m", { signal });
      [minutes, asked] = [series, { at: Date.now(), total }];
      fill(problem);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      fill(problem, notice(error.message, "bad"));
    }
    draw();
  }, minutesInterval);

  function draw() {
    const now = Date.now();
    if (range === ranges.today) return drawn.draw(ratesOfMinutes(minutes, { from: midnight(now), until: now, figures }));
    const from = now - range.length * 1_000;
    const { begin, points } = ratesOfSamples(usage.samples, { ...range, figures, now });
    // What was used just before the page was opened is of a minute that was not over.
    const isOpenedWithin = usage.samples[0]?.at > from && range !== ranges["1m"];
    const part = isOpenedWithin ? rateOfPart(minutes, { begin, asked, figures }).filter(({ at }) => at >= from) : [];
    drawn.draw([...ratesOfMinutes(minutes, { from, until: begin.at, figures }), ...part, ...points]);
  }

  const end = watchUsage(() => {
    // The usage changes twice a second at most, and once more for the quota: a picture a second is enough.
    if (performance.now() - drawnAt < 900) return;
    drawnAt = performance.now();
    draw();
  });
  return {
    element,
    show(name) {
      range = ranges[Object.hasOwn(ranges, name ?? "") ? name : usual];
      for (const each of buttons) each.setAttribute("aria-pressed", String(ranges[each.dataset.range] === range));
      draw();
      askedMinutes.now();
    },
    end() { askedMinutes.end(); end(); drawn.end(); },
  };
}

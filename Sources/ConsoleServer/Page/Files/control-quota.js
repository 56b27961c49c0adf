// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// How much of the free amounts is used, and the next day begun at once.

import { get, send } from "./api.js";
import { controlCard } from "./control-card.js";
import { button, fill, make } from "./dom.js";
import { itemLabels } from "./forecast.js";
import { bytes, count, date, dollars, percent } from "./format.js";
import { poll } from "./poll.js";
import { table } from "./tables.js";

const pollInterval = 2_000;
const dayCountMax = 366;

export function quotaCard() {
  const card = controlCard("Quota");
  const about = make("p", { class: "soft" });
  const items = make("tbody");
  const days = make("input", { type: "number", min: "1", max: dayCountMax, value: "1", "aria-label": "Days to advance", class: "tiny" });
  const advance = button("Advance", () => card.attempt(async () => draw(await send("POST", `/quota/advance?days=${Number(days.value) || 1}`))));
  fill(card.body, about,
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Free amounts" },
      table(["item", ["used", "number"], ["free", "number"], ["share", "number"]], items, { class: "quota" })),
    make("div", { class: "tools" }, make("label", {}, days, "days"), advance,
      make("span", { class: "soft" }, "The free amounts begin again, as far as quotas go.")));

  const watch = poll((signal) => card.read(async () => draw(await get("/quota", { signal }))), pollInterval);

  function draw(quota) {
    const beyond = quota.overQuota === "refused" ? "refused by production" : "billed";
    fill(about, `Profile ${quota.profile.name} of ${quota.profile.asOf}. Day ${quota.day}; the day's amounts begin again on `,
      `${date(Date.parse(quota.resetsAt))}. This month has cost ${dollars(quota.monthToDate.usd)}. `,
      `Past a free amount, requests are ${beyond}.`);
    fill(items, quota.items.map((item) => {
      const amount = item.item.endsWith("egressBytes") ? bytes : count;
      const share = item.percent;
      return make("tr", {},
        make("td", {}, itemLabels[item.item] ?? item.item,
          item.free !== undefined && make("div", { class: `meter ${item.isOver ? "over" : ""}` },
            make("i", { style: { width: `${Math.min(100, share ?? 0)}%` } }))),
        make("td", { class: "number" }, amount(item.used)),
        make("td", { class: "number" }, item.free === undefined ? "–" : `${amount(item.free)} a ${item.per}`),
        make("td", { class: `number ${item.isOver ? "bad" : ""}` }, share === undefined ? "" : percent(share)));
    }));
  }

  return { element: card.element, end: () => watch.end() };
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The line at the top: what the day has used of its free amounts, and what the month costs.

import { fill, make, setText } from "./dom.js";
import { forecast, quotaItem } from "./forecast.js";
import { bytes, count, dollars, hour, percent } from "./format.js";
import { watchUsage } from "./usage.js";

export function showTotals(root, linkState) {
  const egress = part("downloaded");
  const reads = part("reads");
  const cost = part("this month");
  const end = make("span", { class: "part forecast" });
  fill(root, egress.element, reads.element, cost.element, end);
  watchUsage(({ total, quota, isLive }) => {
    setText(linkState, isLive ? "" : "not connected");
    if (!total) return;
    egress.set(bytes(total.billed.egressBytes), quotaItem(quota, "storage.egressBytes")?.percent);
    reads.set(count(total.billed.documentReads), quotaItem(quota, "firestore.documentReads")?.percent);
    cost.set(dollars(quota?.monthToDate?.usd ?? 0));
    const next = forecast(quota);
    end.classList.toggle("near", next?.isNear === true);
    setText(end, next ? `free ${next.label} run out at ${hour(next.at)} at this rate` : "");
  });
}

function part(label) {
  const value = make("b");
  const more = make("span", { class: "soft" });
  const element = make("span", { class: "part" }, value, " ", make("span", { class: "soft" }, label), " ", more);
  return {
    element,
    set(text, share) {
      setText(value, text);
      setText(more, share === undefined ? "" : `(${percent(share)} of the free amount)`);
      element.classList.toggle("over", share >= 100);
    },
  };
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The strip in the header that says, on every view, that requests fail or are held back on purpose: a forgotten fault costs hours.

import { get } from "./api.js";
import { fill, make } from "./dom.js";
import { counted } from "./format.js";
import { poll } from "./poll.js";
import { address } from "./route.js";

const interval = 10_000;
let present = { faults: 0, isThrottled: false };
let strip;

/// Shows the strip in an element, from now on.
export function showConditions(root) {
  strip = root;
  poll(async (signal) => {
    try {
      const { faults = 0, isThrottled = false } = await get("/console/state", { signal });
      noteConditions({ faults, isThrottled });
    } catch (error) {
      // Those of before are shown until there is an answer.
      if (error.name === "AbortError") throw error;
    }
  }, interval);
}

/// Takes what a card has just learned, `{ faults (their number), isThrottled }`, of which either may be missing.
export function noteConditions(change) {
  const next = { ...present, ...change };
  if (next.faults === present.faults && next.isThrottled === present.isThrottled) return;
  present = next;
  const texts = [next.faults > 0 && `${counted(next.faults, "fault")} planned`, next.isThrottled && "slow network"].filter(Boolean);
  fill(strip, texts.length > 0 && make("a", { href: address("control"), title: "Change it in Control" }, texts.join(", ")));
}

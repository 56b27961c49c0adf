// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// A user's usage on record, by the meter.

import { get } from "./api.js";
import { fill, make, notice } from "./dom.js";
import { bytes, counted } from "./format.js";
import { poll } from "./poll.js";
import { address } from "./route.js";

const interval = 5_000;
/// The users among whom this one is looked for, those with the most bytes first.
const groupMax = 1_000;

/// Makes a line with the bytes and reads of a user, kept up to date until `end()`.
export function userUsage(uid) {
  const element = make("p", { class: "used" });
  const watch = poll(async (signal) => {
    try {
      const answer = await get(`/usage?by=user&limit=${groupMax}`, { signal });
      const group = answer.groups.find(({ key }) => key === uid);
      draw(group, answer.others);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      fill(element, error.status === 409 ? "Nothing is metered here." : notice(error.message, "bad"));
    }
  }, interval);

  function draw(group, others) {
    if (!group) {
      const text = others?.requests ? `Not among the ${groupMax} users with the most bytes.` : "Nothing downloaded or read so far.";
      return fill(element, make("span", { class: "soft" }, text));
    }
    fill(element,
      make("b", {}, bytes(group.bytes.sent)), " down, ",
      make("b", {}, counted(group.billed.documentReads, "read")), ", ",
      counted(group.requests, "request"), " on record · ",
      make("a", { href: address("live", { filter: `user:${uid}` }) }, "Requests of this user"));
  }

  return { element, end: () => watch.end() };
}

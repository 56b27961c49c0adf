// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The bytes that each object was served, by the meter: of those objects that were served most.

import { get } from "./api.js";
import { watchWrites } from "./watch-writes.js";

const objectCountMax = 10_000;

/// `of(name)` is a number of bytes, `undefined` where the meter knows none; `changed()` is called when they did.
export function servedBytes(changed) {
  let served = new Map();

  async function load() {
    const usage = await get(`/usage?by=object&order=billed.egressBytes&limit=${objectCountMax}`);
    served = new Map((usage.groups ?? []).map((group) => [group.key, group.billed?.egressBytes ?? 0]));
    changed();
  }

  load().catch(() => { /* Without a meter there are no figures. */ });
  const end = watchWrites((total) => total.billed.egressBytes, load);
  return { of: (name) => served.get(name), end };
}

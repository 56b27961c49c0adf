// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// What a developer decides about the emulator: the day's quota, faults, the network, and copies of the data.

import { fill, make } from "./dom.js";
import { faultsCard } from "./control-faults.js";
import { networkCard } from "./control-network.js";
import { quotaCard } from "./control-quota.js";
import { servicesCard } from "./control-services.js";
import { snapshotsCard } from "./control-snapshots.js";

export function show(root, parameters) {
  const cards = [quotaCard, faultsCard, networkCard, servicesCard, snapshotsCard].map((card) => card(parameters));
  fill(root, make("h1", {}, "Control"), make("div", { class: "controls" }, cards.map((card) => card.element)));
  return {
    change(next) { for (const card of cards) card.change?.(next); },
    end() { for (const card of cards) card.end?.(); },
  };
}

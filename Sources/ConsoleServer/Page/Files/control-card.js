// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// A card of the view of control. One whose part the server does not have is not shown.

import { fill, make, notice } from "./dom.js";

/// Makes a card: `body` is filled by its owner, `say(error)` shows a refusal, `attempt(action)` does something and shows its refusal.
export function controlCard(title, ...introduction) {
  const body = make("div");
  const problem = make("div", { "aria-live": "polite" });
  const element = make("section", { class: "card" }, make("h2", {}, title), introduction, body, problem);
  let isOfReading = false;
  const say = (error) => { isOfReading = false; fill(problem, notice(error.message, "bad")); };

  return {
    element, body, say,
    async attempt(action) {
      try {
        await action();
        fill(problem);
      } catch (error) {
        say(error);
      }
    },
    /// Reads what the card shows; without that part of the server, there is no card.
    async read(action) {
      try {
        await action();
        element.hidden = false;
        // A refusal of something that was done stays.
        if (isOfReading) fill(problem);
        isOfReading = false;
      } catch (error) {
        if (error.name === "AbortError") throw error;
        element.hidden = error.status === 404;
        if (error.status === 404) return;
        say(error);
        isOfReading = true;
      }
    },
  };
}

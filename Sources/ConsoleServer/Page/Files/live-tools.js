// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// What is above the list of requests: its filter with help, pause, clear, saving, and how many there are.

import { button, make, setText } from "./dom.js";
import { count } from "./format.js";
import { filterHelp } from "./request-filter.js";
import { change } from "./route.js";

const typingPause = 150;

/// Makes the tools; the filter goes into the address.
export function liveTools({ togglePause, clear, save }) {
  let timer;
  const field = make("input", {
    type: "search", class: "mono", placeholder: "user:alice -op:list bytes:>100kB", spellcheck: "false", autocomplete: "off",
    "aria-label": "Filter of requests", "aria-describedby": "filter-error", data: { filter: "" },
    on: { input() { clearTimeout(timer); timer = setTimeout(apply, typingPause); }, keydown },
  });
  const error = make("p", { class: "bad filter-error", id: "filter-error", role: "status", hidden: true });
  const help = make("div", { class: "card filter-help", id: "filter-help", hidden: true },
    make("dl", {}, filterHelp.map(([example, meaning]) => [make("dt", {}, make("code", {}, example)), make("dd", {}, meaning)])));
  const helpButton = button("?", () => {
    help.hidden = !help.hidden;
    helpButton.setAttribute("aria-expanded", String(!help.hidden));
  }, { class: "quiet", "aria-label": "Help for the filter", "aria-expanded": "false", "aria-controls": "filter-help" });
  const pause = button("Pause", togglePause, { title: "Pause or resume (p)" });
  const info = make("span", { class: "soft count" });
  const spoken = make("span", { class: "unseen", role: "status" });

  function keydown({ key }) {
    if (key !== "Enter" && key !== "Escape") return;
    if (key === "Escape") { field.value = ""; field.blur(); }
    apply();
  }

  function apply() {
    clearTimeout(timer);
    change({ filter: field.value.trim() }, { replaces: true });
  }

  return {
    element: make("div", {},
      make("div", { class: "tools" },
        make("div", { class: "grow" }, field), helpButton, pause,
        button("Clear", clear, { title: "Clear the list (c)" }),
        button("Save as HAR", save, { title: "Save the listed requests as an HTTP archive" }), info),
      error, help, spoken),
    /// Shows a filter that came from the address.
    show(text) { if (field.value.trim() !== text) field.value = text; },
    complain(text) {
      error.hidden = !text;
      setText(error, text ?? "");
      if (text) field.setAttribute("aria-invalid", "true"); else field.removeAttribute("aria-invalid");
    },
    describe({ isPaused, waiting, text, lostCount }) {
      setText(pause, isPaused ? `Resume${waiting ? ` (${count(waiting)} waiting)` : ""}` : "Pause");
      pause.className = isPaused ? "main" : "";
      setText(info, `${text}${lostCount ? `; ${count(lostCount)} more came too fast to be kept` : ""}`);
    },
    /// Says something to screen readers, once.
    say(text) { spoken.textContent = text; },
    end() { clearTimeout(timer); },
  };
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Light, dark, or as the system has it; the choice is kept in this browser.

import { setText } from "./dom.js";

const names = ["auto", "light", "dark"];
const storageKey = "firemeter-theme";

export function bindTheme() {
  const button = document.getElementById("theme");
  let chosen = names.includes(stored()) ? stored() : "auto";
  const apply = () => {
    if (chosen === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen;
    setText(button, { auto: "◐", light: "☀", dark: "☾" }[chosen]);
    button.title = `Colors: ${chosen}`;
    button.setAttribute("aria-label", `Colors: ${chosen}; change`);
  };
  button.addEventListener("click", () => {
    chosen = names[(names.indexOf(chosen) + 1) % names.length];
    try { localStorage.setItem(storageKey, chosen); } catch { /* Private windows may keep nothing. */ }
    apply();
  });
  apply();
}

function stored() {
  try { return localStorage.getItem(storageKey); } catch { return null; }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Shortcuts: `g` and a letter opens a view, `/` the filter of the view, `?` the list of them. Views add their own.

import { make } from "./dom.js";

const own = new Map();

/// Adds shortcuts of a view, `{ p: { label: "pause", action } }`; the returned function takes them back.
export function viewKeys(keys) {
  for (const [key, entry] of Object.entries(keys)) own.set(key, entry);
  return () => { for (const key of Object.keys(keys)) own.delete(key); };
}

export function bindKeys(views) {
  let isGoing = false;
  const dialog = make("dialog", { class: "keys-dialog", "aria-label": "Keyboard shortcuts" });
  document.body.append(dialog);
  const open = () => { drawList(dialog, views); dialog.showModal(); };
  document.getElementById("keys").addEventListener("click", open);
  addEventListener("keydown", (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable], dialog[open]")) return;
    if (isGoing) {
      isGoing = false;
      const name = Object.keys(views).find((view) => views[view].key === event.key);
      if (name) { event.preventDefault(); location.hash = `#/${name}`; }
      return;
    }
    if (event.key === "g") { isGoing = true; setTimeout(() => { isGoing = false; }, 1_500); return; }
    if (event.key === "?") { event.preventDefault(); return open(); }
    if (event.key === "/") {
      const field = document.querySelector("main [data-filter]");
      if (field) { event.preventDefault(); field.focus(); }
      return;
    }
    const entry = own.get(event.key);
    if (entry) { event.preventDefault(); entry.action(); }
  });
}

function drawList(dialog, views) {
  const row = (keys, label) => [make("dt", {}, keys.map((key) => make("kbd", {}, key))), make("dd", {}, label)];
  dialog.replaceChildren(
    make("h2", {}, "Keyboard shortcuts"),
    make("dl", {},
      Object.values(views).map((view) => row(["g", view.key], view.title)),
      row(["/"], "Filter"),
      [...own].map(([key, entry]) => row([key], entry.label)),
      row(["?"], "This list")),
    make("form", { method: "dialog" }, make("button", { autofocus: true }, "Close")));
}

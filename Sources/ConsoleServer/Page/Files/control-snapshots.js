// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Copies of the data: snapshots by name, and exports in the official emulators' format.

import { get, send } from "./api.js";
import { ask } from "./ask.js";
import { controlCard } from "./control-card.js";
import { button, fill, make, notice } from "./dom.js";
import { bytes, date } from "./format.js";
import { table } from "./tables.js";

const names = "/console/snapshots";
const one = (name) => `${names}/${encodeURIComponent(name)}`;

export function snapshotsCard() {
  const card = controlCard("Data", make("p", { class: "soft" }, "Documents, files and users, all at one moment."));
  const snapshots = controlCard("Snapshots");
  const list = make("div");
  const input = (label, properties) =>
    make("input", { required: true, autocomplete: "off", spellcheck: "false", "aria-label": label, ...properties });
  // A name is a part of an address: neither dots alone nor slashes.
  const name = input("Name of the snapshot", { placeholder: "before-the-migration", pattern: "[^\\/]*[^\\/.][^\\/]*" });
  const path = input("Directory of the export", { placeholder: "/home/me/export", class: "mono" });
  const form = (control, label, submit, kind) => make("form", { class: "tools", on: { submit } },
    make("span", { class: "grow" }, control), make("button", { type: "submit", class: kind }, label));
  const said = make("div", { "aria-live": "polite" });
  fill(card.body, snapshots.element,
    make("h3", {}, "Export"),
    form(path, "Export", exportData), said,
    make("p", { class: "soft" }, "To begin with an export: ", make("code", {}, "emulator serve --import DIRECTORY"), "."));
  snapshots.element.className = "";
  snapshots.element.querySelector("h2").replaceWith(make("h3", {}, "Snapshots"));
  fill(snapshots.body, form(name, "Save", save, "main"), list);

  const load = () => snapshots.read(async () => draw((await get(names)).snapshots));
  load();

  function save(event) {
    event.preventDefault();
    snapshots.attempt(async () => {
      await send("POST", one(name.value.trim()));
      name.value = "";
      await load();
    });
  }

  function exportData(event) {
    event.preventDefault();
    card.attempt(async () => {
      fill(said, notice("Exporting…"));
      try {
        await send("POST", "/_admin/export", { path: path.value.trim() });
        fill(said, notice(`Exported to ${path.value.trim()}.`));
      } catch (error) {
        fill(said);
        throw error;
      }
    });
  }

  function draw(entries) {
    if (!entries.length) return fill(list, make("p", { class: "soft" }, "There are none yet: save one before you try something."));
    const row = (entry) => make("tr", {},
      make("td", { class: "name" }, entry.name), make("td", {}, when(entry.at)), make("td", { class: "number" }, bytes(entry.bytes)),
      make("td", { class: "buttons" },
        button("Restore…", () => restore(entry), { class: "small", "aria-label": `Restore ${entry.name}` }), " ",
        button("Delete…", () => remove(entry), { class: "small danger", "aria-label": `Delete ${entry.name}` })));
    fill(list, make("div", { class: "scroll" }, table(["name", "saved", ["size", "number"], "Actions"], make("tbody", {}, entries.map(row)))));
  }

  function restore({ name: snapshot, at }) {
    ask({
      title: "Restore the snapshot?", action: "Restore", isDangerous: true,
      content: [make("p", {},
        "The present documents, files and users are replaced by those of ", make("bdi", {}, snapshot), ` (${when(at)}).`)],
      submit: () => send("POST", `${one(snapshot)}/restore`),
    });
  }

  function remove({ name: snapshot }) {
    ask({
      title: "Delete the snapshot?", action: "Delete", isDangerous: true, content: [make("p", {}, make("bdi", {}, snapshot), " is deleted.")],
      async submit() { await send("DELETE", one(snapshot)); await load(); },
    });
  }

  return { element: card.element };
}

/// Times are in microseconds, as those of requests.
function when(at) { return typeof at === "number" ? date(at / 1_000) : date(Date.parse(at)); }

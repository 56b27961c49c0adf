// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Copies of the data: snapshots by name, exports and imports.

import { get, send } from "./api.js";
import { ask } from "./ask.js";
import { controlCard } from "./control-card.js";
import { button, fill, make, notice } from "./dom.js";
import { bytes, date } from "./format.js";
import { table } from "./tables.js";

const names = "/console/snapshots";
const one = (name) => `${names}/${encodeURIComponent(name)}`;

export function snapshotsCard() {
  const card = controlCard("Data", make("p", { class: "soft" }, "Documents, files and users, as they are at one moment."));
  card.element.hidden = true;
  const list = make("div");
  const input = (label, properties) =>
    make("input", { required: true, autocomplete: "off", spellcheck: "false", "aria-label": label, ...properties });
  // Names of snapshots are those of directories, too.
  const name = input("Name of the snapshot", {
    placeholder: "before-the-migration", pattern: "[A-Za-z0-9_\\-][A-Za-z0-9._\\-]*", maxlength: "64", title: "Letters, digits, . _ and -",
  });
  const path = input("Directory of the export", { placeholder: "/home/me/export", class: "mono" });
  const said = make("div", { "aria-live": "polite" });
  fill(card.body,
    make("h3", {}, "Snapshots"),
    form(name, submitting(save), make("button", { type: "submit", class: "main" }, "Save")), list,
    make("h3", {}, "Exports in the official emulators' format"),
    form(path, submitting(() => move("export", "Exported")), make("button", { type: "submit" }, "Export"),
      button("Import", () => { if (path.reportValidity()) move("import", "Imported"); }, { title: "Loads it beside the data that there are" })),
    said);

  const load = () => card.read(async () => draw((await get(names)).snapshots));
  load();

  function save() {
    return attempt("Saving…", async () => {
      const { data } = await send("POST", one(name.value));
      name.value = "";
      await load();
      return `Saved: ${data}`;
    });
  }

  function move(call, word) {
    const directory = path.value.trim();
    return attempt("At work…", async () => `${word}: ${(await send("POST", `/console/${call}`, { path: directory })).data}`);
  }

  /// Says that something is done, and then what it came to.
  function attempt(text, action) {
    return card.attempt(async () => {
      fill(said, notice(text));
      try {
        fill(said, notice(await action()));
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
      async submit() { fill(said, notice(`Restored: ${(await send("POST", `${one(snapshot)}/restore`)).data}`)); },
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

/// Times are in microseconds since the Unix epoch.
function when(at) { return date(at / 1_000); }

function form(control, submit, ...buttons) {
  return make("form", { class: "tools", on: { submit } }, make("span", { class: "grow" }, control), buttons);
}

/// Takes the submission of a form in the place of the browser.
function submitting(action) {
  return (event) => {
    event.preventDefault();
    action();
  };
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The indexes that queries needed and the project does not define: production would refuse these queries.

import { get } from "./api.js";
import { button, copy, download, fill, make, notice, setText } from "./dom.js";
import { count, counted } from "./format.js";
import { poll } from "./poll.js";
import { change } from "./route.js";
import { table } from "./tables.js";

const pollInterval = 2_000;

export function show(root, parameters) {
  let asked = parameters;
  let missing;
  let drawn;

  const filter = make("input", {
    type: "search", placeholder: "Filter by collection or field", "aria-label": "Filter indexes", "data-filter": true,
    on: { input: () => change({ q: filter.value.trim() }, { replaces: true }) },
  });
  const all = button("Copy firestore.indexes.json", (event) => copy(fragment(missing), event.target), { class: "main", hidden: true });
  const save = button("Save it", () => download("firestore.indexes.json", [fragment(missing)], "application/json"), { hidden: true });
  const status = make("p", { class: "soft", role: "status" }, "Reading…");
  const body = make("div");
  fill(root, make("h1", {}, "Missing indexes"),
    make("p", { class: "soft" }, "Here queries run without them; production refuses them until the index is there. Add the entries to the ",
      make("code", {}, "firestore.indexes.json"), " of your app and start with ", make("code", {}, "--indexes FILE"), "."),
    make("div", { class: "tools" }, make("span", { class: "grow" }, filter), all, save), status, body);

  const watch = poll(async (signal) => {
    try {
      missing = (await get("/usage", { signal })).missingIndexes ?? [];
      draw();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      drawn = undefined;
      setText(status, "");
      fill(body, notice(error.message, error.status === 409 ? "" : "bad"));
    }
  }, pollInterval);

  function draw() {
    const text = (asked.get("q") ?? "").toLowerCase();
    const shown = missing.filter((index) => !text || JSON.stringify(index).toLowerCase().includes(text));
    const state = JSON.stringify(shown);
    all.hidden = save.hidden = missing.length === 0;
    setText(status, missing.length ? `${counted(shown.length, "index", "indexes")} of ${count(missing.length)}`
      : "No query needed an index that is not defined. Use your app, and those that do are listed here.");
    if (state === drawn) return;
    drawn = state;
    if (!shown.length) return fill(body);
    const columns = ["Collection", "Fields", "Database", ["Queries", "number"], "Entry"];
    fill(body, make("div", { class: "scroll card" }, table(columns, make("tbody", {}, shown.map(drawIndex)))));
  }

  function apply(next) {
    asked = next;
    const text = asked.get("q") ?? "";
    if (filter.value.trim() !== text) filter.value = text;
    if (missing) draw();
  }

  apply(parameters);
  return { change: apply, end() { watch.end(); } };
}

function drawIndex({ database, list, entry, queries }) {
  const fields = entry.fields ?? [{ fieldPath: entry.fieldPath, ...(entry.indexes?.[0] ?? {}) }];
  const group = entry.queryScope === "COLLECTION_GROUP" || entry.indexes?.some((index) => index.queryScope === "COLLECTION_GROUP");
  return make("tr", {},
    make("td", { class: "name" }, entry.collectionGroup, group && [" ", make("span", { class: "badge" }, "collection group")]),
    make("td", { class: "name" }, fields.map((field) => make("span", { class: "index-field" }, make("code", {}, field.fieldPath), " ",
      make("span", { class: "soft" }, directions[field.order ?? field.arrayConfig] ?? (field.vectorConfig ? "vector" : ""))))),
    make("td", { class: "name soft" }, database.split("/").at(-1)),
    make("td", { class: "number" }, count(queries)),
    make("td", {}, button("Copy entry", (event) => copy(JSON.stringify(entry, undefined, 2), event.target), {
      class: "small", title: `An entry of "${list}"`,
    })));
}

const directions = { ASCENDING: "ascending", DESCENDING: "descending", CONTAINS: "contains" };

/// The missing entries as a file: each in the list it belongs in.
function fragment(missing) {
  const lists = { indexes: [], fieldOverrides: [] };
  for (const { list, entry } of missing) (lists[list] ??= []).push(entry);
  return `${JSON.stringify(lists, undefined, 2)}\n`;
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The indexes that queries needed and the project does not define, as production would refuse these queries; below them, those that it
// defines.

import { get } from "./api.js";
import { button, copy, download, fill, make, notice, setText } from "./dom.js";
import { count, counted } from "./format.js";
import { movingRows } from "./moving-rows.js";
import { poll } from "./poll.js";
import { searchField } from "./search-field.js";
import { table } from "./tables.js";

const pollInterval = 2_000;

export function show(root, parameters) {
  let asked = parameters;
  let missing;
  let defined;

  const filter = searchField("Filter by collection or field", "Filter indexes");
  const all = button("Copy the missing entries", (event) => copy(fragment(missing), event.target), { class: "main", hidden: true });
  const save = button("Save them", () => download("firestore.indexes.json", [fragment(missing)], "application/json"), { hidden: true });
  const status = make("p", { class: "soft", role: "status" }, "Reading…");
  const body = make("div");
  const definedStatus = make("p", { class: "soft", role: "status" });
  const definedBody = make("div");
  const rows = movingRows(body, definedBody);
  fill(root, make("h1", {}, "Indexes"), make("div", { class: "tools" }, make("span", { class: "grow" }, filter.element), all, save),
    make("h2", {}, "Missing"),
    make("p", { class: "soft" }, "Here queries run without them; production refuses them until the index is there. Add the entries to the ",
      make("code", {}, "firestore.indexes.json"), " of your app and start with ", make("code", {}, "--indexes FILE"), "."),
    status, body, make("h2", {}, "Defined"), definedStatus, definedBody);

  const watch = poll(async (signal) => {
    try {
      ({ missing, defined } = await get("/console/indexes", { signal }));
      draw();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      rows.forget();
      for (const each of [status, definedStatus]) setText(each, "");
      fill(definedBody);
      fill(body, notice(error.message, error.status === 409 ? "" : "bad"));
    }
  }, pollInterval);

  function draw() {
    const text = filter.take(asked);
    const [shown, shownDefined] = [missing, defined].map((list) => list.filter((index) => isAbout(index, text)));
    all.hidden = save.hidden = missing.length === 0;
    setText(status, missing.length ? `${counted(shown.length, "index", "indexes")} of ${count(missing.length)}`
      : "No query needed an index that is not defined. Use your app, and those that do are listed here.");
    setText(definedStatus, defined.length ? `${counted(shownDefined.length, "index", "indexes")} of ${count(defined.length)}`
      : "None are defined: there is no --indexes FILE, and no file of them in firebase.json.");
    const both = [shown, shownDefined];
    rows.draw(both, both.map((list) => list.map(({ database, entry }) => [database, entry])), () => {
      fill(body, indexTable(shown));
      fill(definedBody, indexTable(shownDefined));
    });
  }

  function apply(next) {
    asked = next;
    filter.take(asked);
    if (missing) draw();
  }

  apply(parameters);
  return { change: apply, end() { watch.end(); } };
}

/// The queries that needed an index are not known of all.
function indexTable(indexes) {
  if (!indexes.length) return [];
  const isCounted = indexes.some(({ queries }) => queries !== undefined);
  const columns = ["Collection", "Fields", "Database", ...(isCounted ? [["Queries", "number"]] : []), "Entry"];
  return make("div", { class: "scroll card" },
    table(columns, make("tbody", {}, indexes.map((index) => drawIndex(index, isCounted)))));
}

function drawIndex({ database, list, entry, queries }, isCounted) {
  const group = entry.queryScope === "COLLECTION_GROUP" || entry.indexes?.some((index) => index.queryScope === "COLLECTION_GROUP");
  return make("tr", {},
    make("td", { class: "name" }, entry.collectionGroup, group && [" ", make("span", { class: "badge" }, "collection group")]),
    make("td", { class: "name" }, fieldsOf(entry).map(([path, ways]) =>
      make("span", { class: "index-field" }, make("code", {}, path), " ", make("span", { class: "soft" }, ways)))),
    make("td", { class: "name soft", title: database === others && "Every database without indexes of its own" }, databaseName(database)),
    isCounted && make("td", { class: "number" }, queries === undefined ? "" : count(queries)),
    make("td", {}, button("Copy entry", (event) => copy(JSON.stringify(entry, undefined, 2), event.target), {
      class: "small", title: `An entry of "${list}"`,
    })));
}

/// The database of indexes that are those of every database without its own.
const others = "*";

function databaseName(database) { return database === others ? "any" : database.split("/").at(-1); }

/// The fields of an entry, each with how it is indexed; of one field alone, all the ways, or that there are none.
function fieldsOf({ fields, fieldPath, indexes = [], ttl }) {
  if (fields) return fields.map((field) => [field.fieldPath, kindOf(field)]);
  const ways = [...new Set(indexes.map(kindOf))].join(", ") || "not indexed";
  return [[fieldPath, ttl ? `${ways}; time to live` : ways]];
}

function kindOf({ order, arrayConfig, vectorConfig }) {
  const kind = order ?? arrayConfig;
  return kinds.get(kind) ?? kind ?? (vectorConfig ? "vector" : "");
}

const kinds = new Map([["ASCENDING", "ascending"], ["DESCENDING", "descending"], ["CONTAINS", "contains"]]);

function isAbout({ database, entry }, text) {
  const names = [databaseName(database), entry.collectionGroup, ...fieldsOf(entry).map(([path]) => path)];
  return names.some((name) => name.toLowerCase().includes(text));
}

/// The missing entries as a file: each in the list it belongs in.
function fragment(missing) {
  const lists = { indexes: [], fieldOverrides: [] };
  for (const { list, entry } of missing) (lists[list] ??= []).push(entry);
  return `${JSON.stringify(lists, undefined, 2)}\n`;
}

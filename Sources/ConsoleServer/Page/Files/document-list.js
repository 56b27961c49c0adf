// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The list of a collection's documents, or of those that a query finds.

import { change } from "./route.js";
import { button, fill, make, notice, setText } from "./dom.js";
import { count, counted } from "./format.js";
import { brief, documentPath } from "./firestore-values.js";
import { columnsOf } from "./document-columns.js";
import { createDocument, deleteCollection } from "./document-dialogs.js";
import { documentPages } from "./document-pages.js";
import { exportDocuments, importDocuments } from "./document-transfer.js";
import { filterForm, filterSummary } from "./document-filters.js";
import { fullName, lastOf } from "./firestore.js";
import { isWhole, queryOf, valueAt } from "./document-query.js";
import { missingDocuments } from "./document-missing.js";
import { rows } from "./rows.js";

/// Shows a list. `open(path)` is called for a document that is chosen; `changed()` when documents were.
export function documentList({ place, path, parameters, link, open, changed, left }) {
  const ending = new AbortController();
  const isGroup = parameters.get("group") === "1";
  const total = make("span", { class: "soft", role: "status" });
  const state = make("div");
  const body = make("div", { class: "list-body" });
  const filters = make("div");
  const filterButton = button("Filter", toggleFilters, { "aria-expanded": "false", "data-filter": true });
  const root = make("section", { class: "pane list", "aria-label": "Documents" },
    make("div", { class: "pane-head" },
      make("h2", { class: "cut mono", title: path, dir: "auto" }, isGroup ? `every ${lastOf(path)}` : lastOf(path)), total, actions()),
    filters, state, body);
  let question;
  let pages;
  let missing;
  let list;
  let columns = [];
  let shownDocument;

  function actions() {
    return make("div", { class: "tools" },
      filterButton,
      button("All parents", () => change({ group: isGroup ? null : "1", open: null }), {
        "aria-pressed": String(isGroup), title: "Collections of this name under every parent",
      }),
      !isGroup && button("New", () => createDocument({ place, parent: path, done: changed, link }), { "data-new": true }),
      button("Export…", () => question && exportDocuments({ place, path, question })),
      !isGroup && button("Import…", () => importDocuments({ place, path, done: changed })),
      !isGroup && button("Delete…", () => deleteCollection({ place, path, done: left }), { class: "danger" }));
  }

  function toggleFilters() {
    const isOpen = filters.childElementCount > 0;
    filterButton.setAttribute("aria-expanded", String(!isOpen));
    fill(filters, !isOpen && filterForm(parameters));
    filters.querySelector("input")?.focus();
  }

  const failed = (error) => { if (error.name !== "AbortError") fill(state, refusal(error)); };
  const lengthNow = () => pages.length + (missing?.count ?? 0);

  async function start() {
    try {
      question = queryOf(place, path, parameters);
      columns = await columnsOf(place, question, parameters, ending);
    } catch (error) {
      return failed(error);
    }
    if (ending.signal.aborted) return;
    const order = question.structuredQuery.orderBy.map(({ field }) => field.fieldPath);
    pages = documentPages({ place, question, mask: [...new Set([...columns, ...order])], changed: arrived, failed });
    if (isWhole(parameters)) missing = missingDocuments({ place, path, changed: arrived, failed });
    list = rows({ rowHeight: 30, label: `Documents of ${path}`, draw, near, open: opened, rowClass, head: headRow() });
    fill(body, list.element);
    missing?.look();
    await pages.start();
    if (!ending.signal.aborted) showDocument(shownDocument);
  }

  function headRow() {
    return [make("span", { class: "cell id" }, isGroup ? "Path" : "Id"), columns.map((column) => make("span", { class: "cell" }, column))];
  }

  function arrived() {
    if (ending.signal.aborted) return;
    const length = lengthNow();
    list.setLength(length);
    const missingCount = missing?.count ?? 0;
    setText(total, [
      pages.isCounted ? counted(pages.length, "document") : "counting…",
      missingCount > 0 && `${count(missingCount)} missing`, filterSummary(parameters),
    ].filter(Boolean).join(" · "));
    fill(state, length === 0 && pages.isCounted && !missing?.isLooking && empty(), lookFurther());
    body.hidden = length === 0;
  }

  function empty() {
    return notice(isWhole(parameters)
      ? "This collection is empty. “New” makes a document, “Import…” takes them from a file."
      : "No document matches these filters.");
  }

  function lookFurther() {
    if (!missing || missing.isOver || missing.isLooking) return undefined;
    return make("p", { class: "soft further" }, `Missing parents were looked for among the first ${count(missing.lookedAt)} names. `,
      button("Look further", () => { missing.look(); arrived(); }, { class: "inline" }));
  }

  // A row is a document, or one that is missing; the pages know the former alone.
  const pageIndex = (index) => index - (missing?.before(index) ?? 0);
  const nameAt = (index) => (missing?.at(index) ?? pages.at(pageIndex(index)))?.name;

  function draw(index) {
    const absent = missing?.at(index);
    const document = absent ?? pages.at(pageIndex(index));
    if (!document) return undefined;
    const path = documentPath(document.name);
    return [
      make("span", { class: "cell id mono", title: path, dir: "auto" }, isGroup ? path : lastOf(path)),
      absent ? make("span", { class: "cell soft" }, "missing, with collections below")
        : columns.map((column) => make("span", { class: "cell", dir: "auto" }, brief(valueAt(document, column), 80))),
    ];
  }

  function rowClass(index) { return missing?.at(index) ? "missing" : ""; }

  function near(first, last) { pages.near(pageIndex(first), pageIndex(last)); }

  function opened(index) {
    const name = nameAt(index);
    if (name) open(documentPath(name), isGroup);
  }

  /// Marks a document, and scrolls to it where it is not in sight.
  async function showDocument(path) {
    shownDocument = path;
    if (!list || !pages.isCounted) return;
    if (!path) return list.select(-1);
    const name = fullName(place, path);
    if (nameAt(list.selected) === name || !isWhole(parameters)) return;
    try {
      const before = await pages.indexOf(name);
      const index = before + missingBefore(name);
      if (shownDocument !== path || ending.signal.aborted) return;
      list.select(index);
      list.reveal(index);
    } catch { /* The document is shown all the same. */ }
  }

  function missingBefore(name) {
    let number = 0;
    while (missing && number < missing.count && missing.nameOf(number) < name) number += 1;
    return number;
  }

  start();
  return {
    element: root,
    showDocument,
    /// Fetches again what is looked at.
    async refresh() { await pages?.start(); },
    end() {
      ending.abort();
      pages?.end();
      missing?.end();
      list?.end();
    },
  };
}

function refusal(error) {
  const needsIndex = /index/i.test(error.message);
  return notice([error.message, needsIndex && [" ", make("a", { href: "#/indexes" }, "See the indexes that are missing")]], "bad");
}

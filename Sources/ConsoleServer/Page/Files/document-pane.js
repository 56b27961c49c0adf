// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The pane of one document: its fields, times, size, the collections under it, and what can be done with it.

import { button, copy, download, fill, make, notice } from "./dom.js";
import { bytes, counted } from "./format.js";
import { changingWrite, commitUnchanged } from "./document-changes.js";
import { createDocument, deleteDocument, editJSON } from "./document-dialogs.js";
import { documentSize } from "./firestore-values.js";
import { exportedLine } from "./document-transfer.js";
import { fieldTree } from "./document-fields.js";
import { collections, getDocument, lastOf, parentOf } from "./firestore.js";

/// Firestore's limit.
const byteCountMax = 1_048_576;

/// Shows a document. `link(path)`: the address of a place here; `changed()` is called when the document was; `left()` when it is gone.
export function documentPane({ place, path, link, changed, left }) {
  const ending = new AbortController();
  const head = make("div", { class: "pane-head" });
  const state = make("div");
  const facts = make("div", { class: "facts soft" });
  const below = make("section", { class: "below", "aria-label": "Collections under it" });
  const tree = fieldTree({ place, save, link });
  const root = make("section", { class: "pane document", "aria-label": "Document" }, head, state, tree.element, below, facts);
  let document;

  /// `isQuiet`: what is shown stays until the answer is there; `isOwn`: behind a change made here.
  async function load({ isQuiet = false, isOwn = false } = {}) {
    if (!isQuiet) fill(state, make("p", { class: "soft" }, "Loading…"));
    loadBelow();
    try {
      const found = await getDocument(place, path, ending);
      if (!isOwn && document?.updateTime === found.updateTime) return fill(state);
      if (!isOwn && tree.isEditing) return fill(state, changedMeanwhile());
      document = found;
      fill(state);
      tree.set(document.fields ?? {});
    } catch (error) {
      if (error.name === "AbortError") return;
      if (error.status === 404 && !tree.isEditing) showMissing();
      else fill(state, notice(error.message, "bad"));
    }
    drawHead();
  }

  function changedMeanwhile() {
    const reload = button("Reload", () => load({ isOwn: true }));
    return notice(["This document was changed since you began; saving will be refused. ", reload], "warn");
  }

  function showMissing() {
    document = undefined;
    fill(state, notice("There is no document here; there may be collections under it."));
    fill(tree.element);
    fill(facts);
  }

  async function loadBelow() {
    let found;
    try {
      found = await collections(place, path, ending);
    } catch (error) {
      return error.name === "AbortError" ? undefined : fill(below, notice(error.message, "bad"));
    }
    fill(below,
      make("h3", {}, found.ids.length > 0 ? counted(found.ids.length, "collection") : "Collections"),
      make("ul", { class: "links" }, found.ids.map((id) => make("li", {}, make("a", { href: link(`${path}/${id}`) }, id)))),
      button("+ Start a collection", () => createDocument({ place, parent: path, done: changed, link }), { class: "quiet" }));
  }

  function drawHead() {
    const isThere = document !== undefined;
    fill(head,
      make("h2", { class: "cut mono", title: path, dir: "auto" }, lastOf(path)),
      make("div", { class: "tools" },
        isThere && button("Edit as JSON", () => editJSON({ place, document, done: reload })),
        isThere && button("Save as JSON", () => download(`${lastOf(path)}.jsonl`, [exportedLine(document)], "application/x-ndjson")),
        button("Copy path", (event) => copy(path, event.currentTarget)),
        !isThere && button("Create it", () => createDocument({ place, parent: parentOf(path), id: lastOf(path), done: reload, link })),
        button("Delete…", () => deleteDocument({ place, path, document, done: left }), { class: "danger" })));
    if (!isThere) return;
    const size = documentSize(document.name, document.fields ?? {});
    fill(facts, make("dl", {},
      make("dt", {}, "Created"), make("dd", {}, document.createTime),
      make("dt", {}, "Updated"), make("dd", {}, document.updateTime),
      make("dt", {}, "Size"), make("dd", {}, `${bytes(size)} of ${bytes(byteCountMax, true)} as Firestore counts it`)));
  }

  async function save(fieldPath, value, newName) {
    await commitUnchanged(place, [changingWrite(document, fieldPath, value, newName)]);
    await reload();
  }

  async function reload() {
    await load({ isQuiet: true, isOwn: true });
    changed();
  }

  load();
  return {
    element: root,
    path,
    refresh() { load({ isQuiet: true }); },
    end() { ending.abort(); },
  };
}

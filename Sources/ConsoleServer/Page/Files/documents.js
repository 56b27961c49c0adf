// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Documents: collections at the left, a collection's documents, and one of them. On a phone one of the three at a time.

import { address, change as setParameters } from "./route.js";
import { fill, make, notice } from "./dom.js";
import { collectionTree } from "./document-tree.js";
import { documentList } from "./document-list.js";
import { documentPane } from "./document-pane.js";
import { placeChoice, placeOf } from "./document-place.js";
import { idsOf, isDocument, parentOf } from "./firestore.js";
import { viewKeys } from "./keys.js";
import { watchWrites } from "./watch-writes.js";

const listParameters = ["where", "order", "limit", "columns", "group"];

export function show(root, parameters) {
  const top = make("div", { class: "view-head" });
  const panes = make("div", { class: "panes" });
  fill(root, top, panes);
  let shown = { key: undefined };
  let number = 0;
  let isEnded = false;

  async function change(parameters) {
    const asked = number += 1;
    holdOthers(parameters);
    try {
      const place = await placeOf(parameters);
      if (asked === number && !isEnded) draw(place, parameters);
    } catch (error) {
      if (asked !== number || isEnded) return;
      endAll();
      shown = { key: undefined };
      fill(panes, notice(error.message, "bad"));
    }
  }

  /// Until the place of the address is known, the former document and list are shown; a button there would be about another document
  /// than the address.
  function holdOthers(parameters) {
    const { document, collection } = shownBy(parameters);
    const isElsewhere = databaseText(parameters) !== shown.database;
    if (shown.pane) shown.pane.element.inert = isElsewhere || shown.pane.path !== document;
    if (shown.list) shown.list.view.element.inert = isElsewhere || shown.list.collection !== collection;
  }

  function draw(place, parameters) {
    const { path, isGroup, document, collection } = shownBy(parameters);
    const link = (path) => address("documents", { project: parameters.get("project"), database: parameters.get("database"), path });
    const placeKey = `${place.project}/${place.database}`;
    if (shown.placeKey !== placeKey) {
      endAll();
      shown = { placeKey, tree: collectionTree({ place, link, changed: refresh }) };
      fill(panes, shown.tree.element);
    }
    shown.database = databaseText(parameters);
    drawTop(place, path, link);
    shown.tree.show(isGroup ? collection : path);
    panes.dataset.level = document ? "document" : collection ? "list" : "collections";
    showList({ place, collection, parameters, link });
    showPane({ place, document, link });
    shown.list?.view.showDocument(document);
    // The address may be another form of the former one, which builds nothing new.
    holdOthers(parameters);
  }

  function drawTop(place, path, link) {
    const ids = idsOf(path);
    const crumbs = ids.map((id, index) => {
      const here = ids.slice(0, index + 1).join("/");
      return make("li", {}, make("a", { href: link(here), dir: "auto", "aria-current": here === path ? "page" : undefined }, id));
    });
    if (shown.topKey !== shown.placeKey) {
      shown.topKey = shown.placeKey;
      fill(top, make("h1", {}, "Documents"), placeChoice(place), make("nav", { class: "crumbs", "aria-label": "Path" }));
    }
    fill(top.lastChild, make("ol", {}, make("li", {}, make("a", { href: link("") }, "all collections")), crumbs));
  }

  function showList({ place, collection, parameters, link }) {
    const key = collection && JSON.stringify([collection, ...listParameters.map((name) => parameters.get(name))]);
    if (shown.list?.key === key) return;
    shown.list?.view.end();
    shown.list?.view.element.remove();
    shown.list = undefined;
    if (!collection) return;
    const open = (path, isGroup) => setParameters(isGroup ? { open: path } : { path });
    const left = () => { location.hash = link(parentOf(collection)); refresh(); };
    shown.list = { key, collection, view: documentList({ place, path: collection, parameters, link, open, changed: refresh, left }) };
    shown.tree.element.after(shown.list.view.element);
  }

  function showPane({ place, document, link }) {
    if (shown.pane?.path === document) return;
    shown.pane?.end();
    shown.pane?.element.remove();
    shown.pane = undefined;
    if (!document) return;
    const left = () => { location.hash = link(parentOf(document)); refresh(); };
    shown.pane = documentPane({ place, path: document, link, changed: refresh, left });
    panes.append(shown.pane.element);
  }

  async function refresh() {
    shown.tree?.refresh();
    shown.pane?.refresh();
    await shown.list?.view.refresh();
  }

  function endAll() {
    for (const part of [shown.tree, shown.list?.view, shown.pane]) part?.end();
  }

  const endKeys = viewKeys({
    r: { label: "Load again", action: refresh },
    n: { label: "New document", action: () => panes.querySelector(".list:not([inert]) [data-new]")?.click() },
  });
  const endWatch = watchWrites((total) => total.billed.documentWrites + total.billed.documentDeletes, refresh);
  change(parameters);
  return {
    change,
    end() {
      isEnded = true;
      endKeys();
      endWatch();
      endAll();
    },
  };
}

/// The document and the collection that an address names.
function shownBy(parameters) {
  const path = parameters.get("path") ?? "";
  const isGroup = parameters.get("group") === "1";
  return {
    path,
    isGroup,
    document: isGroup ? parameters.get("open") : isDocument(path) ? path : null,
    collection: isGroup || !isDocument(path) ? path : parentOf(path),
  };
}

/// The database of an address as it is written there.
function databaseText(parameters) { return JSON.stringify([parameters.get("project"), parameters.get("database")]); }

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The collections at every level of the present path, as a tree.

import { button, fill, make, notice } from "./dom.js";
import { createDocument } from "./document-dialogs.js";
import { collections, idsOf, isDocument, lastOf } from "./firestore.js";

/// Shows the tree; `link(path)` is the address of a collection here.
export function collectionTree({ place, link, changed }) {
  const ending = new AbortController();
  const body = make("div", { class: "tree" });
  const root = make("nav", { class: "pane collections", "aria-label": "Collections" },
    make("div", { class: "pane-head" }, make("h2", {}, "Collections")), body,
    button("+ Start a collection", () => createDocument({ place, parent: "", done: changed, link }), { class: "quiet" }));
  const levels = new Map();
  let path = "";
  let number = 0;

  async function load() {
    const asked = number += 1;
    // The root, and every document on the way.
    const ids = idsOf(path);
    const parents = ids.map((_, index) => ids.slice(0, index).join("/")).filter((_, index) => index % 2 === 0);
    if (ids.length % 2 === 0) parents.push(path);
    for (const known of [...levels.keys()]) if (!parents.includes(known)) levels.delete(known);
    try {
      await Promise.all(parents.filter((parent) => !levels.has(parent)).map(async (parent) => {
        levels.set(parent, await collections(place, parent, ending));
      }));
      if (asked === number) draw();
    } catch (error) {
      if (error.name !== "AbortError" && asked === number) fill(body, notice(error.message, "bad"));
    }
  }

  function draw() {
    const isEmpty = (levels.get("")?.ids.length ?? 0) === 0;
    fill(body, isEmpty
      ? notice("There are no documents in this database yet. An app's SDK writes some, or you start a collection here.")
      : level("", idsOf(path)));
  }

  function level(parent, [collection, document, ...rest]) {
    const { ids = [], isCut } = levels.get(parent) ?? {};
    const known = collection !== undefined && !ids.includes(collection) ? [...ids, collection] : ids;
    if (known.length === 0) return undefined;
    return make("ul", {},
      known.map((id) => {
        const here = parent ? `${parent}/${id}` : id;
        return make("li", {}, entry(here), id === collection && document !== undefined && below(`${here}/${document}`, rest));
      }),
      isCut && make("li", { class: "soft" }, "and more"));
  }

  function below(document, rest) {
    return make("ul", {}, make("li", {}, entry(document), level(document, rest)));
  }

  function entry(here) {
    return make("a", {
      class: `cut ${isDocument(here) ? "document" : "collection"}`, href: link(here), title: here, dir: "auto",
      "aria-current": here === path ? "page" : undefined,
    }, lastOf(here));
  }

  return {
    element: root,
    show(next) { path = next; load(); },
    refresh() { levels.clear(); load(); },
    end() { ending.abort(); },
  };
}

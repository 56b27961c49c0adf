// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Tables of figures.

import { make } from "./dom.js";

/// A table with headers: each column is a title, or `[title, class]`.
export function table(columns, body, properties = {}) {
  const heads = columns.map((column) => {
    const [title, kind] = [column].flat();
    return make("th", { scope: "col", class: kind }, title);
  });
  return make("table", properties, make("thead", {}, make("tr", {}, heads)), body);
}

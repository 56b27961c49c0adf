// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The field that filters the rows of a view, by the `q` of its address.

import { make } from "./dom.js";
import { change } from "./route.js";

/// Makes the field: `{ element, take(parameters) }`. `take` returns the text to look for, in lower case, and shows it.
export function searchField(placeholder, label) {
  const element = make("input", {
    type: "search", placeholder, "aria-label": label, "data-filter": true,
    on: { input: () => change({ q: element.value.trim() }, { replaces: true }) },
  });
  return {
    element,
    take(parameters) {
      const text = parameters.get("q") ?? "";
      // A space that is typed stays.
      if (element.value.trim() !== text) element.value = text;
      return text.toLowerCase();
    },
  };
}

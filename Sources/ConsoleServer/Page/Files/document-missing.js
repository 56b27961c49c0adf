// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Documents that do not exist but have collections under them: a query finds none of them, only a list of names does. The names
// of a collection are looked through from its start, and each missing document keeps its number among all rows.

import { names } from "./firestore.js";

/// How many names are looked through at a time.
const lookedAtMax = 3_000;
/// How many missing documents are remembered.
const foundMax = 10_000;

/// `changed()` is called when some were found, or the look ended.
export function missingDocuments({ place, path, changed, failed }) {
  const found = [];
  const ending = new AbortController();
  let pageToken;
  let lookedAt = 0;
  let isOver = false;
  let isLooking = false;

  async function look() {
    if (isLooking || isOver) return;
    isLooking = true;
    const end = lookedAt + lookedAtMax;
    try {
      do {
        const page = await names(place, path, pageToken, ending);
        for (const document of page.documents ?? []) {
          if (!document.createTime && found.length < foundMax) found.push({ index: lookedAt, name: document.name });
          lookedAt += 1;
        }
        pageToken = page.nextPageToken;
        isOver = !pageToken || found.length >= foundMax;
      } while (!isOver && lookedAt < end);
    } catch (error) {
      if (error.name === "AbortError") return;
      isOver = true;
      failed(error);
    }
    isLooking = false;
    changed();
  }

  /// How many missing documents stand before a row.
  function before(index) {
    let [low, high] = [0, found.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (found[middle].index < index) low = middle + 1; else high = middle;
    }
    return low;
  }

  return {
    look,
    get count() { return found.length; },
    get lookedAt() { return lookedAt; },
    get isOver() { return isOver; },
    get isLooking() { return isLooking; },
    before,
    /// The missing document in a row.
    at(index) {
      const entry = found[before(index)];
      return entry?.index === index ? entry : undefined;
    },
    nameOf(number) { return found[number].name; },
    end() { ending.abort(); },
  };
}

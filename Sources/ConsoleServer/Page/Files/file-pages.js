// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// A list of files of any length: pages follow one another by tokens, are fetched when the list is scrolled to their rows, and few
// of them are kept. The tokens of those passed are, so that one scrolled back to is fetched again.

import { list, listPageSize } from "./storage.js";

/// How many pages are kept.
const pageCountMax = 20;
/// How many pages there can be: their tokens are kept.
const tokenCountMax = 20_000;

/// `changed()` is called when entries came, `failed(error)` where the server refuses.
export function filePages({ bucket, prefix, changed, failed }) {
  const ending = new AbortController();
  let starts = [{ first: 0, token: undefined }];
  let pages = new Map();
  let length = 0;
  let isOver = false;
  let isFetching = false;
  let wanted = [0, 1];

  async function fetchPage(number) {
    const page = await list(bucket, prefix, { pageToken: starts[number].token, signal: ending.signal });
    const folders = (page.prefixes ?? []).map((name) => ({ name, isFolder: true }));
    const entries = [...folders, ...(page.items ?? [])];
    pages.delete(number);
    pages.set(number, entries);
    if (pages.size > pageCountMax) pages.delete(pages.keys().next().value);
    if (number < starts.length - 1) return;
    length = starts[number].first + entries.length;
    isOver = !page.nextPageToken || starts.length >= tokenCountMax;
    if (!isOver) starts.push({ first: length, token: page.nextPageToken });
  }

  /// The page of a row: pages may be of any length.
  function pageOf(index) {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle].first <= index) low = middle; else high = middle - 1;
    }
    return low;
  }

  function missingPage() {
    for (let number = pageOf(wanted[0]); number <= pageOf(wanted[1]); number += 1) if (!pages.has(number)) return number;
    return undefined;
  }

  async function work() {
    if (isFetching) return;
    isFetching = true;
    try {
      for (let number = missingPage(); number !== undefined && !ending.signal.aborted; number = missingPage()) {
        await fetchPage(number);
        changed();
      }
    } catch (error) {
      if (error.name !== "AbortError") failed(error);
    }
    isFetching = false;
  }

  return {
    /// Rows known so far; while there is more, the list has some rows beyond.
    get length() { return length + (isOver ? 0 : listPageSize / 10); },
    get knownLength() { return length; },
    get isOver() { return isOver; },
    at(index) {
      const number = pageOf(index);
      return pages.get(number)?.[index - starts[number].first];
    },
    near(first, last) { wanted = [first, Math.max(first, last - 1)]; work(); },
    refresh() {
      starts = [starts[0]];
      pages = new Map();
      isOver = false;
      return work();
    },
    end() { ending.abort(); },
  };
}

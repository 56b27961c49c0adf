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
  let folder = emptyFolder();
  let isFetching = false;
  let walking = Promise.resolve();
  let wanted = [0, 0];

  async function fetchPage(into, number) {
    const page = await list(bucket, prefix, { pageToken: into.starts[number].token, signal: ending.signal });
    const folders = (page.prefixes ?? []).map((name) => ({ name, isFolder: true }));
    into.keep(number, [...folders, ...(page.items ?? [])], page.nextPageToken);
  }

  async function work() {
    if (isFetching) return;
    isFetching = true;
    try {
      const missing = () => folder.missingPage(wanted[0], wanted[1]);
      for (let number = missing(); number !== undefined && !ending.signal.aborted; number = missing()) {
        await fetchPage(folder, number);
        changed();
      }
    } catch (error) {
      if (error.name !== "AbortError") failed(error);
    }
    isFetching = false;
  }

  /// Walks again to what is looked at, and shows it when it is there: nothing jumps meanwhile.
  async function walk() {
    const last = folder.pageOf(wanted[1]);
    if (last >= pageCountMax) return;
    const next = emptyFolder();
    try {
      for (let number = 0; number <= last && number < next.starts.length; number += 1) await fetchPage(next, number);
      folder = next;
      changed();
    } catch (error) {
      if (error.name !== "AbortError") failed(error);
    }
  }

  return {
    /// Rows known so far; while there is more, the list has some rows beyond.
    get length() { return folder.length + (folder.isOver ? 0 : listPageSize / 10); },
    get knownLength() { return folder.length; },
    get isOver() { return folder.isOver; },
    at: (index) => folder.at(index),
    near(first, last) { wanted = [first, Math.max(first, last - 1)]; work(); },
    /// One walk after another: a change may come behind the one that is under way.
    refresh() {
      walking = walking.then(walk);
      return walking;
    },
    end() { ending.abort(); },
  };
}

/// What is known of a folder's entries.
function emptyFolder() {
  const starts = [{ first: 0, token: undefined }];
  const pages = new Map();
  let length = 0;
  let isOver = false;

  /// The page of a row: pages may be of any length.
  function pageOf(index) {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle].first <= index) low = middle; else high = middle - 1;
    }
    return low;
  }

  return {
    starts,
    pageOf,
    get length() { return length; },
    get isOver() { return isOver; },
    at(index) {
      const number = pageOf(index);
      return pages.get(number)?.[index - starts[number].first];
    },
    missingPage(first, last) {
      for (let number = pageOf(first); number <= pageOf(last); number += 1) if (!pages.has(number)) return number;
      return undefined;
    },
    keep(number, entries, nextToken) {
      pages.delete(number);
      pages.set(number, entries);
      if (pages.size > pageCountMax) pages.delete(pages.keys().next().value);
      if (number < starts.length - 1) return;
      length = starts[number].first + entries.length;
      isOver = !nextToken || starts.length >= tokenCountMax;
      if (!isOver) starts.push({ first: length, token: nextToken });
    },
  };
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The documents of a query by their number, of a million of them: pages are fetched where the list is looked at, and few are kept.
//
// A page begins behind the last document of the one before. For a jump the nearest page whose beginning is known is used, and
// the documents between are skipped by the server (`offset`), which reads no more of them than their index entries.

import { countOf, query } from "./firestore.js";
import { cursorAfter } from "./document-query.js";

export const pageSize = 100;
/// How many pages are kept.
export const pageCountMax = 40;
/// How many beginnings of pages are remembered.
const cursorCountMax = 20_000;
/// Milliseconds for which a place is looked at before the server skips documents to get there.
const stillness = 80;

/// `changed()` is called when rows or their number came; `failed(error)` where the server refuses.
export function documentPages({ place, question, mask, changed, failed }) {
  const { parent, structuredQuery, limit } = question;
  const pages = new Map();
  // Pages from before the last refresh, shown until they are fetched again.
  let former = new Map();
  const cursors = new Map();
  const ending = new AbortController();
  let length = 0;
  let isCounted = false;
  let wanted = [];
  let wantedSince = 0;
  let isFetching = false;
  // Raised by a refresh: what was asked for before is not kept.
  let generation = 0;

  async function count() {
    length = await countOf(place, parent, structuredQuery, { signal: ending.signal, countMax: limit });
    isCounted = true;
    changed();
  }

  async function fetchPage(number) {
    let known = number;
    while (known > 0 && !cursors.has(known)) known -= 1;
    const first = number * pageSize;
    const asked = generation;
    const answer = await query(place, parent, {
      ...structuredQuery,
      ...(mask ? { select: { fields: mask.map((field) => ({ fieldPath: field })) } } : {}),
      ...(known > 0 ? { startAt: cursors.get(known) } : {}),
      offset: first - known * pageSize,
      limit: Math.min(pageSize, limit - first),
    }, ending);
    if (asked !== generation) return;
    keep(number, answer);
    if (!isCounted) length = Math.max(length, first + answer.length);
    changed();
  }

  function keep(number, documents) {
    pages.delete(number);
    former.delete(number);
    pages.set(number, documents);
    if (pages.size > pageCountMax) pages.delete(pages.keys().next().value);
    if (documents.length < pageSize) return;
    cursors.set(number + 1, cursorAfter(documents.at(-1), structuredQuery.orderBy));
    if (cursors.size > cursorCountMax) cursors.delete(cursors.keys().next().value);
  }

  /// One page at a time, always one that is still looked at: a quick scroll fetches little of what it passes. A page that is
  /// asked for is waited for, since the server would not stop to look for it.
  async function work() {
    if (isFetching) return;
    isFetching = true;
    try {
      for (let number = missingPage(); number !== undefined && !ending.signal.aborted; number = missingPage()) {
        const rest = wantedSince + stillness - performance.now();
        if (number > 0 && !cursors.has(number) && rest > 0) await new Promise((resolve) => { setTimeout(resolve, rest); });
        else await fetchPage(number);
      }
    } catch (error) {
      wanted = [];
      if (error.name !== "AbortError") failed(error);
    } finally {
      isFetching = false;
    }
  }

  function missingPage() { return wanted.find((page) => !pages.has(page)); }

  return {
    get length() { return length; },
    get isCounted() { return isCounted; },
    /// The document of a number; `undefined` where it is not fetched.
    at(index) {
      const number = Math.floor(index / pageSize);
      return (pages.get(number) ?? former.get(number))?.[index % pageSize];
    },
    near(first, last) {
      const firstBefore = wanted[0];
      wanted = [];
      for (let page = Math.floor(first / pageSize); page * pageSize < Math.max(last, 1); page += 1) {
        wanted.push(page);
        const kept = pages.get(page);
        if (kept) { pages.delete(page); pages.set(page, kept); }
      }
      if (wanted[0] !== firstBefore) wantedSince = performance.now();
      work();
    },
    /// Fetches from scratch what is looked at, and counts; resolves when counted.
    async start() {
      generation += 1;
      former = new Map(pages);
      pages.clear();
      cursors.clear();
      if (wanted.length === 0) wanted = [0];
      work();
      try {
        await count();
      } catch (error) {
        if (error.name !== "AbortError") failed(error);
      }
    },
    /// The number of a document in a list by name, counted by the server.
    indexOf(documentName) {
      const endAt = { values: [{ referenceValue: documentName }], before: true };
      return countOf(place, parent, { ...structuredQuery, endAt }, ending);
    },
    end() { ending.abort(); },
  };
}

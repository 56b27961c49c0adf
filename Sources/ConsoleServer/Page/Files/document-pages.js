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
  let fetching;

  async function count() {
    const counted = await countOf(place, parent, { ...structuredQuery, ...(limit < Infinity ? { limit } : {}) }, ending);
    length = counted;
    isCounted = true;
    changed();
  }

  async function fetchPage(number, signal) {
    let known = number;
    while (known > 0 && !cursors.has(known)) known -= 1;
    const first = number * pageSize;
    const answer = await query(place, parent, {
      ...structuredQuery,
      ...(mask ? { select: { fields: mask.map((field) => ({ fieldPath: field })) } } : {}),
      ...(known > 0 ? { startAt: cursors.get(known) } : {}),
      offset: first - known * pageSize,
      limit: Math.min(pageSize, limit - first),
    }, { signal });
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

  /// One page at a time, always one that is still looked at: a quick scroll fetches little of what it passes.
  async function work() {
    if (fetching) return;
    while (!ending.signal.aborted) {
      const number = wanted.find((page) => !pages.has(page));
      if (number === undefined) return;
      fetching = { number, abort: new AbortController() };
      try {
        await fetchPage(number, fetching.abort.signal);
      } catch (error) {
        if (error.name !== "AbortError") { wanted = []; failed(error); }
      } finally {
        fetching = undefined;
      }
    }
  }

  return {
    get length() { return length; },
    get isCounted() { return isCounted; },
    /// The document of a number; `undefined` where it is not fetched.
    at(index) {
      const number = Math.floor(index / pageSize);
      return (pages.get(number) ?? former.get(number))?.[index % pageSize];
    },
    near(first, last) {
      wanted = [];
      for (let page = Math.floor(first / pageSize); page * pageSize < Math.max(last, 1); page += 1) {
        wanted.push(page);
        const kept = pages.get(page);
        if (kept) { pages.delete(page); pages.set(page, kept); }
      }
      if (fetching && !wanted.includes(fetching.number)) fetching.abort.abort();
      work();
    },
    /// Fetches from scratch what is looked at, and counts; resolves when counted.
    async start() {
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
    end() {
      ending.abort();
      fetching?.abort.abort();
    },
  };
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The last requests in memory, and those of them that a filter takes. New ones are looked at once; all of them only where the
// filter changes.

/// The requests that are kept.
export const requestCountMax = 10_000;

/// Makes an empty list. `changed(added)` is called when what is seen has changed, with the rows that came at its top;
/// `undefined` where all of it may be different.
export function requestList(changed) {
  let kept = [];
  let matching = kept;
  let waiting = [];
  let waitingCount = 0;
  let isPaused = false;
  let matches;

  function take(requests) {
    const known = kept.at(-1)?.number ?? 0;
    const fresh = requests.filter((request) => !(request.number <= known)).slice(-requestCountMax);
    if (fresh.length === 0) return;
    kept.push(...fresh);
    if (kept.length > requestCountMax) kept.splice(0, kept.length - requestCountMax);
    let added = fresh.length;
    if (matches) {
      const found = fresh.filter(matches);
      matching.push(...found);
      const oldest = kept[0].number;
      const gone = matching.findIndex((request) => request.number >= oldest);
      matching.splice(0, gone < 0 ? matching.length : gone);
      added = found.length;
    }
    if (added > 0) changed(Math.min(added, matching.length));
  }

  return {
    /// Takes requests, oldest first; while the list is paused they wait.
    add(requests) {
      if (!isPaused) return take(requests);
      waitingCount += requests.length;
      waiting.push(...requests);
      if (waiting.length > requestCountMax) waiting.splice(0, waiting.length - requestCountMax);
    },
    pause() { isPaused = true; },
    resume() {
      isPaused = false;
      const came = waiting;
      [waiting, waitingCount] = [[], 0];
      take(came);
    },
    clear() {
      [kept, waiting, waitingCount] = [[], [], 0];
      matching = matches ? [] : kept;
      changed();
    },
    /// Shows only what a function takes; all without one.
    filter(next) {
      matches = next;
      matching = matches ? kept.filter(matches) : kept;
      changed();
    },
    /// The request of a row; the newest is the first.
    at(row) { return matching[matching.length - 1 - row]; },
    /// The row of a request by its number; -1 where it is not seen.
    rowOf(number) {
      const index = matching.findLastIndex((request) => request.number === number);
      return index < 0 ? -1 : matching.length - 1 - index;
    },
    find(number) { return kept.findLast((request) => request.number === number); },
    /// What is seen, oldest first.
    get shown() { return matching; },
    get length() { return matching.length; },
    get keptCount() { return kept.length; },
    get waitingCount() { return waitingCount; },
    get isPaused() { return isPaused; },
  };
}

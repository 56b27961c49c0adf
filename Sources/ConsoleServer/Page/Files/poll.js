// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Asks again and again, as long as the page can be seen and the view is open.

/// Calls an asynchronous function at once, and `milliseconds` after each of its ends. It is given a signal that aborts when
/// the view ends, and answers its own failures. The returned object has `now()` and `end()`.
export function poll(action, milliseconds) {
  const abort = new AbortController();
  let timer;
  let isRunning = false;

  async function run() {
    clearTimeout(timer);
    if (isRunning || abort.signal.aborted) return;
    isRunning = true;
    try {
      if (!document.hidden) await action(abort.signal);
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    } finally {
      isRunning = false;
      if (!abort.signal.aborted) timer = setTimeout(run, milliseconds);
    }
  }

  const seen = () => { if (!document.hidden) run(); };
  document.addEventListener("visibilitychange", seen);
  run();
  return {
    now: run,
    end() {
      abort.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
    },
  };
}

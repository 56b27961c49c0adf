// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The part of mocha that the SDK's tests use: they run one after the other, and each result is kept.

const root = { title: "", before: [], after: [], beforeEach: [], afterEach: [], entries: [] };
let suite = root;
// The slowest, of documents that are sorted in IndexedDB, take more than 20 s on two cores, whatever the server.
const usualTimeout = 60_000;

globalThis.describe = (title, body) => {
  const outer = suite;
  suite = { title, before: [], after: [], beforeEach: [], afterEach: [], entries: [] };
  outer.entries.push(suite);
  body.call({ timeout() {} });
  suite = outer;
  return { timeout() {} };
};
globalThis.describe.skip = () => {};
globalThis.describe.only = globalThis.describe;
globalThis.it = (title, body) => {
  const entry = { title, body };
  suite.entries.push(entry);
  return { timeout: (milliseconds) => (entry.milliseconds = milliseconds) };
};
globalThis.it.only = globalThis.it;
globalThis.it.skip = (title) => globalThis.it(title);
for (const hook of ["before", "after", "beforeEach", "afterEach"]) globalThis[hook] = (body) => suite[hook].push(body);

// Runs a test or a hook: it returns a promise, or calls a function that it is given.
function run(body, milliseconds = usualTimeout) {
  let [end, expire] = [undefined, undefined];
  const self = { timeout: (value) => start(typeof value === "string" ? 1_000 * parseFloat(value) : value), skip() { throw skipped; } };
  const start = (value) => {
    clearTimeout(end);
    end = setTimeout(() => expire(new Error(`no end after ${value} ms`)), value);
  };
  return new Promise((resolve, reject) => {
    expire = reject;
    start(milliseconds);
    const done = (error) => (error ? reject(error) : resolve());
    try {
      const result = body.call(self, done);
      if (body.length === 0) Promise.resolve(result).then(resolve, reject);
    } catch (error) {
      reject(error);
    }
  }).finally(() => clearTimeout(end));
}

const skipped = new Error("skipped");

async function runSuite(suite, names, around, results) {
  const [first, last] = [[...around.first, ...suite.beforeEach], [...suite.afterEach, ...around.last]];
  const runOnce = async (hook, when) => {
    const name = [...names, when].join(" > ");
    await run(hook).catch((error) => results.push({ name, error: String(error?.stack ?? error), isSkipped: false }));
  };
  for (const hook of suite.before) await runOnce(hook, "before all");
  for (const entry of suite.entries) {
    if (entry.entries) {
      await runSuite(entry, [...names, entry.title], { first, last }, results);
      continue;
    }
    const result = { name: [...names, entry.title].join(" > "), error: null, isSkipped: !entry.body };
    results.push(result);
    if (!entry.body) continue;
    try {
      for (const hook of first) await run(hook);
      await run(entry.body, entry.milliseconds);
    } catch (error) {
      result.isSkipped = error === skipped;
      result.error = result.isSkipped ? null : String(error?.stack ?? error);
    }
    for (const hook of last) await run(hook).catch((error) => (result.error ??= String(error?.stack ?? error)));
  }
  for (const hook of suite.after) await runOnce(hook, "after all");
}

export async function runAll() {
  const results = [];
  // Some tests leave promises that fail to themselves; an error of no promise belongs to the test that runs.
  globalThis.onunhandledrejection = null;
  globalThis.onerror = (message) => {
    if (results.length > 0) results.at(-1).error ??= `uncaught: ${message}`;
  };
  await runSuite(root, [], { first: [], last: [] }, results);
  await fetch("/done", { method: "POST", body: JSON.stringify(results) });
}

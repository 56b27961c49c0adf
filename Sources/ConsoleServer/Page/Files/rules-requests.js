// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The last requests that rules judged, by the messages of the official emulator's feed: one for each pass over the rules.

import { get } from "./api.js";
import { poll } from "./poll.js";
import { plainValue } from "./rules-value.js";

const pollInterval = 1_000;
const keptMax = 200;

/// Listens to the requests; `changed(requests, error)` gets them, the newest first. The server keeps requests only while it is
/// asked for them.
export function watchRequests(changed) {
  let passes = new Map();
  let last;
  return poll(async (signal) => {
    try {
      const answer = await get("/console/rules/requests", { signal });
      const newest = answer.at(-1)?.requestId ?? "";
      if (newest === last) return;
      last = newest;
      for (const pass of answer) passes.set(pass.requestId, pass);
      passes = new Map([...passes].slice(-keptMax));
      changed(requestsOf([...passes.values()]));
    } catch (error) {
      if (error.name === "AbortError") throw error;
      last = undefined;
      changed([], error);
    }
  }, pollInterval);
}

/// Puts the passes of each request together: they have its time and its path.
function requestsOf(passes) {
  const requests = new Map();
  for (const pass of passes) {
    const { path, time } = pass.rulesContext;
    const key = `${time} ${path}`;
    const request = requests.get(key) ?? { id: pass.requestId, time, rules: pass.rules, outcomes: new Map() };
    Object.assign(request, { ...place(path), method: pass.rulesContext.method, outcome: pass.outcome });
    // A later pass knows more, such as the document; where a line held, it let the request pass.
    for (const { line, outcome } of pass.granularAllowOutcomes ?? []) request.outcomes.set(line, outcome === true);
    request.values = { request: pass.rulesContext.request, resource: pass.rulesContext.resource };
    requests.set(key, request);
  }
  return [...requests.values()].reverse();
}

/// `/databases/(default)/documents/posts/a` → the path that apps have.
function place(path) {
  const [, database, inside] = /^\/databases\/([^/]*)\/documents(\/.*)?$/s.exec(path) ?? [undefined, undefined, path];
  return { database: database === "(default)" ? undefined : database, path: inside ?? "/" };
}

/// The caller of a request: an id, or `undefined` for a stranger.
export function callerOf(request) {
  const { auth } = plainValue(request.values.request) ?? {};
  return auth?.uid;
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// A request as people read it: its operation in a word or two, and its subject.

const verbs = { get: "get", getMetadata: "look up", insert: "upload", list: "list", patch: "change", update: "change", delete: "delete" };

/// `storage.objects.get` → "get object", `firestore.runQuery` → "runQuery".
export function shortOperation({ operation = "" }) {
  const parts = operation.split(".");
  if (parts.length < 3) return parts.at(-1);
  const noun = parts[1] === "objects" ? "object" : parts[1].replace(/s$/, "");
  const verb = Object.hasOwn(verbs, parts[2]) ? verbs[parts[2]] : parts[2];
  return `${verb} ${verb === "list" ? `${noun}s` : noun}`;
}

/// The object, the query's shape, the collection, or else the path of the address.
export function subject({ object, query, collection, bucket, target = "" }) {
  return object ?? query ?? collection ?? bucket ?? target.split("?")[0];
}

/// Whether a request came by gRPC, whose messages no plain HTTP client writes.
export function isGRPC({ target = "" }) { return /^\/google\.[\w.]+\/\w+$/.test(target); }

/// Whether a request came through a page's channel (`Listen` and `Write` of the Web SDK).
export function isWebChannel({ target = "" }) { return /^\/google\.[\w.]+\/\w+\/channel(\?|$)/.test(target); }

/// Whether a request failed: refused, or broken off.
export function isFailed({ status, outcome }) { return status >= 400 || (outcome !== undefined && outcome !== "complete"); }

/// The path of a document that an address of Firestore names; `undefined` where it names none.
export function documentPath({ target = "", service }) {
  if (service !== "firestore") return undefined;
  const match = /\/databases\/[^/]+\/documents\/([^?:]+)/.exec(target);
  if (!match) return undefined;
  try {
    const path = match[1].split("/").map(decodeURIComponent);
    return path.length % 2 === 0 ? path.join("/") : undefined;
  } catch {
    return undefined;
  }
}

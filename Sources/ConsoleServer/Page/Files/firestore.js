// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Calls to Firestore. A place is `{ project, database }`; paths are those below `documents`, with ids as they are.

import { get, send } from "./api.js";
import { typedText } from "./firestore-json.js";

const listPageSize = 150;

/// The full name of a document or collection; the root for an empty path.
export function fullName(place, path = "") {
  const root = `projects/${place.project}/databases/${place.database}/documents`;
  return path ? `${root}/${path}` : root;
}

/// Ids hold anything but slashes: `?`, `#`, `%2F`, line breaks.
export function url(place, path = "", verb = "") {
  return `/console/firestore/v1/${fullName(place, path).split("/").map(encodeURIComponent).join("/")}${verb}`;
}

export const idsOf = (path) => (path ? path.split("/") : []);
export const isDocument = (path) => path !== "" && idsOf(path).length % 2 === 0;
export const parentOf = (path) => idsOf(path).slice(0, -1).join("/");
export const lastOf = (path) => idsOf(path).at(-1) ?? "";

/// Collections right under a document or the root, `countMax` of them at most.
export async function collections(place, path, { signal, countMax = 1_000 } = {}) {
  const answer = await send("POST", url(place, path, ":listCollectionIds"), { pageSize: countMax }, { signal });
  return { ids: answer.collectionIds ?? [], isCut: Boolean(answer.nextPageToken) };
}

export function getDocument(place, path, { signal } = {}) { return get(url(place, path), { signal }); }

/// The documents of a query below a path: `[{ name, fields, createTime, updateTime }]`.
export async function query(place, parent, structuredQuery, { signal } = {}) {
  const answer = await send("POST", url(place, parent, ":runQuery?prettyPrint=false"), { structuredQuery }, { signal });
  return answer.flatMap((part) => (part.document ? [part.document] : []));
}

/// How many documents a query has.
export async function countOf(place, parent, structuredQuery, { signal } = {}) {
  const question = { structuredAggregationQuery: { structuredQuery, aggregations: [{ alias: "n", count: {} }] } };
  const answer = await send("POST", url(place, parent, ":runAggregationQuery?prettyPrint=false"), question, { signal });
  return Number(answer[0].result.aggregateFields.n.integerValue);
}

/// A page of names in a collection, with those of missing documents, which have no `createTime`.
export async function names(place, path, pageToken, { signal } = {}) {
  const question = new URLSearchParams({
    pageSize: listPageSize, showMissing: true, "mask.fieldPaths": "__name__", prettyPrint: false, ...(pageToken ? { pageToken } : {}),
  });
  return get(`${url(place, path)}?${question}`, { signal });
}

/// Carries out writes at once, or none of them.
export function commit(place, writes) {
  return send("POST", url(place, "", ":commit"), new Blob([typedText({ writes })], { type: "application/json" }));
}

/// Deletes a collection or a document, and everything below.
export function deleteBelow(place, path) {
  return send("DELETE", url(place, path).replace("/firestore/v1/", "/firestore/emulator/v1/"));
}

/// Everything in a collection or below a document, at any depth: a query without a collection, bounded by names.
export function descendants(place, path) {
  const everything = { from: [{ allDescendants: true }], orderBy: [{ field: { fieldPath: "__name__" } }] };
  if (isDocument(path) || path === "") return { parent: path, structuredQuery: everything };
  const bound = (collection) => ({
    values: [{ referenceValue: fullName(place, [...idsOf(parentOf(path)), collection, leastID].join("/")) }],
    before: true,
  });
  const id = lastOf(path);
  return { parent: parentOf(path), structuredQuery: { ...everything, startAt: bound(id), endAt: bound(`${id}\0`) } };
}

// Ids that stand for numbers come before all others.
const leastID = "__id-9223372036854775808__";

/// A field path as Firestore writes it: names that are not plain words stand in backticks.
export function fieldPath(names) {
  return names.map((name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replace(/[\\`]/g, "\\$&")}\``)).join(".");
}

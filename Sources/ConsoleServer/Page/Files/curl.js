// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// A request as a command for curl. Bodies are not recorded; where one is needed, the command takes it from a file.

import { isGRPC, isWebChannel } from "./request.js";

/// Quotes a text for a POSIX shell. A terminal would act on control characters that are pasted: they do not get in.
function shellQuoted(text) {
  return `'${text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (each) => encodeURIComponent(each)).replaceAll("'", "'\\''")}'`;
}

/// Returns `{ command, note }`: a command that makes the request, or the closest that there is, and in words how it differs;
/// without a command where none is alike.
///
/// `origin(service)`: the address of a service, such as `http://127.0.0.1:8080`.
export function curl(request, origin) {
  if (isWebChannel(request)) return listenedQuery(request, origin, "This came through the channel of a web page (Listen or Write).");
  if (isGRPC(request)) return listenedQuery(request, origin, "This is a gRPC call.");
  if (!request.method || !request.target) return { note: "This is a part of a connection, not a request of its own." };
  const hasBody = request.method !== "GET" && request.method !== "HEAD" && request.receivedBody > 0;
  const isFile = request.service === "storage" && /[?&]uploadType=(media|resumable)|^\/v0\//.test(request.target) && request.method !== "PATCH";
  const command = join([
    // curl would take some characters of addresses as a pattern, and remove dots from paths.
    `curl ${/[[\]{}]/.test(request.target) ? "--globoff " : ""}${/\/\.{1,2}(\/|\?|$)/.test(request.target) ? "--path-as-is " : ""}`
      + `${request.method === "HEAD" ? "-I" : `-X ${shellQuoted(request.method)}`} ${shellQuoted(origin(request.service) + request.target)}`,
    ...headers(request),
    hasBody && `-H 'Content-Type: application/${isFile ? "octet-stream" : "json"}' --data-binary @body`,
  ]);
  const notes = [
    request.user !== undefined && `It runs as the owner; for ${request.user}'s rights put that user's ID token in the place of "owner".`,
    hasBody && "The body and its type are not recorded: put it in the file body.",
  ].filter(Boolean);
  return { command, note: notes.join(" ") };
}

/// The query of a gRPC call or of a listener as plain REST, where its shape says all of it: values are not recorded.
function listenedQuery(request, origin, what) {
  const query = plainQuery(request);
  if (!query) return { note: `${what} The values of its message are not recorded, so that no REST call would be the same.` };
  const [project, database] = request.database.split("/");
  const path = `/v1/projects/${encodeURIComponent(project)}/databases/${encodeURIComponent(database)}/documents:runQuery`;
  const command = join([
    `curl -X 'POST' ${shellQuoted(origin("firestore") + path)}`,
    ...headers(request),
    `-H 'Content-Type: application/json' -d ${shellQuoted(ascii(JSON.stringify({ structuredQuery: query })))}`,
  ]);
  return { command, note: `${what} This is the REST call that reads what its query reads.` };
}

/// `posts order by likes desc` → a structured query; `undefined` where the shape leaves out values, or anything is unclear.
function plainQuery({ query, collection, database, operation }) {
  if (!query || !collection || !database || !/\.(runQuery|listen)$/i.test(operation)) return undefined;
  const match = /^(group )?(\S+)(?: order by (\S+(?: desc)?(?:, \S+(?: desc)?)*))?$/.exec(query);
  // Of a collection within documents, their ids are not recorded.
  if (!match || match[2] !== collection || collection.includes("/") || collection === "*") return undefined;
  const orderBy = match[3]?.split(", ").map((each) => {
    const [fieldPath, direction] = each.split(" ");
    return { field: { fieldPath }, ...(direction ? { direction: "DESCENDING" } : {}) };
  });
  return { from: [{ collectionId: collection, ...(match[1] ? { allDescendants: true } : {}) }], ...(orderBy ? { orderBy } : {}) };
}

function headers({ tag }) {
  const isPlain = tag !== undefined && /^[\x20-\x7e]+$/.test(tag);
  return ["-H 'Authorization: Bearer owner'", isPlain && `-H ${shellQuoted(`X-Firemeter-Tag: ${tag}`)}`];
}

function ascii(json) {
  return json.replace(/[\u007f-\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function join(parts) { return parts.filter(Boolean).join(" \\\n  "); }

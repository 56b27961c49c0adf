// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Calls to Cloud Storage: Google's JSON API for lists and metadata, which changes nothing by looking; v0 for contents and tokens.

import { consoleState, get, getRaw, send, sendRaw } from "./api.js";

const json = "/console/storage/storage/v1/b";
const firebase = "/console/storage/v0/b";
const code = encodeURIComponent;

export const listPageSize = 200;
/// Where the JSON API has the download tokens, among the custom metadata.
export const tokenKey = "firebaseStorageDownloadTokens";

const objectURL = (bucket, name) => `${json}/${code(bucket)}/o/${code(name)}`;
const contentURL = (bucket, name) => `${firebase}/${code(bucket)}/o/${code(name)}`;

export async function buckets({ signal } = {}) {
  const { project } = await consoleState();
  const answer = await get(`${json}?project=${code(project)}`, { signal });
  return (answer.items ?? []).map((bucket) => bucket.name);
}

export async function createBucket(name) {
  const { project } = await consoleState();
  return send("POST", `${json}?project=${code(project)}`, { name });
}

/// A page of the objects and folders under a prefix: `{ items, prefixes, nextPageToken }`; without folders for `isDeep`.
export function list(bucket, prefix, { pageToken, isDeep = false, signal } = {}) {
  const question = new URLSearchParams({
    prefix, maxResults: listPageSize, ...(isDeep ? {} : { delimiter: "/" }), ...(pageToken ? { pageToken } : {}),
    fields: "nextPageToken,prefixes,items(name,size,contentType,updated,generation)",
  });
  return get(`${json}/${code(bucket)}/o?${question}`, { signal });
}

/// Names of all objects under a prefix, `countMax` at most.
export async function namesBelow(bucket, prefix, countMax) {
  const names = [];
  let pageToken;
  do {
    const page = await list(bucket, prefix, { pageToken, isDeep: true });
    for (const item of page.items ?? []) names.push(item.name);
    pageToken = page.nextPageToken;
  } while (pageToken && names.length < countMax);
  return { names: names.slice(0, countMax), isCut: Boolean(pageToken) || names.length > countMax };
}

/// The metadata of a file; `undefined` where there is none of its name.
///
/// They are those of a list's first entry: a browser reports a resource that is missing, though the page expects it.
export async function metadata(bucket, name, { signal } = {}) {
  const question = new URLSearchParams({ prefix: name, maxResults: 1 });
  const { items: [object] = [] } = await get(`${json}/${code(bucket)}/o?${question}`, { signal });
  return object?.name === name ? object : undefined;
}

/// Changes metadata, unless they were changed since they were read.
export function patch(object, changes) {
  return send("PATCH", `${objectURL(object.bucket, object.name)}?ifMetagenerationMatch=${object.metageneration}`, changes);
}

/// The content; `byteCountMax` asks for its start alone.
export function content(bucket, name, { byteCountMax, signal } = {}) {
  const headers = byteCountMax ? { Range: `bytes=0-${byteCountMax - 1}` } : {};
  return getRaw(`${contentURL(bucket, name)}?alt=media`, { headers, signal });
}

export function remove(bucket, name) { return sendRaw("DELETE", contentURL(bucket, name)); }

/// Renames a file, unless there is one of that name.
export function move(bucket, name, target) { return sendToNew(`${objectURL(bucket, name)}/moveTo/o/${code(target)}`, target); }

/// Copies a file, unless there is one of that name.
export function duplicate(bucket, name, target) {
  return sendToNew(`${objectURL(bucket, name)}/copyTo/b/${code(bucket)}/o/${code(target)}`, target);
}

async function sendToNew(address, target) {
  try {
    return await send("POST", `${address}?ifGenerationMatch=0`);
  } catch (error) {
    throw error.status === 412 ? new Error(`There is a file "${target}" already.`) : error;
  }
}

export function createToken(bucket, name) { return send("POST", `${contentURL(bucket, name)}?create_token=true`); }

export function revokeToken(bucket, name, token) { return send("POST", `${contentURL(bucket, name)}?delete_token=${code(token)}`); }

/// The address by which an app downloads a file with a token, at the emulator's own port.
export async function downloadURL(bucket, name, token) {
  const { services } = await consoleState();
  const { host, port } = services.storage;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}/v0/b/${code(bucket)}/o/${code(name)}?alt=media&token=${code(token)}`;
}

/// Stores a file; `progress(share)` is called while it is sent. Made of XMLHttpRequest: `fetch` does not say how far it is.
export async function upload(bucket, name, file, progress) {
  const { token } = await consoleState();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${firebase}/${code(bucket)}/o?name=${code(name)}`);
    request.setRequestHeader("X-Firemeter-Token", token);
    request.setRequestHeader("Authorization", "Bearer owner");
    request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
    request.upload.addEventListener("progress", (event) => progress(event.loaded / Math.max(1, event.total)));
    request.addEventListener("load", () => (request.status < 300 ? resolve() : reject(new Error(refusalText(request)))));
    request.addEventListener("error", () => reject(new Error("Firemeter does not answer; is it still running?")));
    request.send(file);
  });
}

function refusalText(request) {
  try { return JSON.parse(request.responseText).error.message; } catch { return `The answer was ${request.status}.`; }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Requests as an HTTP archive (HAR 1.2), which browsers, proxies and `firemeter audit import` read. Contents are not in it.

import { isGRPC } from "./request.js";

/// The text of an archive.
///
/// `origin(service)`: the address of a service, such as `http://127.0.0.1:9199`.
export function har(requests, origin, version) {
  return JSON.stringify({
    log: {
      version: "1.2",
      creator: { name: "Firemeter", version },
      entries: whole(requests).map((request) => entry(request, origin)),
    },
  }, undefined, 1);
}

function entry(request, origin) {
  const milliseconds = (request.durationMicroseconds ?? 0) / 1_000;
  const protocol = isGRPC(request) ? "HTTP/2" : "HTTP/1.1";
  const head = { httpVersion: protocol, cookies: [], headers: [] };
  return {
    startedDateTime: new Date(request.at / 1_000).toISOString(),
    time: milliseconds,
    request: {
      method: request.method,
      url: origin(request.service) + request.target,
      ...head,
      queryString: parameters(request.target),
      ...sizes(request.received, request.receivedBody),
    },
    response: {
      status: request.status ?? 0,
      statusText: "",
      ...head,
      content: { size: request.sentBody ?? 0, mimeType: "" },
      redirectURL: "",
      ...sizes(request.sent, request.sentBody),
      _transferSize: request.sent ?? 0,
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    ...ours(request),
  };
}

/// Requests that are one of their own: not the parts of one, and not those that were taken back, because the client broke off
/// what had been answered already.
function whole(requests) {
  const found = [];
  for (const request of requests) {
    if (!request.method || !request.target) continue;
    if (request.requests > 0) found.push(request);
    if (request.requests >= 0) continue;
    const former = found.findLastIndex((each) => each.at === request.at && each.target === request.target);
    if (former >= 0) found.splice(former, 1);
  }
  return found;
}

function sizes(all = 0, body = 0) { return { headersSize: Math.max(0, all - body), bodySize: body }; }

function parameters(target) {
  const start = target.indexOf("?");
  return start < 0 ? [] : [...new URLSearchParams(target.slice(start))].map(([name, value]) => ({ name, value }));
}

/// Fields of one's own begin with an underscore in HAR.
function ours(request) {
  const fields = ["operation", "user", "tag", "client", "object", "bucket", "query", "collection", "billed", "usd", "outcome", "rule"];
  return Object.fromEntries(fields.filter((name) => request[name] !== undefined).map((name) => [`_${name}`, request[name]]));
}

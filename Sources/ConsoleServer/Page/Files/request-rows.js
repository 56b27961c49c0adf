// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The list of requests as rows: a line each, on phones two.

import { make } from "./dom.js";
import { bytes, count, dollars, duration, exactTime, time } from "./format.js";
import { isFailed, shortOperation, subject } from "./request.js";
import { rows } from "./rows.js";

const narrow = matchMedia("(max-width: 47.99rem)");

const columns = [
  ["at", "time", (request, isNarrow) => (isNarrow ? time : exactTime)(request.at)],
  ["operation", "operation", (request) => [
    make("i", { class: `service ${request.service}`, title: request.service }), shortOperation(request),
  ]],
  ["subject", "object or query", (request) => subject(request)],
  ["user", "user", (request) => request.user],
  ["tag", "screen", (request) => request.tag],
  ["up number", "up", (request) => bytes(request.received ?? 0)],
  ["down number", "down", (request) => bytes(request.sent ?? 0)],
  ["reads number", "reads", (request) => (request.billed?.documentReads ? count(request.billed.documentReads) : "")],
  ["cost number", "cost", (request) => (request.usd ? dollars(request.usd) : "")],
  ["status number", "status", (request) => request.status],
  ["duration number", "took", (request) => duration((request.durationMicroseconds ?? 0) / 1_000)],
];

/// Makes the rows of a list of requests; `open(request)` is called when one is chosen.
export function requestRows(list, open) {
  const isNarrow = narrow.matches;
  const made = rows({
    rowHeight: isNarrow ? 48 : 28,
    label: "Requests, newest first",
    head: isNarrow ? undefined : columns.map(([name, title]) => make("span", { class: `cell ${name}` }, title)),
    draw: (row) => {
      const request = list.at(row);
      return request && columns.map(([name, , text]) => cell(name, text(request, isNarrow)));
    },
    rowClass: (row) => (list.at(row) && isFailed(list.at(row)) ? "request failed" : "request"),
    open: (row) => { if (list.at(row)) open(list.at(row)); },
  });
  made.element.classList.toggle("two-lines", isNarrow);
  return made;
}

function cell(name, content) { return make("span", { class: `cell ${name}` }, content); }

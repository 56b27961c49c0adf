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
  // A row of two lines has room for one of both columns.
  ["user", "user", (request, isNarrow) => (isNarrow ? [request.user, request.tag].filter(Boolean).join(" · ") : request.user)],
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
  const made = rows({
    ...layout(),
    label: "Requests, newest first",
    draw: (row) => {
      const request = list.at(row);
      return request && columns.map(([name, , text]) => cell(name, text(request, narrow.matches)));
    },
    rowClass: (row) => (list.at(row) && isFailed(list.at(row)) ? "request failed" : "request"),
    open: (row) => { if (list.at(row)) open(list.at(row)); },
  });
  const { end } = made;
  // The window was made narrow, or a phone was turned.
  const arrange = () => {
    made.arrange(layout());
    made.element.classList.toggle("two-lines", narrow.matches);
  };
  made.element.classList.toggle("two-lines", narrow.matches);
  narrow.addEventListener("change", arrange);
  made.end = () => { narrow.removeEventListener("change", arrange); end(); };
  return made;
}

function layout() {
  if (narrow.matches) return { rowHeight: 48, head: undefined };
  return { rowHeight: 28, head: columns.map(([name, title]) => cell(name, title)) };
}

function cell(name, content) { return make("span", { class: `cell ${name}` }, content); }

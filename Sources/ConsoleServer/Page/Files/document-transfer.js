// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Documents to a file and back: a line of JSON for each, `{"path": "posts/a", "fields": {…}}` in Firestore's typed form. A line may
// have `"data"` in plain JSON instead, and `"id"` instead of the path.

import { download, make, notice } from "./dom.js";
import { ask, choice, field } from "./data-dialog.js";
import { bytes, count } from "./format.js";
import { cursorAfter } from "./document-query.js";
import { documentPath } from "./firestore-values.js";
import { fieldsFromPlain, fieldsFromTyped, typedText } from "./firestore-json.js";
import { descendants, fullName, isDocument, lastOf, query, url } from "./firestore.js";
import { send } from "./api.js";

/// The largest file that is made: it is in the browser's memory until it is saved.
const exportByteCountMax = 500_000_000;
const exportPageSize = 300;
/// Documents written at once, and the most bytes of their lines; Firestore takes 500 and some 10 MB.
const writeCountMax = 500;
const writeByteCountMax = 8_000_000;
const lineByteCountMax = 4_000_000;
/// Refused lines that are shown.
const errorCountMax = 100;

export function exportedLine(document) {
  return `${typedText({ path: documentPath(document.name), fields: document.fields ?? {} })}\n`;
}

/// Saves the documents of a list, or a collection with everything below.
export function exportDocuments({ place, path, question }) {
  const extent = choice([["list", "the documents listed"], ["all", "the whole collection, with everything below"]], "list");
  ask({
    title: `Export ${path} as JSON`, action: "Export",
    body: [
      field("Export", extent), make("p", { class: "soft" }, `A line of JSON for each document; ${bytes(exportByteCountMax)} at most.`),
    ],
    run: async (say, ending) => {
      const asked = extent.value === "all" ? { ...descendants(place, path), limit: Infinity } : question;
      const { parts, number, isCut } = await collected(place, asked, say, ending);
      download(`${lastOf(path)}.jsonl`, parts, "application/x-ndjson");
      if (!isCut) return true;
      say(notice(`The first ${count(number)} documents were saved: the file would be larger than ${bytes(exportByteCountMax)}.`, "warn"));
      return false;
    },
  });
}

async function collected(place, { parent, structuredQuery, limit }, say, { signal }) {
  const parts = [];
  let [number, byteCount, startAt] = [0, 0, structuredQuery.startAt];
  while (number < limit) {
    const size = Math.min(exportPageSize, limit - number);
    const page = await query(place, parent, { ...structuredQuery, ...(startAt ? { startAt } : {}), limit: size }, { signal });
    // Blobs are kept outside of the page's own memory.
    const part = new Blob(page.map(exportedLine));
    parts.push(part);
    number += page.length;
    byteCount += part.size;
    say(`${count(number)} documents, ${bytes(byteCount)}`);
    if (byteCount > exportByteCountMax) return { parts, number, isCut: true };
    if (page.length < size) break;
    startAt = cursorAfter(page.at(-1), structuredQuery.orderBy);
  }
  return { parts, number, isCut: false };
}

/// Writes the documents of a file.
export function importDocuments({ place, path, done }) {
  const file = make("input", { type: "file", accept: ".jsonl,.ndjson,.json,application/json", required: true });
  const target = choice([["paths", "the paths in the file"], ["here", `the collection ${lastOf(path)}, by the last id`]], "paths");
  ask({
    title: "Import documents from a file", action: "Import",
    body: [
      field("File", file), field("Write to", target),
      make("p", { class: "soft" },
        'Lines of {"path": "posts/a", "fields": {…}} as exported here, or {"id": "a", "data": {…}} in plain JSON. ',
        "Documents of these names are replaced."),
    ],
    run: async (say, { signal }) => {
      const report = { written: 0, errors: [], errorCount: 0, failure: undefined };
      const where = { base: target.value === "here" ? path : undefined, collection: path };
      // However it ends, what was written is there, and is said.
      try { await write(place, file.files[0], where, report, say, signal); } catch (error) { report.failure = error.message; }
      if (report.written > 0) await done();
      if (signal.aborted) ask({ title: "The import was stopped", body: outcome(report) });
      else say(outcome(report));
      return false;
    },
  });
}

function outcome({ written, errors, errorCount, failure }) {
  return [
    make("p", { class: errorCount || failure ? "bad" : "good" }, `${count(written)} written, ${count(errorCount)} refused.`),
    failure && notice(`The import ended before its time: ${failure}`, "bad"),
    errors.length > 0 && make("ul", { class: "errors" }, errors.map(({ line, message }) => make("li", {}, `Line ${line}: ${message}`))),
  ];
}

/// Writes the documents of a file into the report's counts, until a signal is aborted; what is being sent by then is still counted.
async function write(place, file, where, report, say, signal) {
  const refuse = (line, message) => {
    report.errorCount += 1;
    if (report.errors.length < errorCountMax) report.errors.push({ line, message });
  };
  let batch = new Map();
  let byteCount = 0;
  const flush = async () => {
    const entries = [...batch];
    batch = new Map();
    byteCount = 0;
    if (entries.length > 0) await writeBatch(place, entries, report, refuse);
    say(`${count(report.written)} written, ${count(report.errorCount)} refused`);
  };
  for await (const { text, line } of linesOf(file)) {
    if (signal.aborted) return;
    let entry;
    try { entry = readLine(place, text, where); } catch (error) { refuse(line, error.message); continue; }
    // One request cannot write a document twice.
    if (batch.has(entry.name) || batch.size >= writeCountMax || byteCount + text.length > writeByteCountMax) await flush();
    batch.set(entry.name, { fields: entry.fields, line });
    byteCount += text.length;
  }
  if (!signal.aborted) await flush();
}

/// Writes entries with one request. One that is malformed has the whole request refused: it is found by sending halves.
async function writeBatch(place, entries, report, refuse) {
  const writes = entries.map(([name, { fields }]) => ({ update: { name, fields } }));
  const body = new Blob([typedText({ writes })], { type: "application/json" });
  let answer;
  try {
    answer = await send("POST", url(place, "", ":batchWrite"), body);
  } catch (error) {
    if (error.status !== 400) throw error;
    if (entries.length === 1) {
      refuse(entries[0][1].line, error.message);
      return;
    }
    const middle = Math.ceil(entries.length / 2);
    for (const half of [entries.slice(0, middle), entries.slice(middle)]) await writeBatch(place, half, report, refuse);
    return;
  }
  answer.status.forEach((status, index) => {
    if (status.code) refuse(entries[index][1].line, status.message); else report.written += 1;
  });
}

async function* linesOf(file) {
  let rest = "";
  let line = 0;
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  for (let isOver = false; !isOver;) {
    const { value = "", done } = await reader.read();
    isOver = done;
    const lines = (rest + value).split("\n");
    rest = isOver ? "" : lines.pop();
    if (rest.length > lineByteCountMax) {
      throw new Error(`Line ${line + lines.length + 1} is longer than ${bytes(lineByteCountMax)}: is there a document in each line?`);
    }
    for (const text of lines) {
      line += 1;
      if (text.trim() !== "") yield { text, line };
    }
  }
}

function readLine(place, text, { base, collection }) {
  const { path, id, fields, data } = JSON.parse(text);
  const given = path ?? (id === undefined ? undefined : `${collection}/${id}`);
  if (typeof given !== "string" || (fields === undefined && data === undefined)) {
    throw new Error('expected {"path": …, "fields": {…}} or {"id": …, "data": {…}}');
  }
  const target = base ? `${base}/${lastOf(given)}` : given;
  if (!isDocument(target)) throw new Error(`"${target}" is not the path of a document`);
  return { name: fullName(place, target), fields: fields === undefined ? fieldsFromPlain(data) : fieldsFromTyped(fields) };
}

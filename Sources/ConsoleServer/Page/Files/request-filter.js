// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The language of the filter above the list of requests: words that must all hold, `user:alice -op:list bytes:>100kB`.

import { shortOperation, subject } from "./request.js";

const texts = {
  op: (request) => `${request.operation} ${shortOperation(request)}`,
  service: (request) => request.service,
  user: (request) => request.user,
  tag: (request) => request.tag,
  screen: (request) => request.tag,
  client: (request) => request.client,
  object: (request) => request.object,
  bucket: (request) => request.bucket,
  collection: (request) => request.collection,
  query: (request) => request.query,
  rule: (request) => request.rule,
  outcome: (request) => request.outcome,
};
// Whole values; where `op` looks at two texts, these are alternatives.
const wholes = { ...texts, op: (request) => request.operation };

const byteUnits = { "": 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 };
const numbers = {
  bytes: { pick: (request) => request.sent, units: byteUnits, example: ">100kB" },
  up: { pick: (request) => request.received, units: byteUnits, example: ">1MB" },
  reads: { pick: (request) => request.billed?.documentReads ?? 0, units: { "": 1 }, example: ">10" },
  cost: { pick: (request) => request.usd ?? 0, units: { "": 1, $: 1 }, example: ">0.0001" },
  status: { pick: (request) => request.status ?? 0, units: { "": 1 }, example: ">=400" },
  time: { pick: (request) => request.durationMicroseconds, units: { "": 1e3, ms: 1e3, s: 1e6 }, example: ">200ms" },
};
const comparisons = {
  "": (left, right) => left === right,
  "=": (left, right) => left === right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
};

/// The fields with an example each, for the help beside the field.
export const filterHelp = [
  ["feed", "in the object, query, operation, user, tag or client"],
  ["user:alice", "users whose id has it; user:=alice is exact, user:=\"\" those without"],
  ["op:get", "operations; service: bucket: object: collection: query: screen: client: rule: outcome: are alike"],
  ["status:>=400", "also status:404, status:4xx"],
  ["bytes:>100kB", "sent on the wire; up: are those received"],
  ["reads:>10", "billed document reads; cost:>0.001 in dollars, time:>200ms"],
  ["-screen:feed", "not these; tag: is the header X-Firemeter-Tag by its own name"],
  ["\"a: b\"", "quotes take spaces and colons as they are"],
];

/// Reads a filter: `{ matches(request) }`, or `{ error }` in words where it is malformed.
export function parseFilter(text) {
  try {
    const terms = words(text).map(term);
    return { matches: (request) => terms.every((holds) => holds(request)), isEmpty: terms.length === 0 };
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return { error: error.message };
  }
}

/// A word for exactly one value: `user:="a b"`.
export function exactly(field, value) { return `${field}:=${/^[^\s"\\]+$/.test(value) ? value : quoted(value)}`; }

/// A word that is found wherever free text is looked for.
export function quoted(text) { return `"${text.replace(/["\\]/g, "\\$&")}"`; }

class FilterError extends Error {}

/// The words of a text; one may be in quotes from the beginning or behind its field, with `\"` for a quote.
function words(text) {
  const found = [];
  const pattern = /(-?)(?:([^\s:"]+):(=?))?(?:"((?:[^"\\]|\\.)*)("?)|([^\s"]*))/y;
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at])) { at += 1; continue; }
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const [whole, minus, field, equals, quoted, end, plain] = match ?? [""];
    if (!whole) throw new FilterError(`The quote at character ${at + 1} is neither at a word's beginning nor behind a field's colon.`);
    if (quoted !== undefined && !end) throw new FilterError(`The quote at character ${at + whole.indexOf("\"") + 1} is not closed.`);
    found.push({ isNot: minus === "-", field, isWhole: equals === "=", isQuoted: quoted !== undefined, whole,
      value: quoted === undefined ? plain : quoted.replace(/\\(.)/gs, "$1") });
    at += whole.length;
  }
  return found;
}

function term(word) {
  const holds = word.field === undefined ? freeText(word) : fieldTerm(word);
  return word.isNot ? (request) => !holds(request) : holds;
}

function freeText({ value, isQuoted }) {
  if (!value && !isQuoted) throw new FilterError("A '-' needs the word that is not wanted behind it.");
  const wanted = value.toLowerCase();
  return (request) => searched(request).includes(wanted);
}

function searched(request) {
  return `${subject(request)}\n${texts.op(request)}\n${request.user ?? ""}\n${request.tag ?? ""}\n${request.client ?? ""}`.toLowerCase();
}

function fieldTerm(word) {
  const name = word.field.toLowerCase();
  if (Object.hasOwn(texts, name)) return textTerm(name, word);
  if (Object.hasOwn(numbers, name)) return numberTerm(name, word);
  const known = [...Object.keys(texts), ...Object.keys(numbers)];
  const meant = known.find((each) => [...name].every((letter) => each.includes(letter)) || name.startsWith(each));
  throw new FilterError(`There is no field '${word.field}'${meant ? `; did you mean '${meant}'?` : `; there are ${known.join(", ")}. `
    + "A colon that belongs to a text is in quotes."}`);
}

function textTerm(name, { value, isWhole }) {
  if (isWhole) return (request) => (wholes[name](request) ?? "") === value || (name === "op" && shortOperation(request) === value);
  if (!value) throw new FilterError(`'${name}:' needs a value; '${name}:=""' finds requests without one.`);
  const wanted = value.toLowerCase();
  return (request) => (texts[name](request) ?? "").toLowerCase().includes(wanted);
}

function numberTerm(name, { value, isWhole }) {
  const { pick, units, example } = numbers[name];
  if (name === "status" && /^[1-5]xx$/i.test(value)) return (request) => Math.floor(pick(request) / 100) === Number(value[0]);
  const [, sign, number, unit] = /^([<>]=?|=|)\$?(\d+(?:\.\d+)?)([a-z]*)$/i.exec(value) ?? [];
  const factor = unit === undefined || !Object.hasOwn(units, unit.toLowerCase()) ? undefined : units[unit.toLowerCase()];
  if (factor === undefined) throw new FilterError(`'${name}:${value}' is not an amount; expected one such as ${name}:${example}.`);
  const compare = comparisons[isWhole ? "=" : sign];
  const wanted = Number(number) * factor;
  return (request) => compare(pick(request), wanted);
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Two JSON forms of a document's fields. The typed one is Firestore's own. The plain one is what a program would write, with
// `{"$timestamp": "…"}` and the like for types that JSON lacks; both keep everything.

import { arrayOf, content, elementsOf, fieldsOf, kind, mapOf, numberText, valued, vector, vectorNumbers } from "./firestore-values.js";

/// The typed form as a text. JSON has no −0 that JavaScript would write.
export function typedText(value, indent) {
  return JSON.stringify(value, (_, inner) => (Object.is(inner, -0) ? "-0" : inner), indent);
}

/// Reads fields of the typed form, as `JSON.parse` made them; refuses numbers that are not those of the text any more.
export function fieldsFromTyped(object) {
  requireObject(object);
  requireExact(object);
  return object;
}

function requireExact(object) {
  for (const [name, member] of Object.entries(object)) {
    if (typeof member === "number") {
      requireFinite(member);
      if (name === "integerValue" && !Number.isSafeInteger(member)) throw inexact(member, '{"integerValue": "…"}');
    } else if (member !== null && typeof member === "object") {
      requireExact(member);
    }
  }
}

function requireObject(object) {
  if (object === null || typeof object !== "object" || Array.isArray(object)) throw new Error("A document is a JSON object.");
}

// JavaScript reads `1e400` as infinity, which its JSON then writes as `null`.
function requireFinite(number) {
  if (!Number.isFinite(number)) throw new Error('A number is too large for a double; the infinities are "Infinity" and "-Infinity".');
}

function inexact(number, forms) { return new Error(`An integer near ${number} is beyond those that JSON carries exactly: write ${forms}.`); }

/// A value in the plain form.
export function plain(value) {
  switch (kind(value)) {
    case "null": return null;
    case "string": case "boolean": return content(value);
    case "integer": return Number.isSafeInteger(Number(value.integerValue)) ? Number(value.integerValue) : { $integer: value.integerValue };
    case "double": return plainDouble(value.doubleValue);
    case "map": return plainMap(fieldsOf(value));
    case "array": return elementsOf(value).map(plain);
    case "vector": return { $vector: vectorNumbers(value).map(jsonNumber) };
    case "geopoint": return { $geopoint: [value.geoPointValue.latitude ?? 0, value.geoPointValue.longitude ?? 0].map(jsonNumber) };
    default: return { [`$${kind(value)}`]: content(value) };
  }
}

/// Fields in the plain form.
export function plainFields(fields) { return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plain(value)])); }

function plainMap(fields) {
  const map = plainFields(fields);
  const names = Object.keys(map);
  // A map that looks like one of the forms for types is wrapped.
  return names.length === 1 && names[0].startsWith("$") ? { $map: map } : map;
}

function plainDouble(number) {
  const isFraction = Number.isFinite(number) && !Number.isInteger(number);
  return isFraction ? number : { $double: jsonNumber(number) };
}

/// NaN, infinities and −0 as texts, as Firestore writes them.
function jsonNumber(number) { return Number.isFinite(number) && !Object.is(number, -0) ? number : numberText(number); }

/// Reads fields of the plain form.
export function fieldsFromPlain(object) {
  requireObject(object);
  return Object.fromEntries(Object.entries(object).map(([name, inner]) => [name, fromPlain(inner)]));
}

/// Reads a value of the plain form.
export function fromPlain(inner) {
  if (inner === null) return valued("null", null);
  if (typeof inner === "string") return valued("string", inner);
  if (typeof inner === "boolean") return valued("boolean", inner);
  if (typeof inner === "number") return fromNumber(inner);
  if (Array.isArray(inner)) return arrayOf(inner.map(fromPlain));
  const names = Object.keys(inner);
  if (names.length === 1 && names[0].startsWith("$")) return fromForm(names[0], inner[names[0]]);
  return mapOf(Object.entries(inner).map(([name, member]) => [name, fromPlain(member)]));
}

function fromNumber(number) {
  requireFinite(number);
  if (!Number.isInteger(number) || Object.is(number, -0)) return valued("double", Object.is(number, -0) ? "-0" : number);
  if (Number.isSafeInteger(number)) return valued("integer", String(number));
  throw inexact(number, '{"$integer": "…"} or {"$double": …}');
}

function fromForm(form, inner) {
  switch (form) {
    case "$map": return mapOf(Object.entries(fieldsFromPlain(inner)));
    case "$vector": return vector(listOf(form, inner).map(doubleOf));
    case "$geopoint": {
      const [latitude, longitude] = listOf(form, inner).map(doubleOf);
      return valued("geopoint", { latitude, longitude });
    }
    case "$double": return valued("double", doubleOf(inner));
    case "$integer":
      if (typeof inner === "number" && !Number.isSafeInteger(inner)) throw inexact(inner, '{"$integer": "…"}');
      return valued("integer", String(inner));
    case "$timestamp": case "$bytes": case "$reference": return valued(form.slice(1), String(inner));
    default: throw new Error(`${form} is not a type; a map with such a member is written {"$map": {"${form}": …}}.`);
  }
}

function listOf(form, inner) {
  if (!Array.isArray(inner)) throw new Error(`${form} takes a list of numbers.`);
  return inner;
}

/// A double as REST takes it: numbers, or texts for those that JSON lacks.
export function doubleOf(inner) {
  if (Object.is(inner, -0)) return "-0";
  const text = String(inner).trim();
  if (typeof inner === "string" && ["NaN", "Infinity", "-Infinity", "-0"].includes(text)) return text;
  const number = text === "" ? NaN : Number(text);
  if (Number.isNaN(number)) throw new Error(`"${text}" is not a number.`);
  requireFinite(number);
  return number;
}

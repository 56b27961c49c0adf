// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Two JSON forms of a document's fields. The typed one is Firestore's own. The plain one is what a program would write, with
// `{"$timestamp": "…"}` and the like for types that JSON lacks; both keep everything.

import { arrayOf, content, elementsOf, fieldsOf, kind, mapOf, numberText, valued, vector, vectorNumbers } from "./firestore-values.js";

/// The typed form as a text. JSON has no −0 that JavaScript would write.
export function typedText(value, indent) {
  return JSON.stringify(value, (_, inner) => (Object.is(inner, -0) ? "-0" : inner), indent);
}

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
  if (object === null || typeof object !== "object" || Array.isArray(object)) throw new Error("A document is a JSON object.");
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
  if (!Number.isInteger(number) || Object.is(number, -0)) return valued("double", Object.is(number, -0) ? "-0" : number);
  if (Number.isSafeInteger(number)) return valued("integer", String(number));
  throw new Error(`${number} is beyond what JSON carries exactly: write {"$integer": "…"} or {"$double": …}.`);
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
    case "$integer": return valued("integer", String(inner));
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
  const text = String(inner).trim();
  if (["NaN", "Infinity", "-Infinity", "-0"].includes(text) || Object.is(inner, -0)) return Object.is(inner, -0) ? "-0" : text;
  const number = text === "" ? NaN : Number(text);
  if (Number.isNaN(number)) throw new Error(`"${text}" is not a number.`);
  return number;
}

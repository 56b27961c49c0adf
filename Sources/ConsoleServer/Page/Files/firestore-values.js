// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Values of Firestore as REST has them, `{ integerValue: "7" }`: their types, texts, sizes. Nothing is rounded: an integer stays
// a text, a timestamp keeps its nanoseconds, a double may be NaN or −0.

/// The types in the order in which an editor offers them.
export const types = [
  "string", "integer", "double", "boolean", "null", "timestamp", "geopoint", "reference", "bytes", "map", "array", "vector",
];

const members = {
  string: "stringValue", integer: "integerValue", double: "doubleValue", boolean: "booleanValue", null: "nullValue",
  timestamp: "timestampValue", geopoint: "geoPointValue", reference: "referenceValue", bytes: "bytesValue", map: "mapValue",
  array: "arrayValue",
};
const typeOf = Object.fromEntries(Object.entries(members).map(([type, member]) => [member, type]));

/// The type of a value; a vector is a map with a mark in it.
export function kind(value) {
  const member = Object.keys(value)[0];
  const type = typeOf[member] ?? "unknown";
  if (type === "map" && value.mapValue.fields?.__type__?.stringValue === "__vector__") return "vector";
  return type;
}

/// The content of a value that is not a map, an array or a vector.
export function content(value) { return value[Object.keys(value)[0]]; }

/// A value of a type.
export function valued(type, inner) { return { [members[type]]: inner }; }

export function vector(numbers) {
  return mapOf([["__type__", { stringValue: "__vector__" }], ["value", arrayOf(numbers.map((number) => ({ doubleValue: number })))]]);
}

/// A map of entries. `fromEntries` defines members, so that one named `__proto__` is a member like the others.
export function mapOf(entries) { return { mapValue: { fields: Object.fromEntries(entries) } }; }

export function arrayOf(values) { return { arrayValue: { values } }; }

export function fieldsOf(value) { return value.mapValue?.fields ?? {}; }

export function elementsOf(value) { return value.arrayValue?.values ?? []; }

export function vectorNumbers(value) { return elementsOf(fieldsOf(value).value ?? {}).map((element) => Number(content(element))); }

/// A number as a text that reads back as itself.
export function numberText(number) { return Object.is(Number(number), -0) ? "-0" : String(number); }

/// A value in one line, for lists and trees; `lengthMax` in characters.
export function brief(value, lengthMax = 120) {
  if (!value) return "";
  switch (kind(value)) {
    case "null": return "null";
    case "string": return cut(value.stringValue, lengthMax);
    case "double": return numberText(value.doubleValue);
    case "geopoint": return `${numberText(value.geoPointValue.latitude ?? 0)}, ${numberText(value.geoPointValue.longitude ?? 0)}`;
    case "reference": return cut(documentPath(value.referenceValue), lengthMax);
    case "bytes": return cut(value.bytesValue, lengthMax);
    case "map": return `{${Object.keys(fieldsOf(value)).length}}`;
    case "array": return `[${elementsOf(value).length}]`;
    case "vector": return cut(`[${vectorNumbers(value).slice(0, 16).map(numberText).join(", ")}]`, lengthMax);
    default: return String(content(value));
  }
}

function cut(text, lengthMax) { return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text; }

/// `projects/p/databases/d/documents/posts/a` → `posts/a`.
export function documentPath(name) { return name.split("/").slice(5).join("/"); }

const encoder = new TextEncoder();
const byteLength = (text) => encoder.encode(text).length;

/// A document's size as Firestore counts it (firebase.google.com/docs/firestore/storage-size, 2026-11).
export function documentSize(name, fields) { return nameSize(name) + mapSize(fields); }

function nameSize(name) {
  return documentPath(name).split("/").reduce((sum, id) => sum + byteLength(id) + 1, 16);
}

function mapSize(fields) {
  return Object.entries(fields).reduce((sum, [name, value]) => sum + byteLength(name) + 1 + valueSize(value), 32);
}

function valueSize(value) {
  switch (kind(value)) {
    case "null": case "boolean": return 1;
    case "string": return byteLength(value.stringValue) + 1;
    case "geopoint": return 16;
    case "reference": return nameSize(value.referenceValue);
    case "bytes": return Math.floor((value.bytesValue.replace(/=+$/, "").length * 3) / 4);
    case "map": case "vector": return mapSize(fieldsOf(value));
    case "array": return elementsOf(value).reduce((sum, element) => sum + valueSize(element), 0);
    default: return 8;
  }
}

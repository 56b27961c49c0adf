// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The query of a list of documents, from the parameters of the address: `where=[["likes",">",10]]` in plain JSON, `order=likes
// desc`, `limit`, `group=1` for the collections of that name under all parents.

import { fromPlain, plain } from "./firestore-json.js";
import { fieldPath, fullName, lastOf, parentOf } from "./firestore.js";

/// Operators by what people write.
export const operators = {
  "==": "EQUAL", "!=": "NOT_EQUAL", "<": "LESS_THAN", "<=": "LESS_THAN_OR_EQUAL", ">": "GREATER_THAN", ">=": "GREATER_THAN_OR_EQUAL",
  "array-contains": "ARRAY_CONTAINS", "array-contains-any": "ARRAY_CONTAINS_ANY", in: "IN", "not-in": "NOT_IN",
};
const listOperators = new Set(["in", "not-in", "array-contains-any"]);
const rangeOperators = new Set(["<", "<=", ">", ">=", "!=", "not-in"]);
const name = "__name__";

/// The filters in the address, `[field, operator, value]` each.
export function filtersOf(parameters) {
  const text = parameters.get("where");
  if (!text) return [];
  try {
    const filters = JSON.parse(text);
    const isFilter = (filter) => Array.isArray(filter) && filter.length === 3 && Object.hasOwn(operators, filter[1]);
    if (Array.isArray(filters) && filters.every(isFilter)) return filters;
  } catch { /* Refused below. */ }
  throw new Error("The address has filters that cannot be read; expected [[\"field\", \"==\", value]].");
}

/// `likes desc` → `{ field, isDescending }`.
export function orderOf(parameters) {
  const [, field, direction] = /^(.*?)(?: (asc|desc))?$/s.exec(parameters.get("order") ?? "");
  return { field, isDescending: direction === "desc" };
}

/// Whether the list is of a whole collection in the order of names.
export function isWhole(parameters) {
  return !["where", "order", "limit", "group"].some((parameter) => parameters.get(parameter));
}

/// The query: `parent`, `structuredQuery` with an explicit order, whose last part is the name, and `limit` (infinite without one).
export function queryOf(place, path, parameters) {
  const isGroup = parameters.get("group") === "1";
  const filters = filtersOf(parameters);
  const limit = Number(parameters.get("limit")) || Infinity;
  const structuredQuery = {
    from: [{ collectionId: lastOf(path), ...(isGroup ? { allDescendants: true } : {}) }],
    orderBy: orderBy(filters, orderOf(parameters)),
  };
  if (filters.length > 0) structuredQuery.where = where(place, path, filters);
  return { parent: isGroup ? "" : parentOf(path), structuredQuery, limit };
}

// Firestore would add the fields of inequalities and the name by itself; cursors need them said.
function orderBy(filters, order) {
  const direction = order.isDescending ? "DESCENDING" : "ASCENDING";
  const fields = order.field ? [order.field] : [];
  const ranges = filters.filter(([, operator]) => rangeOperators.has(operator)).map(([field]) => field);
  for (const field of ranges.sort()) if (!fields.includes(field)) fields.push(field);
  if (!fields.includes(name)) fields.push(name);
  return fields.map((field) => ({ field: { fieldPath: field }, direction }));
}

function where(place, path, filters) {
  const parts = filters.map(([field, operator, inner]) => {
    const value = field === name ? reference(place, path, inner) : fromPlain(inner);
    return filterOf({ fieldPath: field }, operator, value);
  });
  return parts.length === 1 ? parts[0] : { compositeFilter: { op: "AND", filters: parts } };
}

// Firestore compares with null and NaN by operators of their own.
function filterOf(field, operator, value) {
  const special = "nullValue" in value ? "NULL" : value.doubleValue === "NaN" ? "NAN" : undefined;
  if (special && operator === "==") return { unaryFilter: { field, op: `IS_${special}` } };
  if (special && operator === "!=") return { unaryFilter: { field, op: `IS_NOT_${special}` } };
  return { fieldFilter: { field, op: operators[operator], value } };
}

// A name may be given as an id, or as a path.
function reference(place, path, inner) {
  if (Array.isArray(inner)) return { arrayValue: { values: inner.map((element) => reference(place, path, element)) } };
  if (typeof inner !== "string") return fromPlain(inner);
  return { referenceValue: fullName(place, inner.includes("/") ? inner : `${path}/${inner}`) };
}

/// The cursor behind a document, for a query with this order.
export function cursorAfter(document, order) {
  const value = (path) => (path === name ? { referenceValue: document.name } : valueAt(document, path));
  return { values: order.map(({ field }) => value(field.fieldPath)), before: false };
}

/// The value at a field path of a document.
export function valueAt(document, path) {
  let value = { mapValue: { fields: document.fields ?? {} } };
  for (const part of pathParts(path)) {
    const fields = value?.mapValue?.fields ?? {};
    value = Object.hasOwn(fields, part) ? fields[part] : undefined;
  }
  return value;
}

function pathParts(path) {
  return [...path.matchAll(/`((?:\\.|[^`\\])*)`|[^.`]+/gs)].map(([word, quoted]) => quoted?.replace(/\\(.)/gs, "$1") ?? word);
}

/// Takes a field as people write it: a path that Firestore reads is left, anything else is one name.
export function writtenField(text) {
  const field = text.trim();
  return /^(?:[A-Za-z_]\w*|`(?:\\.|[^`\\])+`)(?:\.(?:[A-Za-z_]\w*|`(?:\\.|[^`\\])+`))*$/s.test(field) ? field : fieldPath([field]);
}

/// The texts of a filter for its controls, and back: `10` is an integer, `"10"` a string, and whatever is not JSON a string.
export function filterText(inner) { return typeof inner === "string" && isPlainWord(inner) ? inner : JSON.stringify(inner); }

export function filterValue(text, operator) {
  let inner = text;
  try { inner = JSON.parse(text); } catch { /* A string without quotes. */ }
  if (listOperators.has(operator) && !Array.isArray(inner)) inner = typeof inner === "string" ? inner.split(/\s*,\s*/) : [inner];
  return plain(fromPlain(inner));
}

function isPlainWord(text) {
  try { JSON.parse(text); return false; } catch { return true; }
}

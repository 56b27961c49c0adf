// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The columns of a list of documents: those that the address names, or the fields that say most.

import { writtenField } from "./document-query.js";
import { fieldPath, query } from "./firestore.js";
import { kind } from "./firestore-values.js";

const columnCountMax = 12;
const automaticCount = 3;
/// Documents that are looked at to choose columns.
const sampleSize = 5;
const telling = /^(title|name|displayName|label|email|status|type|state)$/;
const short = new Set(["string", "integer", "double", "boolean", "timestamp", "reference"]);

/// The field paths shown for a list; asks for a few whole documents where the address has none.
export async function columnsOf(place, { parent, structuredQuery, limit }, parameters, options) {
  const given = parameters.get("columns");
  if (given) return given.split(",").map((name) => name.trim()).filter(Boolean).slice(0, columnCountMax).map(writtenField);
  const documents = await query(place, parent, { ...structuredQuery, limit: Math.min(sampleSize, limit) }, options);
  const weights = new Map();
  for (const { fields = {} } of documents) {
    for (const [name, value] of Object.entries(fields)) {
      const weight = (short.has(kind(value)) ? 2 : 0.5) + (telling.test(name) ? 5 : 0);
      weights.set(name, (weights.get(name) ?? 0) + weight);
    }
  }
  const order = structuredQuery.orderBy.map(({ field }) => field.fieldPath).filter((path) => path !== "__name__");
  const best = [...weights].sort(([, left], [, right]) => right - left).map(([name]) => fieldPath([name]));
  return [...new Set([...order, ...best])].slice(0, Math.max(automaticCount, order.length));
}


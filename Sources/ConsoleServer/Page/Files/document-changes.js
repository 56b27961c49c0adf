// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Changes of fields: where a field is, is a list of names and of numbers of elements, `["tags", 2, "label"]`.

import { arrayOf, elementsOf, fieldsOf, mapOf } from "./firestore-values.js";
import { commit, fieldPath } from "./firestore.js";

/// Fields with another value at a place; `undefined` removes what is there. `newName` renames the last part.
export function changed(fields, path, value, newName) {
  return fieldsOf(changedIn(mapOf(Object.entries(fields)), path, value, newName));
}

function changedIn(whole, [part, ...rest], value, newName) {
  return typeof part === "number" ? changedElement(whole, part, rest, value, newName) : changedMember(whole, part, rest, value, newName);
}

function changedElement(whole, index, rest, value, newName) {
  const elements = [...elementsOf(whole)];
  if (rest.length > 0) elements[index] = changedIn(elements[index], rest, value, newName);
  else if (value === undefined) elements.splice(index, 1);
  else elements[index] = value;
  return arrayOf(elements);
}

function changedMember(whole, name, rest, value, newName) {
  const members = new Map(Object.entries(fieldsOf(whole)));
  if (rest.length > 0) {
    members.set(name, changedIn(members.get(name), rest, value, newName));
  } else {
    if (value === undefined || newName !== undefined) members.delete(name);
    if (value !== undefined) members.set(newName ?? name, value);
  }
  return mapOf([...members]);
}

/// The write that makes such a change, of that field alone. An array is written as a whole: its elements have no paths.
export function changingWrite(document, path, value, newName) {
  const fields = changed(document.fields ?? {}, path, value, newName);
  const firstElement = path.findIndex((part) => typeof part === "number");
  const masked = firstElement < 0 ? path : path.slice(0, firstElement);
  const masks = [masked];
  if (newName !== undefined && firstElement < 0) masks.push([...masked.slice(0, -1), newName]);
  const roots = new Set(masks.map(([root]) => root));
  return {
    update: { name: document.name, fields: Object.fromEntries(Object.entries(fields).filter(([name]) => roots.has(name))) },
    updateMask: { fieldPaths: masks.map(fieldPath) },
    currentDocument: { updateTime: document.updateTime },
  };
}

/// Commits writes to a document that are refused where it was changed meanwhile, and says so.
export async function commitUnchanged(place, writes) {
  try {
    return await commit(place, writes);
  } catch (error) {
    if (/base version|No document to update|updateTime|update_time/i.test(error.message)) {
      const help = "Reload it to see how it is now.";
      throw new Error(`The document was changed or deleted meanwhile, and nothing was saved. ${help} (${error.message})`);
    }
    throw error;
  }
}

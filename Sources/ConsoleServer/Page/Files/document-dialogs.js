// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Dialogs on documents: create, change as JSON, delete with what is below.

import { ask, choice, field } from "./data-dialog.js";
import { count } from "./format.js";
import { fill, make, notice } from "./dom.js";
import { commitUnchanged } from "./document-changes.js";
import { fieldsFromPlain, fieldsFromTyped, plainFields, typedText } from "./firestore-json.js";
import { commit, countOf, deleteBelow, descendants, fullName, isDocument, lastOf } from "./firestore.js";

const forms = [["plain", "Plain JSON"], ["typed", "Firestore's typed JSON"]];
const hints = {
  plain: 'Whole numbers are integers, others doubles. Other types: {"$timestamp": "2026-01-31T08:00:00Z"}, {"$double": 1}, '
    + '{"$geopoint": [47.4, 8.5]}, {"$reference": "projects/…"}, {"$bytes": "Base64"}, {"$vector": [1, 2]}.',
  typed: '{"title": {"stringValue": "…"}, "likes": {"integerValue": "7"}}, as the REST API has it.',
};

/// Controls for all fields of a document as JSON; `read()` are its fields.
function jsonEditor(fields) {
  const form = choice(forms, "plain", { "aria-label": "Form of the JSON" });
  const hint = make("p", { class: "soft hint" }, hints.plain);
  const text = make("textarea", { class: "json", rows: 16, spellcheck: "false", "aria-label": "Fields as JSON" });
  const state = make("div");
  const write = (fields) => { text.value = form.value === "typed" ? typedText(fields, 2) : JSON.stringify(plainFields(fields), null, 2); };
  const readAs = (form) => (form === "typed" ? fieldsFromTyped : fieldsFromPlain)(JSON.parse(text.value));
  let former = form.value;
  form.addEventListener("change", () => {
    try {
      const fields = readAs(former);
      former = form.value;
      write(fields);
      fill(hint, hints[former]);
      fill(state);
    } catch (error) {
      form.value = former;
      fill(state, notice(`It stays as it is, for it cannot be read: ${error.message}`, "bad"));
    }
  });
  write(fields);
  return { element: [field("Form", form), hint, text, state], read: () => readAs(form.value) };
}

/// All fields of a document in one text.
export function editJSON({ place, document, done }) {
  const editor = jsonEditor(document.fields ?? {});
  const write = (fields) => ({ update: { name: document.name, fields }, currentDocument: { updateTime: document.updateTime } });
  ask({
    title: `Fields of ${lastOf(document.name)}`, body: editor.element, action: "Save", wide: true,
    run: async () => { await commitUnchanged(place, [write(editor.read())]); await done(); },
  });
}

/// A new document in a collection, or in a new collection under a document or the root.
export function createDocument({ place, parent, id = "", done, link }) {
  const startsCollection = parent === "" || isDocument(parent);
  const collection = startsCollection && make("input", { class: "mono", required: true, "aria-label": "Id of the collection" });
  const name = make("input", { class: "mono", value: id, placeholder: "automatic" });
  const editor = jsonEditor({});
  ask({
    title: startsCollection ? "Start a collection" : `New document in ${lastOf(parent)}`, action: "Create", wide: true,
    body: [collection && field("Collection", collection), field("Document's id", name), editor.element],
    run: async () => {
      const path = [parent, collection && collection.value, name.value || automaticID()].filter(Boolean).join("/");
      if (!isDocument(path)) throw new Error("An id cannot have slashes.");
      await commit(place, [{ update: { name: fullName(place, path), fields: editor.read() }, currentDocument: { exists: false } }]);
      await done?.();
      location.hash = link(path);
    },
  });
}

/// Twenty letters and digits, as the SDKs make them.
function automaticID() {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return [...crypto.getRandomValues(new Uint32Array(20))].map((number) => letters[number % letters.length]).join("");
}

/// Deletes a document, alone or with everything below.
export function deleteDocument({ place, path, document, done }) {
  const extents = [["alone", "only the document"], ["all", "the document and everything below"]];
  const extent = choice(extents, document ? "alone" : "all", { disabled: !document });
  const below = countLine(place, path, "below it");
  ask({
    title: `Delete ${path}?`, action: "Delete", isDangerous: true,
    body: [below, field("Delete", extent)],
    run: async () => {
      if (extent.value === "all") await deleteBelow(place, path);
      else await commitUnchanged(place, [{ delete: document.name, currentDocument: { updateTime: document.updateTime } }]);
      await done();
    },
  });
}

/// Deletes a collection with everything below.
export function deleteCollection({ place, path, done }) {
  ask({
    title: `Delete the collection ${path}?`, action: "Delete all of it", isDangerous: true,
    body: [countLine(place, path, "in it, with those in collections below"), make("p", {}, "This cannot be undone.")],
    run: async (say) => { say("Deleting…"); await deleteBelow(place, path); await done(); },
  });
}

function countLine(place, path, where) {
  const line = make("p", { role: "status" }, "Counting…");
  const { parent, structuredQuery } = descendants(place, path);
  countOf(place, parent, structuredQuery).then(
    (number) => fill(line, `${count(number)} ${number === 1 ? "document is" : "documents are"} ${where}.`),
    (error) => fill(line, `The documents ${where} could not be counted: ${error.message}`));
  return line;
}

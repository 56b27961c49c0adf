// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The metadata of a file as a form; what was changed is sent, and only that.

import { ask, field } from "./data-dialog.js";
import { button, make } from "./dom.js";
import { patch, tokenKey } from "./storage.js";
import { reader } from "./value-editor.js";

const members = [
  ["contentType", "Content type"], ["cacheControl", "Cache-Control"], ["contentDisposition", "Content-Disposition"],
  ["contentLanguage", "Content-Language"], ["contentEncoding", "Content-Encoding"],
];

/// The custom metadata that people set.
export function customMetadata(object) { return Object.entries(object.metadata ?? {}).filter(([key]) => key !== tokenKey); }

export function editMetadata(object, done) {
  const controls = members.map(([member, label]) => {
    const former = object[member] ?? "";
    const input = make("input", { class: "mono", value: former });
    return { member, former, control: field(label, input), read: reader(input, former) };
  });
  const custom = make("div", { class: "filter-lines" });
  const readers = new Map();
  const line = (key = "", value = "") => {
    const keyInput = make("input", { class: "mono", value: key, "aria-label": "Name", placeholder: "name" });
    const valueInput = make("input", { class: "mono filter-value", value, "aria-label": "Value", placeholder: "value" });
    const [readKey, readValue] = [reader(keyInput, key), reader(valueInput, value)];
    const element = make("div", { class: "filter-line" }, keyInput, valueInput,
      button("×", () => element.remove(), { class: "quiet", "aria-label": "Remove" }));
    readers.set(element, () => [readKey(), readValue()]);
    return element;
  };
  for (const [key, value] of customMetadata(object)) custom.append(line(key, value));
  ask({
    title: "Metadata", action: "Save", wide: true,
    body: [
      controls.map(({ control }) => control),
      make("h3", {}, "Custom metadata"), custom, button("+ Add", () => custom.append(line()), { class: "quiet" }),
    ],
    run: async () => {
      const changes = Object.fromEntries(controls
        .filter(({ former, read }) => read() !== former)
        .map(({ member, read }) => [member, read() || null]));
      const pairs = [...custom.children].map((element) => readers.get(element)());
      const wanted = new Map(pairs.filter(([key]) => key));
      const metadata = customChanges(new Map(customMetadata(object)), wanted);
      if (metadata.length > 0) changes.metadata = Object.fromEntries(metadata);
      if (Object.keys(changes).length > 0) await saved(object, changes);
      await done();
    },
  });
}

function customChanges(before, wanted) {
  const removed = [...before.keys()].filter((key) => !wanted.has(key)).map((key) => [key, null]);
  return [...removed, ...[...wanted].filter(([key, value]) => before.get(key) !== value)];
}

async function saved(object, changes) {
  try {
    await patch(object, changes);
  } catch (error) {
    if (error.status !== 412) throw error;
    throw new Error("The metadata were changed meanwhile, and nothing was saved. Close this and open it again to see how they are now.");
  }
}

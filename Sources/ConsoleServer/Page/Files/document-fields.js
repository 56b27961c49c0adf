// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The fields of a document as a tree. Each may be opened, changed, renamed, removed; maps and arrays take new ones.

import { button, fill, make, notice } from "./dom.js";
import { brief, documentPath, elementsOf, extent, fieldsOf, kind, vectorNumbers } from "./firestore-values.js";
import { reader, valueEditor } from "./value-editor.js";

/// How many members of one map or array are shown at first, and with each press on "more".
const memberCountMax = 200;
/// Characters of a text that are shown at first.
const textLengthMax = 400;

/// Characters of a map or an array that is closed.
const briefLengthMax = 80;

/// Makes the tree. `save(path, value, newName)` stores a change; `link(path)` is the address of a document here.
export function fieldTree({ place, save, link }) {
  const root = make("div", { class: "fields" });
  // Which maps and arrays are open or closed against the rule, and which texts are shown whole: kept over a reload.
  const toggled = new Set();
  let editing = 0;
  let fields = {};

  const keyOf = (path) => JSON.stringify(path);

  function draw() {
    const names = Object.keys(fields);
    fill(root,
      names.length === 0 && make("p", { class: "soft" }, "This document has no fields."),
      list(names.map((name) => [name, fields[name]]), []),
      adder([], "map", "Add a field"));
  }

  function list(entries, path, countMax = memberCountMax) {
    const items = make("ul", {}, entries.slice(0, countMax).map(([name, value]) => item(name, value, [...path, name])));
    if (entries.length > countMax) {
      const more = button(`Show more of ${entries.length}`, () => items.replaceWith(list(entries, path, countMax + memberCountMax)));
      items.append(make("li", {}, more));
    }
    return items;
  }

  function item(name, value, path) {
    const type = kind(value);
    const isOpen = isOpenable(type) && toggled.has(keyOf(path)) !== path.length < 2;
    const redraw = () => element.replaceWith(item(name, value, path));
    const toggle = () => {
      flip(toggled, keyOf(path));
      const fresh = item(name, value, path);
      element.replaceWith(fresh);
      fresh.querySelector("button")?.focus();
    };
    const label = make("span", { class: "field-name" }, typeof name === "number" ? `[${name}]` : name);
    const line = make("div", { class: "field-line" },
      isOpenable(type)
        ? button([mark(isOpen ? "▾" : "▸"), label], toggle, { class: "toggle", "aria-expanded": String(isOpen) })
        : make("span", { class: "toggle" }, mark("\u00a0"), label),
      make("span", { class: "field-value" }, isOpen ? extent(value) : shown(value, type, path, redraw)),
      make("span", { class: "field-type soft" }, type),
      button("Edit", () => edit(element, name, value, path), { class: "quiet", "aria-label": `Edit ${name}` }));
    const element = make("li", { data: { key: keyOf(path) } }, line, isOpen && members(value, type, path));
    return element;
  }

  function members(value, type, path) {
    const entries = type === "map" ? Object.entries(fieldsOf(value)) : elementsOf(value).map((element, index) => [index, element]);
    return [list(entries, path), adder(path, type, type === "map" ? "Add a field" : "Add an element", entries.length)];
  }

  function shown(value, type, path, redraw) {
    if (type === "reference") {
      const path = documentPath(value.referenceValue);
      const isHere = value.referenceValue.startsWith(`projects/${place.project}/databases/${place.database}/`);
      return isHere ? make("a", { href: link(path) }, path) : value.referenceValue;
    }
    if (type === "vector") return `${vectorNumbers(value).length} numbers: ${brief(value, textLengthMax)}`;
    const text = value.stringValue ?? value.bytesValue ?? brief(value, isOpenable(type) ? briefLengthMax : textLengthMax);
    if (text === "") return make("i", { class: "soft" }, "empty");
    if (text.length <= textLengthMax) return make("span", { class: `value-${type}`, dir: "auto" }, text);
    const isWhole = toggled.has(keyOf(path));
    return [
      make("span", { class: `value-${type}`, dir: "auto" }, isWhole ? text : `${text.slice(0, textLengthMax)}…`), " ",
      button(isWhole ? "Less" : `All ${text.length} characters`, () => { flip(toggled, keyOf(path)); redraw(); }, { class: "inline" }),
    ];
  }

  function adder(path, type, label, nextIndex) {
    const holder = make("div", { class: "adder" });
    const offer = () => fill(holder, button(`+ ${label}`, () => {
      const place = type === "map" ? { name: "", path } : { path: [...path, nextIndex] };
      fill(holder, form({ ...place, isNew: true, close: offer }));
      focusFirst(holder);
    }, { class: "quiet" }));
    offer();
    return holder;
  }

  function edit(element, name, value, path) {
    const line = element.firstChild;
    if (element.querySelector(":scope > form")) return;
    const editor = form({
      name: typeof name === "string" ? name : undefined, value, path,
      close: () => { editor.remove(); line.hidden = false; line.lastChild.focus(); },
    });
    line.hidden = true;
    line.after(editor);
    focusFirst(editor);
  }

  function form({ name, value, path, isNew = false, close }) {
    editing += 1;
    const nameProperties = { class: "mono", value: name, "aria-label": "Name of the field", placeholder: "name", required: true };
    const nameInput = name !== undefined && make("input", nameProperties);
    const readName = nameInput && reader(nameInput, name);
    const values = valueEditor(place, value);
    const state = make("div");
    const end = () => { editing -= 1; close(); };
    const store = async (made) => {
      try {
        await made();
      } catch (error) {
        fill(state, notice(error.message, "bad"));
      }
    };
    const submit = (event) => {
      event.preventDefault();
      store(async () => {
        const wanted = nameInput ? readName() : undefined;
        const isNewName = nameInput && (isNew || wanted !== name);
        const parent = isNew ? path : path.slice(0, -1);
        if (isNewName && Object.hasOwn(membersAt(parent), wanted)) throw new Error(`There is a field "${wanted}" already.`);
        if (isNew && nameInput) await save([...path, wanted], values.read());
        else await save(path, values.read(), isNewName ? wanted : undefined);
      });
    };
    return make("form", { class: "field-form", on: { submit, keydown: (event) => { if (event.key === "Escape") end(); } } },
      nameInput, values.element, state,
      make("div", { class: "tools" },
        make("button", { class: "main", type: "submit" }, isNew ? "Add" : "Save"), button("Cancel", end),
        !isNew && button(`Delete the ${nameInput ? "field" : "element"}`, () => store(() => save(path, undefined)), { class: "danger" })));
  }

  function membersAt(path) {
    const step = (whole, part) => (typeof part === "number" ? elementsOf(whole)[part] : fieldsOf(whole)[part]);
    return fieldsOf(path.reduce(step, { mapValue: { fields } }));
  }

  return {
    element: root,
    /// Shows fields; what had the focus in the tree keeps it.
    set(next) {
      const key = document.activeElement?.closest(".fields li")?.dataset.key;
      fields = next;
      editing = 0;
      draw();
      [...root.querySelectorAll("li")].find((element) => element.dataset.key === key)?.querySelector(".field-line > button")?.focus();
    },
    get isEditing() { return editing > 0; },
  };
}

function isOpenable(type) { return type === "map" || type === "array"; }

function mark(text) { return make("span", { "aria-hidden": "true" }, text); }

function flip(set, key) { if (!set.delete(key)) set.add(key); }

function focusFirst(element) { element.querySelector("input, textarea, select")?.focus(); }

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The controls for a value of any type.

import { button, fill, make } from "./dom.js";
import { choice } from "./data-dialog.js";
import { doubleOf, fromPlain, plain } from "./firestore-json.js";
import { documentPath, kind, numberText, types, valued, vector, vectorNumbers } from "./firestore-values.js";
import { fullName } from "./firestore.js";

/// Makes the controls; `read()` is the value, and throws where they hold none.
export function valueEditor(place, value = { stringValue: "" }) {
  const type = choice(types, kind(value), { "aria-label": "Type", on: { change: () => draw() } });
  const body = make("div", { class: "value-controls" });
  let control;
  // Values by type, so that trying another one loses nothing.
  const drafts = new Map([[kind(value), value]]);

  function draw() {
    control = controls[type.value](place, drafts.get(type.value));
    fill(body, control.element);
  }

  draw();
  return { element: make("div", { class: "value-editor" }, type, body), read: () => control.read() };
}

/// Reads a control: `read(text)`, or the original while the text is as the control was made with. A control cannot hold every text:
/// inputs drop line breaks, text areas make all of them line feeds.
export function reader(control, original, read = (text) => text) {
  const untouched = control.value;
  return () => (original !== undefined && control.value === untouched ? original : read(control.value));
}

const controls = {
  string: (_, value) => area(value?.stringValue ?? "", value, (text) => valued("string", withBreaksOf(value?.stringValue ?? "", text))),
  integer: (_, value) => line(value?.integerValue ?? "0", value, readInteger, "numeric"),
  double: (_, value) => line(value ? numberText(value.doubleValue) : "0.5", value, (text) => valued("double", doubleOf(text))),
  boolean: (_, value) => boolean(value?.booleanValue ?? false),
  null: () => ({ element: make("span", { class: "soft" }, "null"), read: () => valued("null", null) }),
  timestamp: (_, value) => timestamp(value?.timestampValue ?? new Date().toISOString()),
  geopoint: (_, value) => geopoint(value?.geoPointValue ?? {}),
  reference: (place, value) => line(value ? referenceText(place, value.referenceValue) : "", value, (text) => reference(place, text)),
  bytes: (_, value) => area(value?.bytesValue ?? "", value, readBytes, "Base64"),
  map: (_, value) => json(value ?? { mapValue: {} }, "map", "An object in plain JSON"),
  array: (_, value) => json(value ?? { arrayValue: {} }, "array", "A list in plain JSON"),
  vector: (_, value) => area(`[${value ? vectorNumbers(value).map(numberText).join(", ") : ""}]`, value, readVector, "Numbers"),
};

function line(text, original, read, inputmode) {
  const input = make("input", { class: "mono", value: text, inputmode, "aria-label": "Value", spellcheck: "false" });
  return { element: input, read: reader(input, original, read) };
}

function area(text, original, read, label = "Value") {
  const rowCount = Math.min(12, Math.max(2, text.split("\n").length, Math.ceil(text.length / 60)));
  const input = make("textarea", { value: text, rows: rowCount, "aria-label": label, spellcheck: "false" });
  return { element: input, read: reader(input, original, read) };
}

/// A changed text, with CRLF for its line breaks where the original has no others.
function withBreaksOf(original, text) {
  const hasPairsAlone = original.includes("\r\n") && !/\r(?!\n)|(?<!\r)\n/.test(original);
  return hasPairsAlone ? text.replaceAll("\n", "\r\n") : text;
}

function boolean(chosen) {
  const input = choice(["true", "false"], String(chosen), { "aria-label": "Value" });
  return { element: input, read: () => valued("boolean", input.value === "true") };
}

function timestamp(text) {
  const input = make("input", { class: "mono", value: text, "aria-label": "Time, in RFC 3339", spellcheck: "false" });
  const now = button("Now", () => { input.value = new Date().toISOString(); });
  return { element: make("div", { class: "pair" }, input, now), read: () => valued("timestamp", input.value.trim()) };
}

function geopoint({ latitude = 0, longitude = 0 }) {
  const [first, second] = [["Latitude", latitude], ["Longitude", longitude]].map(([label, number]) =>
    make("input", { class: "mono", value: numberText(number), "aria-label": label, inputmode: "decimal" }));
  const read = () => valued("geopoint", { latitude: doubleOf(first.value), longitude: doubleOf(second.value) });
  return { element: make("div", { class: "pair" }, first, second), read };
}

function json(value, type, label) {
  const read = (text) => {
    const made = fromPlain(JSON.parse(text));
    if (kind(made) !== type) throw new Error(`This is not ${type === "map" ? "an object" : "a list"} in plain JSON.`);
    return made;
  };
  return area(JSON.stringify(plain(value), null, 2), value, read, label);
}

function readInteger(text) {
  const trimmed = text.trim();
  if (!/^-?\d+$/.test(trimmed) || BigInt.asIntN(64, BigInt(trimmed)) !== BigInt(trimmed)) {
    throw new Error(`"${trimmed}" is not an integer of 64 bits.`);
  }
  return valued("integer", String(BigInt(trimmed)));
}

function readBytes(text) {
  const trimmed = text.replace(/\s/g, "");
  try { atob(trimmed); } catch { throw new Error("These bytes are not in Base64."); }
  return valued("bytes", trimmed);
}

function readVector(text) {
  const inner = text.trim().replace(/^\[|\]$/g, "").trim();
  return vector(inner === "" ? [] : inner.split(",").map(doubleOf));
}

function referenceText(place, name) { return name.startsWith(`${fullName(place)}/`) ? documentPath(name) : name; }

function reference(place, text) {
  const path = text.trim();
  return valued("reference", path.startsWith("projects/") && path.includes("/documents/") ? path : fullName(place, path));
}

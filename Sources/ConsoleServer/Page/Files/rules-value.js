// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Values of rules as the messages of the official emulator have them, `{"mapValue": {"fields": …}}`, in plain JSON.

const textMax = 20_000;

/// A value as JSON, or as a text where JSON has no such kind.
export function plainValue(value) {
  if (!value || typeof value !== "object") return value;
  if ("mapValue" in value) return plainMap(value.mapValue?.fields);
  if ("listValue" in value) return (value.listValue?.values ?? []).map(plainValue);
  if ("setValue" in value) return (value.setValue?.values ?? []).map(plainValue);
  if ("vectorValue" in value) return (value.vectorValue?.values ?? []).map(plainValue);
  if ("intValue" in value) return Number.isSafeInteger(Number(value.intValue)) ? Number(value.intValue) : String(value.intValue);
  if ("pathValue" in value) return pathText(value.pathValue);
  if ("nullValue" in value) return null;
  if ("undefined" in value) return { "(no value)": value.undefined?.causeMessage ?? "not evaluated" };
  for (const name of ["boolValue", "floatValue", "stringValue", "timestampValue", "durationValue", "bytesValue"]) {
    if (name in value) return value[name];
  }
  return value;
}

function plainMap(fields = {}) {
  // Names may be `__proto__`.
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plainValue(value)]));
}

function pathText(path) {
  return (path?.segments ?? []).map((segment) => `/${segment.simple ?? segment.capture?.name ?? "*"}`).join("");
}

/// A value as text of limited length.
export function valueText(value, indent = 2) {
  if (value && "undefined" in value) {
    const cause = value.undefined?.causeMessage;
    return cause ? `no value: ${cause}` : "not evaluated";
  }
  const text = JSON.stringify(plainValue(value), undefined, indent) ?? "";
  return text.length > textMax ? `${text.slice(0, textMax)}… (${text.length - textMax} characters more)` : text;
}

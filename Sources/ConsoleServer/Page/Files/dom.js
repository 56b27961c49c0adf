// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Elements. Texts always become text nodes: names of documents, files and users are strangers' data, and no markup is ever
// parsed from a string.

const addressForms = ["#", "/", "http://", "https://", "blob:", "data:image/"];

/// Makes an element: `make("a", { href: "#/live", class: "brand", on: { click } }, "Live")`.
export function make(tag, properties = {}, ...children) {
  const element = tag === "svg" || svgTags.has(tag) ? document.createElementNS(svgSpace, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) set(element, name, value);
  append(element, children);
  return element;
}

const svgSpace = "http://www.w3.org/2000/svg";
const svgTags = new Set(["g", "path", "line", "rect", "circle", "polyline", "text"]);

function set(element, name, value) {
  if (value === undefined || value === null || value === false) return;
  if (name === "on") {
    for (const [event, action] of Object.entries(value)) element.addEventListener(event, action);
  } else if (name === "data") {
    Object.assign(element.dataset, value);
  } else if (name === "style") {
    // The policy of the page forbids the attribute, not the property.
    for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text);
  } else if (name === "value" || name === "checked" || name === "indeterminate") {
    element[name] = value;
  } else if (name === "href" || name === "src") {
    const isSafe = addressForms.some((form) => String(value).startsWith(form));
    if (isSafe) element.setAttribute(name, value);
  } else {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

export function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/// Puts children in the place of those that an element has.
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/// Changes a text only where it differs, so that what is selected stays selected.
export function setText(element, text) {
  const value = String(text);
  if (element.textContent !== value) element.textContent = value;
}

/// A button; one that is not to be pressed now says why in its title.
export function button(label, action, properties = {}) {
  return make("button", { type: "button", on: { click: action }, ...properties }, label);
}

/// A message in the place of what could not be shown.
export function notice(text, kind = "") {
  return make("p", { class: `notice ${kind}`, role: kind === "bad" ? "alert" : undefined }, text);
}

/// Saves bytes as a file.
export function download(name, parts, type) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/// Puts a text on the clipboard, and says so on the button for a moment.
export async function copy(text, pressed) {
  const label = pressed?.textContent;
  let said = "Copied";
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    said = "Not allowed to copy";
  }
  if (!pressed) return;
  pressed.textContent = said;
  setTimeout(() => { pressed.textContent = label; }, 1_500);
}

/// Whether the pointer or the focus is within: what is drawn anew then is lost under the user's hand.
export function isInUse(element) { return element.matches(":hover") || element.contains(document.activeElement); }

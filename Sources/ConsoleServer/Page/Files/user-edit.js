// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The form with the fields of a user that can be changed. Only those that were changed are sent.

import { field } from "./ask.js";
import { make, setText } from "./dom.js";

/// Google's limit (firebase.google.com/docs/auth/admin/custom-claims).
const claimsByteMax = 1_000;
const encoder = new TextEncoder();

/// Makes the form; `update(fields)` sends what was changed.
export function userEdit(user, update) {
  const text = (value, properties = {}) =>
    make("input", { value: value ?? "", autocomplete: "off", spellcheck: "false", on: { input: check }, ...properties });
  const name = text(user.displayName);
  const email = text(user.email, { type: "email" });
  const verified = make("input", { type: "checkbox", checked: user.emailVerified === true, on: { change: check } });
  const phone = text(user.phoneNumber, { type: "tel" });
  const photo = text(user.photoUrl, { inputmode: "url" });
  const given = readable(user.customAttributes);
  const claims = make("textarea", {
    rows: Math.min(12, Math.max(3, given.split("\n").length)), spellcheck: "false", class: "mono", "aria-describedby": "claims-state",
    value: given, on: { input: check },
  });
  const state = make("span", { class: "soft hint", id: "claims-state", "aria-live": "polite" });
  const save = make("button", { type: "submit", class: "main" }, "Save");
  const form = make("form", { class: "edit", on: { submit } },
    field("Display name", name),
    make("div", { class: "pair" }, field("E-mail", email), make("label", { class: "check" }, verified, "verified")),
    field("Phone", phone),
    field("Photo", photo, user.photoUrl && "Not loaded here: it is a stranger's address."),
    make("div", {}, field("Custom claims", claims), state),
    make("div", {}, save));

  // A control may show less than the value: an address without the blanks at its ends, one line of several.
  const untouched = new Map([name, email, photo, phone].map((control) => [control, control.value]));
  const isChanged = (control, former) => control.value !== untouched.get(control) && control.value.trim() !== (former ?? "");

  const fields = () => {
    const next = {};
    const cleared = [];
    const take = (control, former, member, attribute) => {
      if (!isChanged(control, former)) return;
      const value = control.value.trim();
      if (value) next[member] = value; else cleared.push(attribute);
    };
    take(name, user.displayName, "displayName", "DISPLAY_NAME");
    take(email, user.email, "email", "EMAIL");
    take(photo, user.photoUrl, "photoUrl", "PHOTO_URL");
    if (isChanged(phone, user.phoneNumber)) {
      if (phone.value.trim()) next.phoneNumber = phone.value.trim(); else next.deleteProvider = ["phone"];
    }
    // A new address would not be verified: say what the box says.
    if (next.email || verified.checked !== (user.emailVerified === true)) next.emailVerified = verified.checked;
    if (compact(claims.value) !== compact(given)) next.customAttributes = compact(claims.value);
    if (cleared.length) next.deleteAttribute = cleared;
    return next;
  };

  function check() {
    const problem = claimsProblem(claims.value);
    claims.setAttribute("aria-invalid", problem ? "true" : "false");
    state.classList.toggle("bad", !!problem);
    const length = claims.value.trim() ? byteCount(claims.value) : 0;
    setText(state, problem ?? `${length} of ${claimsByteMax} bytes`);
    save.disabled = !!problem || Object.keys(fields()).length === 0;
  }

  async function submit(event) {
    event.preventDefault();
    save.disabled = true;
    await update(fields());
    check();
  }

  check();
  return form;
}

/// Claims in lines; as they are where that would change them: large integers are rounded.
function readable(text) {
  if (!text || text === "{}") return "";
  try {
    const lines = JSON.stringify(JSON.parse(text), undefined, 2);
    return compact(lines) === compact(text) ? lines : text;
  } catch {
    return text;
  }
}

/// Claims without the blanks between their parts, which would count; numbers stay as they were written.
function compact(text) {
  return text.replaceAll(/("(?:\\.|[^"\\])*")|\s+/g, "$1") || "{}";
}

function byteCount(claims) { return encoder.encode(compact(claims)).length; }

/// Says why a text is not custom claims; `undefined` for one that is.
function claimsProblem(text) {
  if (!text.trim()) return undefined;
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `This is not JSON: ${error.message}`;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "Claims are an object, such as {\"admin\": true}.";
  const length = byteCount(text);
  return length > claimsByteMax ? `${length} bytes, and ${claimsByteMax} are allowed.` : undefined;
}

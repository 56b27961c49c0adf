// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The state of the page is in its address, `#/live?filter=get&open=12`: it can be kept, sent and gone back to.

/// The view that the address names, and its parameters.
export function current() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { view: decode(path), parameters: new URLSearchParams(query) };
}

function decode(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

/// The address of a view: `address("documents", { path: "posts/a" })`.
export function address(view, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined && value !== null && value !== "") query.set(name, value);
  const text = query.toString();
  return `#/${view}${text ? `?${text}` : ""}`;
}

/// Changes some parameters of the present view; `null` removes one. `replaces`: without a step to go back to.
export function change(parameters, { replaces = false } = {}) {
  const { view, parameters: present } = current();
  const next = Object.fromEntries(present);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null || value === undefined || value === "") delete next[name]; else next[name] = String(value);
  }
  const target = address(view, next);
  if (target === location.hash) return;
  if (replaces) {
    history.replaceState(null, "", target);
    dispatchEvent(new Event("hashchange"));
  } else {
    location.hash = target;
  }
}

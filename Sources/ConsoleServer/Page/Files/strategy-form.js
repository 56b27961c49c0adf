// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// A strategy by controls and as text; each follows the other.

import { make, setText } from "./dom.js";
import { ages, fetches, formatStrategy, listings, parseStrategy, policies, sizeIndex, sizes } from "./strategy-text.js";

/// Makes the form: `{ element, show(text) }`; `changed(text)` is called at each change.
export function strategyForm(changed) {
  let parts = parseStrategy("thumbnails");
  const text = make("input", {
    class: "mono", "aria-label": "Strategy as text", spellcheck: "false", autocomplete: "off",
    on: { change: () => changed(text.value.trim()), keydown: (event) => { if (event.key === "Enter") changed(text.value.trim()); } },
  });
  const update = (next) => {
    parts = { ...parts, ...next };
    text.value = formatStrategy(parts);
    changed(text.value);
  };
  const cacheOf = (kind, next) => update({ [kind]: { ...parts[kind], ...next } });
  const fetch = select("Images", Object.entries(fetches), (value) => update({ fetch: value }));
  const listing = select("Lists", Object.entries(listings), (value) => update({ listing: value }));
  const memory = slider("Memory cache", (size) => cacheOf("memory", { size }));
  const memoryPolicy = select("Policy in memory", policies.map((name) => [name, name]), (policy) => cacheOf("memory", { policy }), true);
  const disk = slider("Disk cache", (size) => cacheOf("disk", { size }));
  const diskPolicy = select("Policy on disk", policies.map((name) => [name, name]), (policy) => cacheOf("disk", { policy }), true);
  const age = select("Age on disk", ages.map((each) => [each, each || "any age"]), (value) => cacheOf("disk", { age: value }), true);
  const prefetch = slider("Prefetch a page", (size) => update({ prefetch: size }));

  return {
    element: make("div", { class: "strategy-form" },
      make("div", { class: "line" }, fetch.element, listing.element),
      make("div", { class: "line" }, memory.element, memoryPolicy.element),
      make("div", { class: "line" }, disk.element, diskPolicy.element, age.element),
      make("div", { class: "line" }, prefetch.element),
      make("label", { class: "text" }, make("span", {}, "As text"), text)),
    /// Shows a strategy that came from the address.
    show(next) {
      if (document.activeElement !== text) text.value = next;
      parts = parseStrategy(next);
      fetch.show(parts.fetch);
      listing.show(parts.listing);
      memory.show(parts.memory.size);
      memoryPolicy.show(parts.memory.policy, parts.memory.size > 0);
      disk.show(parts.disk.size);
      diskPolicy.show(parts.disk.policy, parts.disk.size > 0);
      age.show(parts.disk.age, parts.disk.size > 0);
      prefetch.show(parts.prefetch);
    },
  };
}

/// A choice; a value that is none of the choices is added to them.
function select(label, choices, chosen, isUnlabelled = false) {
  const control = make("select", { "aria-label": label, on: { change: () => chosen(control.value) } },
    choices.map(([value, title]) => make("option", { value }, title)));
  return {
    element: isUnlabelled ? control : make("label", {}, make("span", {}, label), control),
    show(value, isOn = true) {
      if (![...control.options].some((option) => option.value === value)) control.append(make("option", { value }, value));
      control.value = value;
      control.disabled = !isOn;
    },
  };
}

/// A size by a slider whose steps grow.
function slider(label, chosen) {
  const said = make("output", { class: "number" });
  const control = make("input", { type: "range", min: 0, max: sizes.length - 1, step: 1, "aria-label": label, on: {
    input: () => { say(sizes[control.value]); chosen(sizes[control.value]); },
  } });
  function say(megabytes) {
    const text = megabytes === 0 ? "none" : megabytes >= 1_000 ? `${megabytes / 1_000} GB` : `${Number(megabytes.toFixed(1))} MB`;
    setText(said, text);
    control.setAttribute("aria-valuetext", text);
  }
  return {
    element: make("label", { class: "slider" }, make("span", {}, label), control, said),
    show(megabytes) {
      const index = sizeIndex(megabytes);
      // The slider that is being moved is where it is.
      if (Number(control.value) !== index) control.value = index;
      say(megabytes);
    },
  };
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Dialogs of the views of data: a question, the controls for its answer, and what is done with it.

import { button, fill, make, notice } from "./dom.js";

let number = 0;

/// Opens a dialog. `run(say, { signal })` is called by its main button, may be slow, and may throw what is then shown; the dialog closes
/// when it is done, unless it returns `false`. `say(text)` shows how far it is; `signal` is aborted when the dialog closes.
export function ask({ title, body = [], action, isDangerous = false, run, wide = false }) {
  const state = make("div", { class: "dialog-state", role: "status" });
  const main = make("button", { class: isDangerous ? "danger" : "main", type: "submit" }, action);
  const cancel = button(action ? "Cancel" : "Close", () => dialog.close());
  const ending = new AbortController();
  const close = () => { ending.abort(); dialog.remove(); };
  const name = `dialog-${number += 1}`;
  const properties = { class: `data-dialog ${wide ? "wide" : ""}`, "aria-labelledby": name, on: { close } };
  const dialog = make("dialog", properties,
    make("form", { method: "dialog", on: { submit } },
      make("h2", { id: name }, title), body, state,
      make("div", { class: "tools end" }, cancel, action && main)));
  let isRunning = false;

  async function submit(event) {
    event.preventDefault();
    if (isRunning) return;
    isRunning = true;
    main.disabled = true;
    try {
      if (await run((...children) => fill(state, children), ending) !== false) dialog.close();
      else cancel.textContent = "Close";
    } catch (error) {
      fill(state, notice(error.message, "bad"));
    } finally {
      isRunning = false;
      main.disabled = false;
    }
  }

  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/// A control with its name above it.
export function field(label, control) { return make("label", { class: "labelled" }, make("span", {}, label), control); }

/// A choice among texts, or `[value, label]`.
export function choice(options, chosen, properties = {}) {
  return make("select", properties, options.map((option) => {
    const [value, label] = Array.isArray(option) ? option : [option, option];
    return make("option", { value, selected: value === chosen }, label);
  }));
}

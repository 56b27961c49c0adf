// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Dialogs that ask before something is done, and forms in them.

import { button, fill, make, notice } from "./dom.js";

/// A control with its label above it.
export function field(label, control, hint) {
  return make("label", { class: "field" }, make("span", {}, label), control, hint && make("span", { class: "soft hint" }, hint));
}

/// Opens a dialog; `submit(values)` does it, and a refusal is shown in the dialog, which then stays open.
///
/// - `title`, `content`: what is asked, and children with controls by their names.
/// - `action`: the label of the button that does it; `isDangerous` colors it.
export function ask({ title, content = [], action, isDangerous = false, submit }) {
  const before = document.activeElement;
  const problem = make("div", { class: "problem", "aria-live": "polite" });
  const done = make("button", { type: "submit", class: isDangerous ? "danger" : "main" }, action);
  const form = make("form", { on: { submit: send } },
    make("h2", { id: "ask-title" }, title), content, problem,
    make("div", { class: "tools" }, done, button("Cancel", () => dialog.close())));
  const dialog = make("dialog", { class: "ask", "aria-labelledby": "ask-title", on: { close } }, form);

  async function send(event) {
    event.preventDefault();
    done.disabled = true;
    try {
      await submit(Object.fromEntries(new FormData(form)));
      dialog.close();
    } catch (error) {
      fill(problem, notice(error.message, "bad"));
      done.disabled = false;
    }
  }

  function close() {
    dialog.remove();
    if (before?.isConnected) before.focus();
  }

  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

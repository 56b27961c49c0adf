// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Rules that are tried: they are in force until the emulator ends or is given others; no file is changed.

import { send } from "./api.js";
import { button, fill, make, notice } from "./dom.js";

const temporary = "Edits are temporary: they are in force for this project until the emulator ends, or is given others. "
  + "Your file is not changed.";

/// Makes an editor. `applied()` is called when the rules are in force, `close()` when it is to end.
export function rulesEditor({ source, name, applied, close }) {
  const text = make("textarea", {
    class: "mono editor", rows: "24", spellcheck: "false", "aria-label": "The rules, edited", value: source, on: { keydown },
  });
  const issues = make("div", { "aria-live": "polite" });
  const put = button("Put in force", apply, { class: "main" });
  const element = make("div", { class: "rules-editor" }, make("p", { class: "notice warn" }, temporary), text, issues,
    make("div", { class: "tools" }, put, button("Close the editor", close)));

  let inForce = text.value;

  async function apply() {
    put.disabled = true;
    try {
      const content = text.value;
      const body = { rules: { files: [{ name: "security.rules", content }] } };
      const answer = await send("PUT", `/console/firestore/emulator/v1/projects/${encodeURIComponent(name)}:securityRules`, body);
      inForce = content;
      const warnings = answer?.issues ?? [];
      fill(issues, notice(`These rules are in force.${warnings.length ? "" : " They have no warnings."}`),
        warnings.length > 0 && make("ul", { class: "issues" }, warnings.map((issue) =>
          make("li", {}, make("b", {}, `${issue.severity} line ${issue.sourcePosition?.line}: `), issue.description))));
      applied();
    } catch (error) {
      fill(issues, make("pre", { class: "notice bad", role: "alert" }, error.message));
    } finally {
      put.disabled = false;
    }
  }

  /// Two spaces for Tab would keep the keyboard in here: Ctrl and Enter put the rules in force, Tab leaves.
  function keydown(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); apply(); }
  }

  return { element, get source() { return text.value; }, get isChanged() { return text.value !== inForce; }, focus() { text.focus(); } };
}

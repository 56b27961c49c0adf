// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// A form that asks the rules about one request, without making it.

import { send } from "./api.js";
import { field } from "./ask.js";
import { fill, make } from "./dom.js";
import { counted } from "./format.js";
import { change } from "./route.js";
import { firestore, matchText } from "./rules-data.js";
import { verdict } from "./rules-trace.js";

const methods = ["get", "list", "create", "update", "delete"];
const writing = new Set(["create", "update"]);

/// Makes the form. `subject()` answers the place, and the edited source if there is one; `judged(outcomes)` gets the lines.
export function trialForm({ subject, judged }) {
  const method = make("select", { on: { change: adapt } }, methods.map((name) => make("option", { value: name }, name)));
  const path = make("input", { class: "mono", required: true, autocomplete: "off", spellcheck: "false", placeholder: "posts/p1" });
  const user = make("input", { class: "mono", autocomplete: "off", spellcheck: "false", placeholder: "not signed in" });
  const area = (placeholder) => make("textarea", { rows: "3", spellcheck: "false", class: "mono", placeholder });
  const claims = area('{"admin": true}');
  const data = area('{"title": "…"}');
  const conditions = area("public == true");
  const dataField = field("Data", data, "the fields of the document; of a file its size, contentType, metadata");
  const conditionsField = field("Where", conditions, "a condition on each line");
  const answer = make("div", { "aria-live": "polite" });
  const element = make("form", { class: "trial", on: { submit } },
    make("div", { class: "pair" }, field("Method", method), field("Path", path)),
    field("User id", user), field("Claims", claims), dataField, conditionsField,
    make("div", { class: "tools" }, make("button", { type: "submit", class: "main" }, "Try")), answer);

  function adapt() {
    const { service } = subject();
    dataField.hidden = !writing.has(method.value);
    conditionsField.hidden = method.value !== "list" || service !== firestore;
    path.placeholder = service === firestore ? "posts/p1" : "users/alice/photo.jpg";
  }

  function submit(event) {
    event.preventDefault();
    const text = (control) => control.value.trim();
    change({ method: method.value, path: text(path), as: text(user), claims: text(claims), data: text(data), where: text(conditions) });
    ask();
  }

  async function ask() {
    const { service, project, database, bucket, source } = subject();
    try {
      const body = {
        service: service === firestore ? "firestore" : "storage", project, database, bucket, rules: source, method: method.value, path: path.value.trim(),
        claims: caller(), data: writing.has(method.value) ? parsed(data, "Data", {}) : undefined,
        where: conditionsField.hidden ? undefined : conditions.value.split("\n").map((line) => line.trim()).filter(Boolean),
      };
      draw(await send("POST", "/console/rules/trial", body));
    } catch (error) {
      judged(new Map());
      fill(answer, make("pre", { class: "notice bad", role: "alert" }, error.message));
    }
  }

  function caller() {
    const given = parsed(claims, "Claims", {});
    if (!user.value.trim() && !claims.value.trim()) return null;
    return user.value.trim() ? { ...given, sub: user.value.trim(), user_id: user.value.trim() } : given;
  }

  function parsed(control, name, otherwise) {
    if (!control.value.trim()) return otherwise;
    try {
      const value = JSON.parse(control.value);
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
    } catch { /* As for another value. */ }
    throw new Error(`${name} must be a JSON object, such as ${control.placeholder}.`);
  }

  function draw({ allowed, refusal, rules, ruleReads }) {
    judged(new Map(rules.map((rule) => [rule.line, rule.result === "holds"])));
    fill(answer,
      make("p", {}, verdict(allowed ? "allow" : "deny"), ` ${ruleReads ? `The rules read ${counted(ruleReads, "document")}.` : ""}`),
      refusal && make("pre", { class: "scroll", tabindex: "0" }, refusal.trim()),
      make("ul", { class: "lines" }, rules.map((rule) => make("li", {}, make("b", {}, `Line ${rule.line}`), " ", make("code", {}, matchText(rule.match)),
        ` allow ${rule.allow.join(", ")} ${rule.result}`, rule.unproven && ", though the filters do not say so: it opens the whole collection"))),
      !rules.length && make("p", { class: "soft" }, "No condition was evaluated: no match with this method has the path."));
  }

  return {
    element,
    /// Takes what the address has.
    take(parameters) {
      const values = [[method, "method"], [path, "path"], [user, "as"], [claims, "claims"], [data, "data"], [conditions, "where"]];
      for (const [control, name] of values) {
        if (parameters.has(name) && document.activeElement !== control) control.value = parameters.get(name);
      }
      if (!methods.includes(method.value)) [method.value] = methods;
      adapt();
    },
  };
}

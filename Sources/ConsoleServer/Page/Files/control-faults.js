// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Failures that are planned, so that an app can be seen with them.

import { get, send } from "./api.js";
import { field } from "./ask.js";
import { noteConditions } from "./conditions.js";
import { controlCard } from "./control-card.js";
import { button, fill, make, setText } from "./dom.js";
import { count, counted } from "./format.js";
import { poll } from "./poll.js";

const path = "/console/faults";
const pollInterval = 2_000;
const operationCountMax = 200;
const statuses = {
  400: "the request is wrong", 401: "not signed in", 403: "not allowed", 404: "not there", 409: "a conflict",
  429: "too many requests", 500: "an error of the server", 503: "not available", 504: "too late",
};

export function faultsCard() {
  const card = controlCard("Faults",
    make("p", { class: "soft" }, "Requests that fail on purpose. Listeners and streams fail when they begin; those that are open stay."));
  card.element.hidden = true;
  const list = make("ul", { class: "linked faults" });
  const none = make("p", { class: "soft" });
  const all = button("Remove all", () => edit(() => []), { hidden: true });
  const service = make("select", { on: { change: suggest } },
    ["storage", "firestore", "auth"].map((value) => make("option", { value }, value)));
  const text = (properties) => make("input", { autocomplete: "off", spellcheck: "false", ...properties });
  const operations = make("datalist", { id: "fault-operations" });
  const operation = text({ placeholder: "any operation", class: "mono", list: operations.id });
  const known = make("datalist", { id: "fault-statuses" },
    Object.entries(statuses).map(([value, label]) => make("option", { value }, label)));
  const status = text({ type: "number", min: "400", max: "599", value: "503", required: true, class: "tiny", list: known.id });
  const times = text({ type: "number", min: "1", placeholder: "always", class: "tiny" });
  const share = text({ type: "number", min: "0", max: "100", step: "any", placeholder: "100", class: "tiny" });
  fill(card.body, none, list, make("div", { class: "tools" }, all),
    make("form", { class: "tools fields", on: { submit: add } }, operations, known,
      field("Service", service), field("Operation", operation), field("Status", status), field("Times", times),
      field("Share in %", share),
      make("button", { type: "submit", class: "main" }, "Plan")));
  let drawn = [];
  let seen = [];

  let editCount = 0;
  let lastEdit = Promise.resolve();

  const watch = poll((signal) => card.read(async () => {
    const edits = editCount;
    const { faults } = await get(path, { signal });
    // An answer from before an edit would bring back what it removed.
    if (edits === editCount) draw(faults);
  }), pollInterval);
  get(`/usage?by=operation&limit=${operationCountMax}`).then(({ groups }) => {
    seen = groups.map(({ key }) => key);
    suggest();
  }, () => { /* What has not been seen can be typed. */ });

  /// The operations that were seen, of the service that is chosen.
  function suggest() {
    fill(operations, seen.filter((key) => key.startsWith(`${service.value}.`)).map((value) => make("option", { value })));
  }

  /// Changes the faults as they are now: some may have been met, or have ended, since they were last shown.
  /// One after the other, as each sends all of them.
  function edit(change) {
    lastEdit = lastEdit.then(() => card.attempt(async () => {
      const faults = (await get(path)).faults.map(({ met, ...fault }) => fault);
      editCount += 1;
      draw((await send("PUT", path, { faults: change(faults) })).faults);
      editCount += 1;
    }));
    return lastEdit;
  }

  function add(event) {
    event.preventDefault();
    edit((faults) => [...faults, {
      service: service.value, operation: operation.value.trim() || undefined, status: Number(status.value),
      count: times.value ? Number(times.value) : undefined, share: share.value ? Number(share.value) / 100 : undefined,
    }]);
  }

  function draw(faults) {
    noteConditions({ faults: faults.length });
    setText(none, faults.length ? "" : "None are planned.");
    none.hidden = faults.length > 0;
    all.hidden = faults.length < 2;
    const rest = [...drawn];
    // Rows that stay are the same elements, so that their buttons can be pressed and keep the focus.
    const next = faults.map((fault) => {
      const index = rest.findIndex(({ key }) => key === keyOf(fault));
      const row = index < 0 ? faultRow(fault, remove) : rest.splice(index, 1)[0];
      row.draw(fault);
      return row;
    });
    for (const { element } of rest) element.remove();
    next.forEach(({ element }, index) => {
      if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
    });
    drawn = next;
  }

  function remove(row) {
    const place = drawn.filter(({ key }) => key === row.key).indexOf(row);
    return edit((faults) => {
      const alike = faults.filter((fault) => keyOf(fault) === row.key);
      return faults.filter((fault) => fault !== alike[place]);
    });
  }

  return { element: card.element, end: () => watch.end() };
}

/// All of a fault but its figures, which change as it is met.
function keyOf({ service, operation, status, count: times, share }) {
  return JSON.stringify([service, operation ?? null, status, times === undefined, share ?? null]);
}

function faultRow(fault, remove) {
  const key = keyOf(fault);
  const name = fault.operation ?? `any operation of ${fault.service}`;
  const times = make("span");
  const met = make("span", { class: "soft" });
  const row = {
    key,
    element: make("li", {},
      make("span", { class: "parts" },
        make("b", { title: statuses[fault.status] }, fault.status), make(fault.operation ? "code" : "span", {}, name), times,
        fault.share !== undefined && make("span", {}, `${Number((fault.share * 100).toPrecision(6))} % of them`), met),
      button("Remove", () => remove(row), { class: "small", "aria-label": `Remove the fault ${fault.status} of ${name}` })),
    draw({ count: left, met: failed = 0 }) {
      setText(times, left === undefined ? "always" : `the next ${count(left)}`);
      setText(met, failed === 0 ? "not met yet" : `${counted(failed, "request")} failed`);
    },
  };
  return row;
}

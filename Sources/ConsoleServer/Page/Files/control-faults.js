// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Failures that are planned, so that an app can be seen with them.

import { get, send } from "./api.js";
import { field } from "./ask.js";
import { controlCard } from "./control-card.js";
import { button, fill, make } from "./dom.js";
import { percent } from "./format.js";

const path = "/console/faults";

export function faultsCard() {
  const card = controlCard("Faults", make("p", { class: "soft" }, "Requests that fail on purpose."));
  card.element.hidden = true;
  const list = make("div");
  const service = make("select", {}, ["storage", "firestore", "auth"].map((value) => make("option", { value }, value)));
  const text = (properties) => make("input", { autocomplete: "off", ...properties });
  const operation = text({ placeholder: "any operation", class: "mono", list: "fault-operations" });
  const operations = make("datalist", { id: "fault-operations" });
  const status = text({ type: "number", min: "400", max: "599", value: "503", required: true, class: "short" });
  const times = text({ type: "number", min: "1", placeholder: "always", class: "short" });
  const share = text({ type: "number", min: "0.1", max: "100", step: "any", placeholder: "100", class: "short" });
  fill(card.body, list, make("form", { class: "tools fields", on: { submit: add } }, operations,
    field("Service", service), field("Operation", operation), field("Status", status), field("Times", times), field("% of requests", share),
    make("button", { type: "submit", class: "main" }, "Plan")));
  let faults = [];

  card.read(async () => {
    ({ faults } = await get(path));
    draw();
    const known = await get("/usage?by=operation&limit=200").catch(() => ({ groups: [] }));
    fill(operations, known.groups.map(({ key }) => make("option", { value: key })));
  });

  function put(next) {
    card.attempt(async () => {
      faults = (await send("PUT", path, { faults: next }))?.faults ?? next;
      draw();
    });
  }

  function add(event) {
    event.preventDefault();
    put([...faults, {
      service: service.value, operation: operation.value.trim() || null, status: Number(status.value),
      count: times.value ? Number(times.value) : null, share: share.value ? Number(share.value) / 100 : null,
    }]);
  }

  function draw() {
    if (!faults.length) return fill(list, make("p", { class: "soft" }, "None are planned."));
    fill(list, make("ul", { class: "linked" }, faults.map(drawFault)), make("div", { class: "tools" }, button("Remove all", () => put([]))));
  }

  function drawFault(fault) {
    const name = fault.operation ?? `any operation of ${fault.service}`;
    return make("li", {},
      make("span", { class: "parts" }, make("b", {}, fault.status), make("code", {}, name),
        make("span", {}, fault.count ? `the next ${fault.count}` : "always"),
        fault.share && make("span", {}, `${percent(fault.share * 100)} of them`)),
      button("Remove", () => put(faults.filter((other) => other !== fault)), {
        class: "small", "aria-label": `Remove the fault ${fault.status} of ${name}`,
      }));
  }

  return { element: card.element };
}

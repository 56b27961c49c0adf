// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The groups of the usage with the most of a figure, each with its share of the total. A row leads to its requests.

import { fill, isInUse, make, notice, setText } from "./dom.js";
import { bytes, count, dollars, percent } from "./format.js";
import { exactly } from "./request-filter.js";
import { address } from "./route.js";

/// The properties that usage is grouped by, each with its field in the filter of requests.
export const dimensions = {
  object: { title: "Objects", field: "object", none: "(without an object)" },
  query: { title: "Queries", field: "query", none: "(without a query)" },
  user: { title: "Users", field: "user", none: "(without a user)" },
  tag: { title: "Screens", field: "tag", none: "(without X-Firemeter-Tag)" },
  operation: { title: "Operations", field: "op", none: "(none)" },
  collection: { title: "Collections", field: "collection", none: "(without a collection)" },
  client: { title: "Clients", field: "client", none: "(without a name)" },
};

const figures = [
  { name: "bytes", title: "downloaded", pick: (group) => group.bytes.sent, text: bytes },
  { name: "egress", title: "billed", pick: (group) => group.billed.egressBytes, text: bytes },
  { name: "reads", title: "reads", pick: (group) => group.billed.documentReads, text: count },
  { name: "writes", title: "writes", pick: (group) => group.billed.documentWrites + group.billed.documentDeletes, text: count },
  { name: "operations", title: "operations", pick: (group) => group.billed.classA + group.billed.classB, text: count },
  { name: "requests", title: "requests", pick: (group) => group.requests, text: count },
  { name: "cost", title: "cost", details: "By the prices beyond the free amounts", pick: (group) => group.usd, text: dollars },
];

/// The orders that can be asked for.
export const orders = {
  bytes: { title: "bytes", figure: "bytes.sent", pick: figures[0].pick },
  reads: { title: "reads", figure: "billed.documentReads", pick: figures[2].pick },
  requests: { title: "requests", figure: "requests", pick: figures[5].pick },
  cost: { title: "cost", figure: "usd", pick: figures[6].pick },
};

/// Makes the table. While the pointer or the focus is in it, rows stay where they are, and only their figures change.
export function causesTable() {
  const head = make("thead");
  const body = make("tbody");
  const element = make("div", { class: "scroll" }, make("table", { class: "causes" }, head, body));
  let drawn = new Map();
  let heading;

  function row(key, by) {
    const { field, none } = dimensions[by];
    const bar = make("i");
    const share = make("span");
    const cells = figures.map(() => make("td", { class: "number" }));
    const soft = (text) => make("span", { class: "soft" }, text);
    const filter = () => address("live", { filter: exactly(field, key) });
    const name = key === undefined ? soft("others") : make("a", { href: filter(), title: key || undefined }, key || soft(none));
    return {
      element: make("tr", {},
        make("td", { class: "name" }, name), make("td", { class: "share" }, make("div", { class: "meter" }, bar), share), cells),
      draw(group, { sum, largest, pick }) {
        const part = (whole) => (whole > 0 ? (100 * pick(group)) / whole : 0);
        // The bars compare the groups; of many small ones, shares of the total would all be empty.
        bar.style.setProperty("width", `${Math.min(100, part(largest))}%`);
        setText(share, percent(part(sum)));
        figures.forEach((figure, index) => setText(cells[index], figure.pick(group) ? figure.text(figure.pick(group)) : ""));
      },
    };
  }

  function drawHead(by, order) {
    if (heading === `${by} ${order}`) return;
    heading = `${by} ${order}`;
    const column = (properties, text) => make("th", { scope: "col", ...properties }, text);
    const figureHeads = figures.map(({ name, title, details }) =>
      column({ class: "number", title: details, "aria-sort": name === order ? "descending" : undefined }, title));
    fill(head, make("tr", {}, column({}, dimensions[by].title.toLowerCase()), column({}, `share of ${orders[order].title}`), figureHeads));
  }

  return {
    element,
    /// Shows an answer of `GET /usage?by=…`, of all usage or of that since a mark.
    draw({ total, groups, others }, { by, order, isSinceMark }) {
      drawHead(by, order);
      if (groups.length === 0) {
        drawn = new Map();
        const nothing = notice(isSinceMark ? "Nothing was used since then." : "Nothing was used yet. Point your app at this emulator and use it.");
        return fill(body, make("tr", {}, make("td", { colspan: figures.length + 2 }, nothing)));
      }
      const entries = [...groups.map((group) => [`=${group.key}`, group.key, group]), ...(others ? [["others", undefined, others]] : [])];
      const stays = isInUse(element) && drawn.size > 0;
      const { pick } = orders[order];
      const largest = Math.max(...groups.map(pick));
      // Totals have no cost of their own.
      const sum = pick(total) ?? entries.reduce((all, [, , group]) => all + pick(group), 0);
      const next = new Map();
      for (const [id, key, group] of entries) {
        const each = drawn.get(id) ?? (stays ? undefined : row(key, by));
        if (!each) continue;
        each.draw(group, { sum, largest, pick });
        next.set(id, each);
      }
      if (stays) return;
      drawn = next;
      body.replaceChildren(...[...next.values()].map((each) => each.element));
    },
    /// The next answer is of another question.
    forget() { drawn = new Map(); },
  };
}

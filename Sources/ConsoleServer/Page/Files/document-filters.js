// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The controls of a list's filters, order and columns. Each change goes into the address.

import { change } from "./route.js";
import { button, fill, make, notice } from "./dom.js";
import { choice } from "./data-dialog.js";
import { filterText, filterValue, filtersOf, operators, orderOf, writtenField } from "./document-query.js";

const filterCountMax = 20;

/// Makes the form for the parameters of a list.
export function filterForm(parameters) {
  const lines = make("div", { class: "filter-lines" });
  const state = make("div");
  const order = orderOf(parameters);
  const orderField = make("input", { class: "mono", value: order.field, placeholder: "name", "aria-label": "Order by" });
  const direction = choice([["asc", "ascending"], ["desc", "descending"]], order.isDescending ? "desc" : "asc", {
    "aria-label": "Direction",
  });
  const given = (name) => parameters.get(name) ?? "";
  const limit = make("input", { class: "short", type: "number", min: 1, value: given("limit"), placeholder: "all", "aria-label": "Limit" });
  const columns = make("input", { class: "mono", value: given("columns"), placeholder: "automatic", "aria-label": "Columns" });
  const add = button("+ Filter", () => { lines.append(line()); lines.lastChild.querySelector("input").focus(); });

  for (const filter of readable(parameters)) lines.append(line(filter));
  if (lines.childElementCount === 0) lines.append(line());

  function line([field, operator, inner] = ["", "==", undefined]) {
    const element = make("div", { class: "filter-line" },
      make("input", { class: "mono filter-field", value: field, placeholder: "field", "aria-label": "Field" }),
      choice(Object.keys(operators), operator, { "aria-label": "Operator" }),
      make("input", {
        class: "mono filter-value", value: inner === undefined ? "" : filterText(inner), "aria-label": "Value",
        placeholder: "value", title: '10 is an integer, "10" a string, true, null, {"$timestamp": "…"}; lists as [1, 2] or a, b',
      }),
      button("×", () => { element.remove(); add.disabled = false; }, { class: "quiet", "aria-label": "Remove this filter" }));
    add.disabled = lines.childElementCount + 1 >= filterCountMax;
    return element;
  }

  function apply(event) {
    event.preventDefault();
    let filters;
    try {
      filters = [...lines.children].map(written).filter(Boolean);
      fill(state);
    } catch (error) {
      return fill(state, notice(error.message, "bad"));
    }
    const field = orderField.value.trim() || (direction.value === "desc" ? "__name__" : "");
    return change({
      where: filters.length > 0 ? JSON.stringify(filters) : null,
      order: field && `${writtenField(field)}${direction.value === "desc" ? " desc" : ""}`,
      limit: limit.value,
      columns: columns.value.trim(),
    });
  }

  const clear = () => change({ where: null, order: null, limit: null, columns: null });
  return make("form", { class: "filters", on: { submit: apply } },
    lines, state,
    make("div", { class: "filter-line" },
      add,
      make("label", {}, "Order by ", orderField), direction,
      make("label", {}, "Limit ", limit),
      make("label", {}, "Columns ", columns),
      make("button", { type: "submit", class: "main" }, "Apply"), button("Clear", clear)));
}

/// The filter of a line; `undefined` where it has no field.
function written(line) {
  const [field, operator, value] = line.querySelectorAll("input, select");
  return field.value.trim() === "" ? undefined : [writtenField(field.value), operator.value, filterValue(value.value, operator.value)];
}

// An address that cannot be read is refused by the list; the form then begins empty.
function readable(parameters) {
  try { return filtersOf(parameters); } catch { return []; }
}

/// Says in a line which filters are on.
export function filterSummary(parameters) {
  const parts = readable(parameters).map(([field, operator, inner]) => `${field} ${operator} ${filterText(inner)}`);
  if (parameters.get("order")) parts.push(`by ${parameters.get("order")}`);
  if (parameters.get("limit")) parts.push(`limit ${parameters.get("limit")}`);
  return parts.join(" · ");
}

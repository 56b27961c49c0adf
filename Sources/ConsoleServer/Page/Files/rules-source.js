// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// A source with line numbers, colors, and what each line did. A line of which there is more opens below itself.

import { fill, make } from "./dom.js";
import { count, counted, dollars } from "./format.js";
import { highlighted } from "./rules-syntax.js";
import { valueText } from "./rules-value.js";

const shownValueMax = 12;

/// Draws a source into an element.
///
/// - `figures`: what each `allow` did, by line; `expressions`: values, by line.
/// - `outcomes`: a request's conditions by line, true where one held; they are marked.
/// - `opened`: the line that is open; `open(line)` is called to open another, or 0 for none.
export function drawSource(element, { source, figures, expressions, outcomes = new Map(), opened, open }) {
  const hasFigures = figures.size > 0;
  const lines = highlighted(source);
  const body = lines.flatMap((parts, index) => {
    const line = index + 1;
    const isOpen = line === opened;
    const row = drawLine({ line, parts, sum: figures.get(line), outcome: outcomes.get(line), hasFigures, isOpen, hasMore: expressions.has(line), open });
    return isOpen ? [row, drawMore(line, figures.get(line), expressions.get(line), hasFigures)] : [row];
  });
  const heads = hasFigures ? ["evaluated", "held", "reads", "price"].map((title) => make("th", { class: "number figure", scope: "col" }, title)) : [];
  const top = element.scrollTop;
  fill(element, make("table", { class: "source" },
    make("caption", { class: "visually-hidden" }, "The rules by line, and how often each was evaluated"),
    make("thead", {}, make("tr", {}, make("th", { class: "number", scope: "col" }, "line"), make("th", { scope: "col" }, "rules"), heads)),
    make("tbody", {}, body)));
  element.scrollTop = top;
}

function drawLine({ line, parts, sum, outcome, hasFigures, isOpen, hasMore, open }) {
  const kind = outcome === undefined ? "" : outcome ? "outcome held" : "outcome refused";
  const number = sum || hasMore
    ? make("button", { type: "button", class: "line", "aria-expanded": isOpen ? "true" : "false", "aria-label": `Line ${line}: its values`, on: { click: () => open(isOpen ? 0 : line) } }, line)
    : String(line);
  const cells = hasFigures ? [
    figure(sum && count(sum.evaluations), sum && !sum.evaluations ? "soft" : ""),
    figure(sum && count(sum.held), sum?.evaluations && !sum.held ? "bad" : ""),
    figure(sum?.reads ? count(sum.reads) : ""), figure(sum?.usd ? dollars(sum.usd) : ""),
  ] : [];
  // A line that is broken continues below its first letter.
  const indent = `${/^\s*/.exec(parts[0]?.[1] ?? "")[0].length + 2}ch`;
  return make("tr", { class: kind, data: { line } },
    make("td", { class: "number soft" }, number),
    make("td", { class: "code", style: { "padding-left": `calc(0.6rem + ${indent})`, "text-indent": `-${indent}` } }, parts.map(([name, text]) => (name ? make("span", { class: `r-${name}` }, text) : text)),
      outcome !== undefined && make("span", { class: "said" }, outcome ? "✓ holds" : "✗ does not hold"),
      sum && make("span", { class: "brief" }, sum.evaluations ? `held ${count(sum.held)} of ${count(sum.evaluations)}` : "not evaluated")),
    cells);
}

function figure(text, kind = "") { return make("td", { class: `number figure ${kind}` }, text ?? ""); }

function drawMore(line, sum, expressions = [], hasFigures) {
  const unproven = (sum?.rules ?? []).filter((rule) => rule.unproven > 0);
  return make("tr", { class: "more" }, make("td"), make("td", { colspan: hasFigures ? 5 : 1 },
    (sum?.rules ?? []).map((rule) => make("p", {}, make("code", {}, rule.match), ` allow ${rule.allow.join(", ")}: held ${count(rule.held)} of `
      + `${count(rule.evaluations)} times${rule.failed ? `, without a value ${count(rule.failed)} times` : ""}; ${count(rule.expressions)} expressions, ${count(rule.microseconds)} µs`
      + `${rule.reads ? `, ${counted(rule.reads, "read")}${rule.usdBeyondFree ? ` (${dollars(rule.usdBeyondFree)} beyond the free ones)` : ""}` : ""}.`)),
    unproven.map((rule) => make("p", { class: "notice warn" }, `Let ${rule.unproven} queries list documents of ${rule.match} by what their filters leave open: `
      + "who asks without a filter may read them all. Compare a field that queries must filter by.")),
    expressions.length > 0 && make("dl", { class: "values" }, expressions.map(({ text, values }) => [
      make("dt", {}, make("code", {}, text)),
      make("dd", {}, values.slice(0, shownValueMax).map(({ value, count: times }) =>
        make("span", { class: "value" }, make("code", {}, valueText(value, 0)), ` ×${count(times)}`)),
      values.length > shownValueMax && `and ${values.length - shownValueMax} more`),
    ])),
    !sum && !expressions.length && make("p", { class: "soft" }, "Line ", line, " has no condition.")));
}

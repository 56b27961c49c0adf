// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// A source with line numbers, colors, and what each line did. A line of which there is more opens below itself.

import { button, fill, make } from "./dom.js";
import { count, counted, dollars } from "./format.js";
import { matchText } from "./rules-data.js";
import { highlighted } from "./rules-syntax.js";
import { valueText } from "./rules-value.js";
import { table } from "./tables.js";

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
    const row = drawLine({
      line, parts, sum: figures.get(line), outcome: outcomes.get(line), hasFigures, isOpen, hasMore: expressions.has(line), open,
    });
    return isOpen ? [row, drawMore(line, figures.get(line), expressions.get(line), hasFigures)] : [row];
  });
  const heads = hasFigures ? ["evaluated", "held", "reads", "price"].map((title) => [title, "number figure"]) : [];
  const top = element.scrollTop;
  const label = "The rules by line, and how often each was evaluated";
  fill(element, table([["line", "number"], "rules", ...heads], make("tbody", {}, body), { class: "source", "aria-label": label }));
  element.scrollTop = top;
}

function drawLine({ line, parts, sum, outcome, hasFigures, isOpen, hasMore, open }) {
  const kind = outcome === undefined ? "" : outcome ? "outcome held" : "outcome refused";
  const number = sum || hasMore
    ? button(String(line), () => open(isOpen ? 0 : line), {
      class: "line", "aria-expanded": isOpen ? "true" : "false", "aria-label": `Line ${line}: its values`,
    })
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
    make("td", { class: "code", style: { "padding-left": `calc(0.6rem + ${indent})`, "text-indent": `-${indent}` } },
      parts.map(([name, text]) => (name ? make("span", { class: `r-${name}` }, text) : text)),
      outcome !== undefined && make("span", { class: "said" }, outcome ? "✓ holds" : "✗ does not hold"),
      sum && make("span", { class: "brief" }, sum.evaluations ? `held ${count(sum.held)} of ${count(sum.evaluations)}` : "not evaluated")),
    cells);
}

function figure(text, kind = "") { return make("td", { class: `number figure ${kind}` }, text ?? ""); }

function drawMore(line, sum, expressions = [], hasFigures) {
  const unproven = (sum?.rules ?? []).filter((rule) => rule.unproven > 0);
  return make("tr", { class: "more" }, make("td"), make("td", { colspan: hasFigures ? 5 : 1 },
    (sum?.rules ?? []).map((rule) => make("p", {}, make("code", {}, matchText(rule.match)), ` allow ${rule.allow.join(", ")}: ${did(rule)}.`)),
    unproven.map((rule) => make("p", { class: "notice warn" },
      `Let ${counted(rule.unproven, "query", "queries")} list documents of ${matchText(rule.match)} by what the filters leave open: `,
      "an app that asks without a filter may read them all. Compare a field that queries must filter by.")),
    expressions.length > 0 && make("dl", { class: "values" }, expressions.map(({ text, values }) => [
      make("dt", {}, make("code", {}, text)),
      make("dd", {}, values.slice(0, shownValueMax).map(({ value, count: times }) =>
        make("span", { class: "value" }, make("code", {}, valueText(value, 0)), ` ×${count(times)}`)),
      values.length > shownValueMax && `and ${values.length - shownValueMax} more`),
    ])),
    !sum && !expressions.length && make("p", { class: "soft" }, "Line ", line, " has no condition.")));
}

/// How often a rule held, and what that took.
function did(rule) {
  const failed = rule.failed ? `, without a value ${count(rule.failed)} times` : "";
  const price = rule.usdBeyondFree ? ` (${dollars(Number(rule.usdBeyondFree))} beyond the free ones)` : "";
  const reads = rule.reads ? `, ${counted(rule.reads, "read")}${price}` : "";
  return `held ${count(rule.held)} of ${count(rule.evaluations)} times${failed}; `
    + `${counted(rule.expressions, "expression")}, ${count(rule.microseconds)} µs${reads}`;
}

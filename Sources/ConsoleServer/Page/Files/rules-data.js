// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The rules in force: by places (a service, and a database, a bucket or a project of which they are), with figures by line.

import { get } from "./api.js";

export const firestore = "cloud.firestore";
const serviceNames = { [firestore]: "Firestore", "firebase.storage": "Storage" };

/// The places that have rules, Firestore's first; each `{ id, title, service, project, database, bucket, rules, source, name }`:
/// `rules` are figures, `source` and `name` those of the file.
export async function rulePlaces(signal) {
  const [usage, inForce] = await Promise.all([get("/usage/rules", { signal }), get("/console/rules", { signal })]);
  const places = new Map();
  const at = (entry) => {
    const id = placeID(entry);
    if (!places.has(id)) places.set(id, place(entry));
    return places.get(id);
  };
  for (const entry of inForce.rules) Object.assign(at(entry), { source: entry.files[0]?.content, name: entry.files[0]?.name });
  for (const rule of usage.rules) at(rule).rules.push(rule);
  // Rules can be tried where there are none yet.
  if (![...places.values()].some((each) => each.service === firestore)) at({ service: firestore });
  return [...places.values()].sort((left, right) => left.id.localeCompare(right.id));
}

const placeID = ({ service, project, database, bucket }) =>
  [service, project, database, bucket].map((part) => part ?? "").join("|").replace(/\|+$/, "");

function place({ service, project, database, bucket }) {
  const of = [project && `project ${project}`, database && `database ${database}`, bucket && `bucket ${bucket}`].filter(Boolean);
  const title = [serviceNames[service] ?? service, ...of].join(", ");
  return { id: placeID({ service, project, database, bucket }), title, service, project, database, bucket, rules: [] };
}

/// The values that the expressions of a place's rules had: `{ source, report }`. Where no rules were given, the source is that of
/// open ones; Storage has no report.
export async function rulesCoverage(place, project, signal) {
  if (place.service !== firestore) return { source: place.source ?? "", report: [] };
  const name = encodeURIComponent(place.project ?? project);
  const database = place.database ? `/databases/${encodeURIComponent(place.database)}` : "";
  const coverage = await get(`/console/firestore/emulator/v1/projects/${name}${database}:ruleCoverage`, { signal });
  return { source: coverage.rules.files[0]?.content ?? "", report: coverage.report ?? [] };
}

/// The path of a `match`, without what all of Firestore's begin with.
export function matchText(match) { return match.replace(/^\/databases\/[^/]*\/documents(?=\/)/, ""); }

/// The figures of the rules by line; several of one line are summed up.
export function figuresByLine(rules) {
  const lines = new Map();
  for (const rule of rules) {
    const sum = lines.get(rule.line) ?? { rules: [], evaluations: 0, held: 0, failed: 0, reads: 0, usd: 0 };
    sum.rules.push(rule);
    for (const name of ["evaluations", "held", "failed", "reads"]) sum[name] += rule[name];
    sum.usd += Number(rule.usdBeyondFree ?? 0);
    lines.set(rule.line, sum);
  }
  return lines;
}

/// The expressions of a report of coverage by their lines: `{ column, text, values: [{ value, count }] }`.
export function expressionsByLine(source, report) {
  const lines = new Map();
  const visit = (node) => {
    const { line, column, currentOffset: first = 0, endOffset: end = 0 } = node.sourcePosition ?? {};
    if (node.values?.length && end > first) {
      if (!lines.has(line)) lines.set(line, []);
      lines.get(line).push({ column, text: source.slice(first, end + 1).trim(), values: node.values });
    }
    for (const child of node.children ?? []) visit(child);
  };
  for (const node of report) visit(node);
  return lines;
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The rules in force: by places (a service, and a database, a bucket or a project of which they are), with figures by line.

import { get } from "./api.js";

const serviceNames = { "cloud.firestore": "Firestore", "firebase.storage": "Storage" };

/// The places that have rules, Firestore's first; each `{ id, title, service, project, database, bucket, rules }`.
export async function rulePlaces(signal) {
  const { rules } = await get("/usage/rules", { signal });
  const places = new Map();
  for (const rule of rules) {
    const id = placeID(rule);
    if (!places.has(id)) places.set(id, place(rule));
    places.get(id).rules.push(rule);
  }
  const firestore = { service: "cloud.firestore" };
  // Rules can be tried where there are none yet.
  if (![...places.values()].some((each) => each.service === firestore.service)) places.set(placeID(firestore), place(firestore));
  return [...places.values()].sort((left, right) => left.id.localeCompare(right.id));
}

const placeID = ({ service, project, database, bucket }) =>
  [service, project, database, bucket].map((part) => part ?? "").join("|").replace(/\|+$/, "");

function place(rule) {
  const { service, project, database, bucket } = rule;
  const of = [project && `project ${project}`, database && `database ${database}`, bucket && `bucket ${bucket}`].filter(Boolean);
  const title = [serviceNames[service] ?? service, ...of].join(", ");
  return { id: placeID(rule), title, service, project, database, bucket, rules: [] };
}

/// The source of a place's rules, and the values that their expressions had: `{ source, report }`; `source` is undefined where
/// the server does not give it.
export async function rulesSource(place, project, signal) {
  if (place.service !== "cloud.firestore") return { source: await sourceByConsole(place, signal), report: [] };
  const name = encodeURIComponent(place.project ?? project);
  const database = place.database ? `/databases/${encodeURIComponent(place.database)}` : "";
  const coverage = await get(`/console/firestore/emulator/v1/projects/${name}${database}:ruleCoverage`, { signal });
  return { source: coverage.rules.files[0]?.content ?? "", report: coverage.report ?? [] };
}

let hasSources = true;

async function sourceByConsole(place, signal) {
  if (!hasSources) return undefined;
  try {
    const { sources } = await get("/console/rules/sources", { signal });
    return sources.find((each) => placeID(each) === place.id)?.content;
  } catch (error) {
    if (error.status !== 404) throw error;
    hasSources = false;
    return undefined;
  }
}

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

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Security Rules: those in force, how often each line held and what it read, and how requests are judged by them.

import { consoleState } from "./api.js";
import { button, fill, make, notice, setText } from "./dom.js";
import { poll } from "./poll.js";
import { change } from "./route.js";
import { expressionsByLine, figuresByLine, firestore, rulePlaces, rulesCoverage } from "./rules-data.js";
import { rulesEditor } from "./rules-editor.js";
import { watchRequests } from "./rules-requests.js";
import { drawSource } from "./rules-source.js";
import { drawRequests, drawTrace } from "./rules-trace.js";
import { trialForm } from "./rules-trial.js";

const pollInterval = 2_000;

export function show(root, parameters) {
  let asked = parameters;
  let project;
  let places = [];
  let place;
  let shown;
  let drawn;
  let traced;
  let editor;
  let judged = { requests: [] };
  let tried = new Map();

  const choice = make("select", { "aria-label": "Rules of", on: { change: () => change({ of: choice.value, line: null, request: null, edit: null }) } });
  const file = make("span", { class: "soft mono" });
  const edit = button("Edit for a try…", () => change({ edit: "yes" }));
  const problem = make("div");
  const source = make("div", { class: "source-frame", tabindex: "0", role: "region", "aria-label": "The rules" });
  const editing = make("div", { hidden: true });
  const requests = make("div", { class: "requests" });
  const trace = make("div");
  const trial = trialForm({
    subject: () => ({ ...subject(), source: asked.has("edit") ? editor?.source : undefined }),
    judged(outcomes) { tried = outcomes; drawRules(); },
  });
  const tabs = [["requests", "Requests"], ["try", "Try a request"]].map(([name, title]) =>
    button(title, () => change({ tab: name === "requests" ? null : name, request: null }), { data: { tab: name } }));
  fill(root, make("h1", {}, "Rules"), make("div", { class: "tools" }, choice, edit, file), problem,
    make("div", { class: "sides" }, make("div", {}, editing, source),
      make("div", { class: "side" }, make("div", { class: "tools" }, tabs), trace, requests, trial.element)));

  const subject = () => ({
    service: place?.service ?? firestore, project: place?.project ?? project, database: place?.database, bucket: place?.bucket,
  });
  const opened = () => judged.requests.find((request) => request.id === asked.get("request"));

  const watch = poll(load, pollInterval);
  const listener = watchRequests((list, error) => { judged = { requests: list, error }; drawSide(); if (asked.get("request")) drawRules(); });

  async function load(signal) {
    try {
      project ??= (await consoleState()).project;
      places = await rulePlaces(signal);
      place = places.find(({ id }) => id === asked.get("of")) ?? places[0];
      shown = await rulesCoverage(place, project, signal);
      fill(problem);
      drawChoice();
      drawRules();
      drawEditor();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      fill(problem, notice(error.message, "bad"));
    }
  }

  function drawChoice() {
    if (document.activeElement !== choice) {
      fill(choice, places.map(({ id, title }) => make("option", { value: id }, title)));
      choice.value = place.id;
    }
    // The rules of a bucket or of a database of its own cannot be replaced here.
    setText(file, place.name ?? "");
    edit.hidden = place.service !== firestore || !!place.database || asked.has("edit");
  }

  /// Draws the source, where it or its figures changed.
  function drawRules() {
    if (!shown) return;
    const request = opened();
    const isTrial = asked.get("tab") === "try";
    const text = request?.rules ?? shown.source;
    const isOther = text !== shown.source;
    const outcomes = request && !isTrial ? request.outcomes : isTrial ? tried : new Map();
    const line = Number(asked.get("line") ?? 0);
    const state = JSON.stringify([place.id, text, place.rules, shown.report, [...outcomes], line]);
    if (state === drawn) return;
    drawn = state;
    drawSource(source, {
      source: text, outcomes, opened: line, open: (next) => change({ line: next || null }, { replaces: true }),
      figures: isOther ? new Map() : figuresByLine(place.rules),
      expressions: isOther ? new Map() : expressionsByLine(text, shown.report),
    });
    if (isOther) source.prepend(notice("The request was judged by these rules; others are in force now.", "warn"));
    if (!place.rules.length && !isOther && place.source === undefined) {
      source.prepend(notice("No rules were given: everything is open. Start with --rules FILE and --storage-rules FILE, "
        + "or edit these for a try."));
    }
  }

  /// Shows the editor or the rules. A draft is kept while a request is looked at.
  function drawEditor() {
    const isWanted = asked.has("edit") && shown && place.service === firestore;
    const isOpening = isWanted && editing.hidden;
    source.hidden = isWanted;
    editing.hidden = !isWanted;
    if (!isWanted && !editor?.isChanged) dropDraft();
    setText(edit, editor ? "Edit the draft…" : "Edit for a try…");
    if (!isOpening) return;
    if (!editor) {
      const name = place.project ?? project;
      editor = rulesEditor({
        source: shown.source, name, applied: () => watch.now(), close() { dropDraft(); change({ edit: null }); },
      });
      fill(editing, editor.element);
    }
    editor.focus();
  }

  function dropDraft() {
    editor = undefined;
    editing.hidden = true;
    fill(editing);
  }

  function drawSide() {
    const isTrial = asked.get("tab") === "try";
    for (const tab of tabs) tab.setAttribute("aria-pressed", (tab.dataset.tab === "try") === isTrial ? "true" : "false");
    trial.element.hidden = !isTrial;
    requests.hidden = isTrial;
    const request = isTrial ? undefined : opened();
    const state = request ? `${request.id} ${request.outcome} ${request.outcomes.size}` : "";
    if (state !== traced) {
      traced = state;
      if (request) drawTrace(trace, request, { show: reveal, close: () => change({ request: null }) }); else fill(trace);
    }
    if (!isTrial) drawRequests(requests, { ...judged, opened: asked.get("request"), open: (id) => change({ request: id, edit: null }) });
  }

  function reveal(line) {
    source.querySelector(`tr[data-line="${line}"]`)?.scrollIntoView({ block: "center" });
  }

  function apply(next) {
    const isOther = next.get("of") !== asked.get("of");
    asked = next;
    trial.take(asked);
    drawSide();
    if (isOther) dropDraft();
    if (isOther || !shown) return watch.now();
    drawChoice();
    drawEditor();
    drawRules();
    const request = opened();
    if (request) reveal([...request.outcomes].find(([, holds]) => holds)?.[0] ?? [...request.outcomes.keys()][0]);
  }

  apply(parameters);
  return { change: apply, end() { watch.end(); listener.end(); } };
}

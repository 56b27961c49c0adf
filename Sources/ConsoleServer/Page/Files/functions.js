// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The functions that run on changes, and what became of the events for each.

import { get } from "./api.js";
import { fill, isInUse, make, notice, setText } from "./dom.js";
import { count, counted } from "./format.js";
import { poll } from "./poll.js";
import { change } from "./route.js";
import { table } from "./tables.js";

const pollInterval = 2_000;
const shownMax = 500;
/// Functions on users and objects are known by the type of their events.
const users = "providers/firebase.auth/eventTypes/user.";
const objects = "google.storage.object.";
const columns = ["Function", "Runs on", ["Delivered", "number"], ["Failed", "number"], ["Retried", "number"], ["Dropped", "number"]];

export function show(root, parameters) {
  let asked = parameters;
  let report;
  let drawn;
  let drawnRows;

  const filter = make("input", {
    type: "search", placeholder: "Filter by name", "aria-label": "Filter functions", "data-filter": true,
    on: { input: () => change({ q: filter.value.trim() }, { replaces: true }) },
  });
  const tools = make("div", { class: "tools", hidden: true }, make("span", { class: "grow" }, filter));
  const status = make("p", { class: "soft", role: "status" }, "Reading…");
  const body = make("div");
  fill(root, make("h1", {}, "Functions"),
    make("p", { class: "soft" }, "Changes of documents, objects and users are events for functions, and for URLs of ",
      make("code", {}, "--events"), ". No commit waits for them."),
    tools, status, body);

  const watch = poll(async (signal) => {
    try {
      report = await get("/usage/functions", { signal });
      draw();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      drawn = undefined;
      setText(status, "");
      fill(body, notice(error.message, "bad"));
    }
  }, pollInterval);

  function draw() {
    const { functions, triggers } = report;
    const text = (asked.get("q") ?? "").toLowerCase();
    const matching = functions.filter(({ name }) => name.toLowerCase().includes(text));
    const registered = triggers > 0 && `${counted(triggers, "trigger")} on documents ${triggers === 1 ? "is" : "are"} registered`;
    const more = matching.length > shownMax ? `, of which the first ${count(shownMax)} are shown` : "";
    tools.hidden = functions.length === 0;
    setText(status, functions.length === 0 ? ""
      : `${count(matching.length)} of ${counted(functions.length, "function")} with events${more}${registered ? `; ${registered}` : ""}`);
    const state = JSON.stringify([triggers, matching.slice(0, shownMax)]);
    if (state === drawn) return;
    // Counts move while events are sent: rows that are in use stay until they are not.
    const rows = JSON.stringify(matching.slice(0, shownMax).map(({ name }) => name));
    if (rows === drawnRows && isInUse(body)) return;
    [drawn, drawnRows] = [state, rows];
    const counts = "Change a document, and its events are counted here.";
    if (functions.length === 0) return fill(body, registered ? notice(`${registered}. ${counts}`) : howTo());
    if (matching.length === 0) return fill(body);
    fill(body, make("div", { class: "scroll card", tabindex: "0", role: "region", "aria-label": "Events of functions" },
      table(columns, make("tbody", {}, matching.slice(0, shownMax).map(drawFunction)))));
  }

  function apply(next) {
    asked = next;
    const text = asked.get("q") ?? "";
    if (filter.value.trim() !== text) filter.value = text;
    if (report) draw();
  }

  apply(parameters);
  return { change: apply, end() { watch.end(); } };
}

function drawFunction({ name, succeeded, failed, repeated, dropped }) {
  const figure = (number, isBad) => make("td", { class: `number ${isBad && number > 0 ? "bad" : ""}` }, count(number));
  return make("tr", {},
    make("td", { class: "name mono" }, make("bdi", {}, name)), make("td", {}, subject(name)),
    figure(succeeded), figure(failed, true), figure(repeated), figure(dropped, true));
}

function subject(name) {
  if (name.startsWith(users)) return `users: ${name.slice(users.length)}`;
  if (name.startsWith(objects)) return `objects: ${name.slice(objects.length)}`;
  return /^https?:/.test(name) ? "changes, at a URL" : "documents";
}

function howTo() {
  const code = (text) => make("code", {}, text);
  return make("div", { class: "notice" },
    make("p", {}, "No function is known, and no event was sent. Functions run in the Functions emulator of firebase-tools, beside this one:"),
    make("pre", {}, "firebase emulators:start --only functions"),
    make("p", {}, "It is found where your ", code("firebase.json"), " has it with ", code("firemeter start"), ", or at ",
      code("--functions HOST:PORT"), ". ", code("--events URL"), " sends changes to any URL as CloudEvents."));
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The functions that run on changes, and what became of the events for each.

import { get } from "./api.js";
import { fill, make, notice, setText } from "./dom.js";
import { count, counted } from "./format.js";
import { movingRows } from "./moving-rows.js";
import { poll } from "./poll.js";
import { searchField } from "./search-field.js";
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

  const filter = searchField("Filter by name", "Filter functions");
  const tools = make("div", { class: "tools", hidden: true }, make("span", { class: "grow" }, filter.element));
  const status = make("p", { class: "soft", role: "status" }, "Reading…");
  const body = make("div");
  const rows = movingRows(body);
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
      rows.forget();
      setText(status, "");
      fill(body, notice(error.message, "bad"));
    }
  }, pollInterval);

  function draw() {
    const { functions, triggers } = report;
    const text = filter.take(asked);
    const matching = functions.filter(({ name }) => name.toLowerCase().includes(text));
    const registered = triggers > 0 && `${counted(triggers, "trigger")} on documents ${triggers === 1 ? "is" : "are"} registered`;
    const shown = matching.slice(0, shownMax);
    const more = matching.length > shownMax ? `, of which the first ${count(shownMax)} are shown` : "";
    tools.hidden = functions.length === 0;
    setText(status, functions.length === 0 ? ""
      : `${count(matching.length)} of ${counted(functions.length, "function")} with events${more}${registered ? `; ${registered}` : ""}`);
    const names = [functions.length > 0, ...shown.map(({ name }) => name)];
    rows.draw([triggers, names, shown], names, () => drawRows(shown, registered));
  }

  function drawRows(shown, registered) {
    const counts = "Change a document, and its events are counted here.";
    if (report.functions.length === 0) return fill(body, registered ? notice(`${registered}. ${counts}`) : howTo());
    if (shown.length === 0) return fill(body);
    fill(body, make("div", { class: "scroll card", tabindex: "0", role: "region", "aria-label": "Events of functions" },
      table(columns, make("tbody", {}, shown.map(drawFunction)))));
  }

  function apply(next) {
    asked = next;
    filter.take(asked);
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

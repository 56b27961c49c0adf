// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The page: its views, the address that names one, and what is around them. A view is a module with
// `show(root, parameters)`, which answers `{ change(parameters), end() }`; both are optional.

import { consoleState, get, send } from "./api.js";
import { showConditions } from "./conditions.js";
import { fill, make, notice } from "./dom.js";
import { bindKeys } from "./keys.js";
import { poll } from "./poll.js";
import { bindTheme } from "./theme.js";
import { showTotals } from "./totals.js";
import { current } from "./route.js";
import { startUsage } from "./usage.js";
import { groups, views } from "./views.js";

const functionsInterval = 10_000;
const content = document.getElementById("content");
const functionsLink = "#views [data-view=functions]";
let hasFunctions = false;
let shown = { name: undefined, view: undefined, number: 0 };

function drawNavigation() {
  const nav = document.getElementById("views");
  fill(nav, groups.map((group) => make("div", { class: "group" },
    make("h2", {}, group.title),
    group.views.map((name) => make("a", { href: `#/${name}`, data: { view: name } }, views[name].title)))));
}

/// Most projects have no functions: their view is listed once there are some.
function showFunctions() {
  const watch = poll(async (signal) => {
    try {
      const { triggers, functions } = await get("/usage/functions", { signal });
      if (!triggers && functions.length === 0) return;
      hasFunctions = true;
      document.querySelector(functionsLink).hidden = false;
      watch.end();
    } catch (error) {
      if (error.name === "AbortError") throw error;
    }
  }, functionsInterval);
}

async function route() {
  const { view: asked, parameters } = current();
  const name = Object.hasOwn(views, asked) ? asked : "live";
  if (name === shown.name && shown.view) return shown.view.change?.(parameters);
  shown.view?.end?.();
  const number = shown.number + 1;
  shown = { name, view: undefined, number };
  for (const link of document.querySelectorAll("#views a")) {
    if (link.dataset.view !== name) { link.removeAttribute("aria-current"); continue; }
    link.setAttribute("aria-current", "page");
    // On a phone the views are one line, longer than the window.
    link.scrollIntoView({ block: "nearest", inline: "center" });
  }
  document.querySelector(functionsLink).hidden = !hasFunctions && name !== "functions";
  document.title = `${views[name].title} · Firemeter`;
  try {
    const module = await views[name].load();
    if (shown.number !== number) return;
    const root = make("div", { class: `view ${name}` });
    fill(content, root);
    shown.view = module.show(root, current().parameters) ?? {};
  } catch (error) {
    if (shown.number === number) fill(content, notice(String(error.message ?? error), "bad"));
  }
}

async function start() {
  drawNavigation();
  bindTheme();
  bindKeys(views);
  addEventListener("hashchange", route);
  startUsage();
  showTotals(document.getElementById("totals"), document.getElementById("link-state"));
  showFunctions();
  showConditions(document.getElementById("conditions"));
  route();
  const state = await consoleState();
  document.getElementById("project").textContent = state.project;
  if (state.firebaseInterface) {
    document.getElementById("views").append(make("a", { href: state.firebaseInterface }, "Firebase's own page"));
  }
  startRecording();
}

/// "What if" is about a session, which is recorded from when the page is first opened.
async function startRecording() {
  const { recording } = await get("/console/recording");
  if (!recording) await send("POST", "/console/recording/start");
}

start();

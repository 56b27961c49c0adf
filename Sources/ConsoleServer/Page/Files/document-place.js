// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The project and the database that documents are shown of: the emulator's, those that clients called, or others by name.

import { consoleState, get } from "./api.js";
import { change } from "./route.js";
import { ask, choice, field } from "./data-dialog.js";
import { fill, make } from "./dom.js";

const defaultDatabase = "(default)";

/// The place that the address names; without one the emulator's project, or where that has no documents, one that has.
export async function placeOf(parameters) {
  const database = parameters.get("database") || defaultDatabase;
  if (parameters.has("project")) return { project: parameters.get("project"), database };
  const [{ project }, { databases }] = await Promise.all([consoleState(), get("/console/databases")]);
  const first = databases[0];
  if (!first || parameters.has("database") || databases.some((name) => name.startsWith(`${project}/`))) return { project, database };
  return { project: first.split("/")[0], database: first.split("/")[1] };
}

/// The control that chooses another.
export function placeChoice(place) {
  const root = make("span", { class: "place" });
  draw([]);
  known().then(draw, () => {});

  function draw(others) {
    const here = `${place.project}/${place.database}`;
    const names = [...new Set([here, ...others])].sort();
    const select = choice([...names, ["", "Another…"]], here, {
      "aria-label": "Project and database",
      on: { change: () => chosen(select.value) },
    });
    fill(root, select);

    function chosen(name) {
      if (name) return go(...name.split("/"));
      select.value = here;
      return askForAnother(place);
    }
  }

  return root;
}

function go(project, database) {
  change({ project, database, path: null, open: null, where: null, order: null, limit: null, columns: null, group: null });
}

function askForAnother(place) {
  const project = make("input", { value: place.project, required: true });
  const database = make("input", { value: place.database, required: true });
  ask({
    title: "Another database", action: "Open", body: [field("Project", project), field("Database", database)],
    run: () => go(project.value.trim(), database.value.trim()),
  });
}

async function known() {
  const [{ project }, { databases }] = await Promise.all([consoleState(), get("/console/databases")]);
  return [`${project}/${defaultDatabase}`, ...databases];
}

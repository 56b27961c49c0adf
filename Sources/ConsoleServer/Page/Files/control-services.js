// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Where the services listen, and the lines by which apps are pointed at them.

import { consoleState } from "./api.js";
import { controlCard } from "./control-card.js";
import { button, copy, fill, make } from "./dom.js";
import { change } from "./route.js";
import { table } from "./tables.js";

/// The lines for each kind of app; `at(name, host)` is the address of a service.
const kits = {
  swift: { title: "Swift", lines: (at) => [
    at.firestore && `Firestore.firestore().useEmulator(withHost: "${at.firestore.host}", port: ${at.firestore.port})`,
    at.storage && `Storage.storage().useEmulator(withHost: "${at.storage.host}", port: ${at.storage.port})`,
    at.auth && `Auth.auth().useEmulator(withHost: "${at.auth.host}", port: ${at.auth.port})`,
  ] },
  kotlin: { title: "Kotlin", note: "10.0.2.2 is this machine for the Android emulator.", lines: (at) => [
    at.firestore && `Firebase.firestore.useEmulator("10.0.2.2", ${at.firestore.port})`,
    at.storage && `Firebase.storage.useEmulator("10.0.2.2", ${at.storage.port})`,
    at.auth && `Firebase.auth.useEmulator("10.0.2.2", ${at.auth.port})`,
  ] },
  javascript: { title: "JavaScript", lines: (at) => [
    at.firestore && `connectFirestoreEmulator(db, "${at.firestore.host}", ${at.firestore.port});`,
    at.storage && `connectStorageEmulator(storage, "${at.storage.host}", ${at.storage.port});`,
    at.auth && `connectAuthEmulator(auth, "http://${at.auth.address}");`,
  ] },
  admin: { title: "Admin SDKs", lines: (at) => [
    at.firestore && `export FIRESTORE_EMULATOR_HOST=${at.firestore.address}`,
    at.storage && `export FIREBASE_STORAGE_EMULATOR_HOST=${at.storage.address}`,
    at.auth && `export FIREBASE_AUTH_EMULATOR_HOST=${at.auth.address}`,
  ] },
  cloud: { title: "Google Cloud libraries", lines: (at) => [
    at.firestore && `export FIRESTORE_EMULATOR_HOST=${at.firestore.address}`,
    at.storage && `export STORAGE_EMULATOR_HOST=http://${at.storage.address}`,
  ] },
};

export function servicesCard(parameters) {
  const card = controlCard("Services");
  const tabs = Object.entries(kits).map(([name, kit]) =>
    button(kit.title, () => change({ sdk: name }, { replaces: true }), { data: { kit: name } }));
  const version = make("p", { class: "soft" });
  const addresses = make("tbody");
  const lines = make("pre", { class: "scroll", tabindex: "0", "aria-label": "Lines to set an app up" });
  const note = make("p", { class: "soft" });
  fill(card.body, version,
    table(["service", "address", "Copy"], addresses),
    make("h3", {}, "Point an app at them"), make("div", { class: "tools" }, tabs), lines, note,
    make("div", { class: "tools" }, button("Copy the lines", (event) => copy(lines.textContent, event.target))));
  let services;

  card.read(async () => {
    const state = await consoleState();
    services = Object.fromEntries(Object.entries(state.services).map(([name, { host, port }]) =>
      [name, { host, port, address: `${host.includes(":") ? `[${host}]` : host}:${port}` }]));
    fill(version, `Firemeter ${state.version}, project ${state.project}${state.isMetered === false ? ", nothing is metered" : ""}.`);
    fill(addresses, Object.entries(services).map(([name, { address }]) => make("tr", {},
      make("td", {}, name), make("td", {}, make("code", {}, address)),
      make("td", {}, button("Copy", (event) => copy(address, event.target), {
        class: "small", "aria-label": `Copy the address of ${name}`,
      })))));
    draw(parameters);
  });

  function draw(next) {
    const name = Object.hasOwn(kits, next.get("sdk") ?? "") ? next.get("sdk") : "swift";
    for (const tab of tabs) tab.setAttribute("aria-pressed", tab.dataset.kit === name ? "true" : "false");
    if (!services) return;
    fill(lines, kits[name].lines(services).filter(Boolean).join("\n"));
    fill(note, kits[name].note ?? "");
  }

  return { element: card.element, change: draw };
}

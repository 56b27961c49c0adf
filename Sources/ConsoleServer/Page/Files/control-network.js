// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The network that apps seem to have: later answers, slower downloads.

import { get, send } from "./api.js";
import { field } from "./ask.js";
import { noteConditions } from "./conditions.js";
import { controlCard } from "./control-card.js";
import { button, fill, make, setText } from "./dom.js";
import { count } from "./format.js";
import { poll } from "./poll.js";

const path = "/console/network";
const pollInterval = 5_000;

export function networkCard() {
  const card = controlCard("Network",
    make("p", { class: "soft" }, "A slower link, which all apps share. Connections that are open end when it changes, as when a phone changes its network."));
  card.element.hidden = true;
  const state = make("p", { role: "status" });
  const profile = make("select", { data: { profile: "" }, on: { change: choose } });
  const number = (properties) => make("input", { type: "number", class: "tiny", on: { input: name }, ...properties });
  const controls = {
    latencyMilliseconds: number({ min: "0", placeholder: "none" }),
    downKilobitsPerSecond: number({ min: "1", placeholder: "no limit" }),
    upKilobitsPerSecond: number({ min: "1", placeholder: "no limit" }),
  };
  const off = button("Off", () => put({}));
  fill(card.body, state, make("form", { class: "tools fields", on: { submit } },
    field("Profile", profile), field("Delay in ms", controls.latencyMilliseconds),
    field("Down in kbit/s", controls.downKilobitsPerSecond), field("Up in kbit/s", controls.upKilobitsPerSecond),
    make("button", { type: "submit", class: "main" }, "Apply"), off));
  let profiles = [];
  let drawn;
  let changeCount = 0;

  // Others can change it, too.
  const watch = poll((signal) => card.read(async () => {
    const changes = changeCount;
    const answer = await get(path, { signal });
    if (changes !== changeCount || JSON.stringify(answer) === drawn || card.body.contains(document.activeElement)) return;
    if (!profiles.length) {
      profiles = answer.profiles ?? [];
      fill(profile, make("option", { value: "" }, "own figures"), profiles.map((each) => make("option", { value: each.name }, each.title)));
    }
    draw(answer);
  }), pollInterval);

  function draw(network) {
    drawn = JSON.stringify(network);
    const chosen = profiles.find((each) => each.name === network.profile);
    const isOn = Object.keys(controls).some((figure) => network[figure] > 0);
    profile.value = chosen?.name ?? "";
    show(network);
    noteConditions({ isThrottled: isOn });
    setText(state, isOn ? `On: ${chosen ? `${chosen.title}, that is ` : ""}${words(network)}.` : "Off: as fast as this machine is.");
    state.classList.toggle("notice", isOn);
    state.classList.toggle("warn", isOn);
  }

  function show(network) { for (const [figure, control] of Object.entries(controls)) control.value = network[figure] || ""; }

  /// The profile's figures, to look at or to change before they are applied.
  function choose() {
    const chosen = profiles.find((each) => each.name === profile.value);
    if (chosen) show(chosen);
  }

  function figures() {
    return Object.fromEntries(Object.entries(controls)
      .filter(([, control]) => control.value !== "")
      .map(([figure, control]) => [figure, Number(control.value)]));
  }

  /// Changed figures are no longer a profile's, or are those of another.
  function name() {
    const own = figures();
    const isOf = (each) => Object.keys(controls).every((figure) => (each[figure] ?? 0) === (own[figure] ?? 0));
    profile.value = profiles.find(isOf)?.name ?? "";
  }

  function submit(event) {
    event.preventDefault();
    put(profile.value ? { profile: profile.value } : figures());
  }

  function put(network) {
    changeCount += 1;
    card.attempt(async () => draw(await send("PUT", path, network)));
  }

  return { element: card.element, end: () => watch.end() };
}

function words({ latencyMilliseconds: delay, downKilobitsPerSecond: down, upKilobitsPerSecond: up }) {
  const texts = [delay > 0 && `${count(delay)} ms later`, down && `${count(down)} kbit/s down`, up && `${count(up)} kbit/s up`];
  return texts.filter(Boolean).join(", ");
}

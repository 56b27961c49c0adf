// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The network that apps seem to have: later answers, slower downloads.

import { get, send } from "./api.js";
import { field } from "./ask.js";
import { controlCard } from "./control-card.js";
import { button, fill, make, setText } from "./dom.js";
import { count } from "./format.js";

const path = "/console/network";

export function networkCard() {
  const card = controlCard("Network", make("p", { class: "soft" }, "Answers are held back as on a slower link."));
  card.element.hidden = true;
  const state = make("p", { role: "status" });
  const profile = make("select", { on: { change: choose } });
  const number = (properties) => make("input", { type: "number", min: "0", step: "any", class: "short", ...properties });
  const latency = number({});
  const speed = number({ placeholder: "no limit" });
  const off = button("Off", () => put({ profile: null, latencyMilliseconds: 0, downKilobitsPerSecond: null }));
  fill(card.body, state, make("form", { class: "tools fields", on: { submit } },
    field("Profile", profile), field("Delay in ms", latency), field("Down in kbit/s", speed),
    make("button", { type: "submit", class: "main" }, "Apply"), off));
  let profiles = [];

  card.read(async () => {
    const answer = await get(path);
    profiles = answer.profiles ?? [];
    fill(profile, make("option", { value: "" }, "own figures"),
      profiles.map((each) => make("option", { value: each.name }, each.title ?? each.name)));
    draw(answer);
  });

  function draw(network) {
    const isOn = !!network.latencyMilliseconds || !!network.downKilobitsPerSecond;
    profile.value = profiles.some(({ name }) => name === network.profile) ? network.profile : "";
    latency.value = network.latencyMilliseconds ?? 0;
    speed.value = network.downKilobitsPerSecond || "";
    off.disabled = !isOn;
    setText(state, isOn ? `On${network.profile ? `: ${network.profile}` : ""}, ${count(network.latencyMilliseconds ?? 0)} ms`
      + `${network.downKilobitsPerSecond ? `, ${count(network.downKilobitsPerSecond)} kbit/s` : ""}.` : "Off: as fast as this machine is.");
  }

  function choose() {
    const chosen = profiles.find(({ name }) => name === profile.value);
    if (!chosen) return;
    latency.value = chosen.latencyMilliseconds;
    speed.value = chosen.downKilobitsPerSecond;
  }

  function submit(event) {
    event.preventDefault();
    const [milliseconds, kilobits] = [Number(latency.value), speed.value ? Number(speed.value) : null];
    const chosen = profiles.find(({ name }) => name === profile.value);
    const isProfile = chosen?.latencyMilliseconds === milliseconds && chosen.downKilobitsPerSecond === kilobits;
    put({ profile: isProfile ? chosen.name : null, latencyMilliseconds: milliseconds, downKilobitsPerSecond: kilobits });
  }

  function put(network) { card.attempt(async () => draw((await send("PUT", path, network)) ?? network)); }

  return { element: card.element };
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The network that apps seem to have: later answers, slower downloads.

import { get, send } from "./api.js";
import { field } from "./ask.js";
import { noteConditions } from "./conditions.js";
import { controlCard } from "./control-card.js";
import { button, fill, make, setText } from "./dom.js";
import { count } from "./format.js";

const path = "/console/network";

export function networkCard() {
  const card = controlCard("Network",
    make("p", { class: "soft" }, "A slower link, which all apps share; it holds for connections that are open already, too."));
  card.element.hidden = true;
  const state = make("p", { role: "status" });
  const profile = make("select", { data: { profile: "" }, on: { change: choose } });
  const number = (properties) => make("input", { type: "number", min: "0", step: "any", class: "tiny", on: { input: name }, ...properties });
  const latency = number({ placeholder: "none" });
  const speed = number({ placeholder: "no limit" });
  const off = button("Off", () => put({}));
  fill(card.body, state, make("form", { class: "tools fields", on: { submit } },
    field("Profile", profile), field("Delay in ms", latency), field("Down in kbit/s", speed),
    make("button", { type: "submit", class: "main" }, "Apply"), off));
  let profiles = [];

  card.read(async () => {
    const answer = await get(path);
    profiles = answer.profiles ?? [];
    fill(profile, make("option", { value: "" }, "own figures"), profiles.map((each) => make("option", { value: each.name }, each.title)));
    draw(answer);
  });

  function draw(network) {
    const { latencyMilliseconds: delay = 0, downKilobitsPerSecond: kilobits } = network;
    const isOn = delay > 0 || kilobits !== undefined;
    const chosen = profiles.find(({ name }) => name === network.profile);
    profile.value = chosen?.name ?? "";
    latency.value = delay || "";
    speed.value = kilobits ?? "";
    off.disabled = !isOn;
    noteConditions({ isThrottled: isOn });
    const parts = [delay > 0 && `${count(delay)} ms later`, kilobits !== undefined && `${count(kilobits)} kbit/s`].filter(Boolean);
    setText(state, isOn ? `On: ${chosen ? `${chosen.title}, ` : ""}${parts.join(", ")}.` : "Off: as fast as this machine is.");
    state.classList.toggle("notice", isOn);
    state.classList.toggle("warn", isOn);
  }

  /// The profile's figures, to look at or to change before they are applied.
  function choose() {
    const chosen = profiles.find(({ name }) => name === profile.value);
    if (!chosen) return;
    latency.value = chosen.latencyMilliseconds || "";
    speed.value = chosen.downKilobitsPerSecond ?? "";
  }

  function figures() {
    const read = (control) => (control.value === "" ? undefined : Number(control.value));
    return { latencyMilliseconds: read(latency), downKilobitsPerSecond: read(speed) };
  }

  /// Changed figures are no longer a profile's.
  function name() {
    const { latencyMilliseconds: delay = 0, downKilobitsPerSecond: kilobits } = figures();
    profile.value = profiles.find((each) =>
      (each.latencyMilliseconds ?? 0) === delay && each.downKilobitsPerSecond === kilobits)?.name ?? "";
  }

  function submit(event) {
    event.preventDefault();
    put(profile.value ? { profile: profile.value } : figures());
  }

  function put(network) { card.attempt(async () => draw(await send("PUT", path, network))); }

  return { element: card.element };
}

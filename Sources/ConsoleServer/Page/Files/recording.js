// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The session that is recorded: its state, and starting and ending it.

import { get, send } from "./api.js";
import { button, fill, make, notice } from "./dom.js";
import { bytes, counted, time } from "./format.js";

const interval = 2_000;

/// Makes the card: `{ element, end() }`; `changed(state)` is called with each new state, `null` where nothing is recorded.
export function recordingCard(changed) {
  const text = make("p", {});
  const problem = make("div");
  const begin = button("Start recording", () => act("start"), { class: "main" });
  const again = button("Begin a new one", () => act("restart"), { title: "Forgets what was recorded, and begins with what comes now" });
  const stop = button("Stop", () => act("stop"));
  const log = make("a", { class: "button", href: "/console/session.log", download: "session.log" }, "Save the session log");
  const report = make("a", { class: "button", href: "/console/report", target: "_blank", rel: "noopener" }, "Open the report");
  const element = make("section", { class: "card recording", "aria-label": "Recorded session" }, text, problem,
    make("div", { class: "tools" }, begin, again, stop, log, report));
  let timer;
  let isEnded = false;

  async function act(name) {
    try {
      await send("POST", `/console/recording/${name}`);
      fill(problem);
    } catch (error) {
      fill(problem, notice(error.message, "bad"));
    }
    await refresh();
  }

  async function refresh() {
    clearTimeout(timer);
    try {
      if (!document.hidden) draw((await get("/console/recording")).recording);
    } catch (error) {
      fill(text, error.message);
    }
    if (isEnded) return;
    clearTimeout(timer);
    timer = setTimeout(refresh, interval);
  }

  function draw(state) {
    if (isEnded) return;
    const isRunning = state && state.until === undefined;
    begin.hidden = Boolean(isRunning);
    // The file that was named when the emulator was started is written to its end.
    for (const each of [again, stop]) each.hidden = !isRunning || state.file !== undefined;
    for (const each of [log, report]) each.hidden = !state;
    fill(text, words(state));
    changed(state);
  }

  refresh();
  return { element, end() { isEnded = true; clearTimeout(timer); } };
}

function words(state) {
  if (!state) return "Nothing is recorded. Start, use your app, and come back: the session is then played again with other strategies.";
  if (state.requests === 0 && state.until === undefined) return `Recording since ${time(state.since)}. Use your app now.`;
  const span = state.until === undefined ? `since ${time(state.since)}` : `from ${time(state.since)} to ${time(state.until)}`;
  return `Recorded ${span}: ${counted(state.requests, "request")}, a log of ${bytes(state.bytes)}`
    + `${state.isFull ? "; it is full, and what comes now is not in it" : ""}${state.file === undefined ? "" : `, in ${state.file}`}.`;
}

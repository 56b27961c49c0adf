// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The session so far as it would have been with other strategies.

import { get } from "./api.js";
import { button, fill, make, notice, setText } from "./dom.js";
import { counted } from "./format.js";
import { recordingCard } from "./recording.js";
import { change } from "./route.js";
import { strategyForm } from "./strategy-form.js";
import { findingList, inferenceNote, screenTable, strategyTable, verdict } from "./what-if-report.js";

const compared = ["all-images", "thumbnails", "thumbnails+memory", "thumbnails+memory+disk"];
const usual = "thumbnails+memory:50MB+disk:200MB:7d";
const pause = 400;

export function show(root, parameters) {
  const form = strategyForm((text) => later(text));
  const card = recordingCard(recorded);
  const top = make("div", {});
  const state = make("p", { class: "soft state", role: "status" });
  const again = button("Simulate again", () => ask(), { hidden: true });
  const problem = make("div");
  const table = make("div", { class: "results" });
  const more = make("div");
  let own = usual;
  let timer;
  let asked = new AbortController();
  let recording;
  let askedRequests = -1;

  fill(root,
    make("h1", {}, "What if"),
    top,
    card.element,
    make("section", { class: "card", "aria-label": "Strategies" }, form.element,
      make("div", { class: "tools" }, state, again), problem, table),
    more);

  function recorded(next) {
    const isNew = next?.since !== recording?.since;
    recording = next;
    if (!next || next.requests === 0) {
      asked.abort();
      askedRequests = -1;
      for (const each of [top, table, more, problem]) fill(each);
      setText(state, next ? "There is nothing to simulate yet." : "");
      again.hidden = true;
    } else if (isNew || askedRequests < 0) {
      ask();
    } else {
      again.hidden = next.requests === askedRequests;
      if (!again.hidden) setText(again, `Simulate again, with ${counted(next.requests - askedRequests, "more request")}`);
    }
  }

  /// A slider that is moved asks once, where it rests.
  function later(text) {
    clearTimeout(timer);
    timer = setTimeout(() => change({ strategy: text === usual ? null : text }, { replaces: true }), pause);
  }

  async function ask() {
    if (!recording?.requests) return;
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    askedRequests = recording.requests;
    again.hidden = true;
    table.setAttribute("aria-busy", "true");
    say("Simulating …");
    const query = new URLSearchParams([...new Set([...compared, own])].map((each) => ["strategy", each]));
    try {
      const report = await get(`/console/what-if?${query}`, { signal });
      fill(problem);
      fill(top, make("section", { class: "card", "aria-label": "Result" }, verdict(report)));
      fill(table, strategyTable(report, own));
      fill(more, section(findingList(report)), section(screenTable(report)), section(inferenceNote(report)));
      say("");
    } catch (error) {
      if (error.name === "AbortError") return;
      say("");
      fill(problem, make("pre", { class: "notice bad", role: "alert" }, error.message));
    }
    table.removeAttribute("aria-busy");
  }

  function say(text) {
    setText(state, text);
    state.classList.toggle("busy", text !== "");
  }

  function section(children) { return children.length > 0 && make("section", { class: "card" }, children); }

  function apply(next) {
    const text = next.get("strategy") || usual;
    form.show(text);
    if (text === own && askedRequests >= 0) return;
    own = text;
    ask();
  }

  apply(parameters);
  return {
    change: apply,
    end() {
      clearTimeout(timer);
      asked.abort();
      card.end();
    },
  };
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The list of the judged requests, and one of them: who asked for what, which lines decided, the values.

import { button, fill, make, notice } from "./dom.js";
import { callerOf } from "./rules-requests.js";
import { exactTime } from "./format.js";
import { valueText } from "./rules-value.js";

const words = { allow: "allowed", deny: "refused", error: "refused" };

/// Draws the list; `open(id)` opens one.
export function drawRequests(element, { requests, error, opened, open }) {
  if (error) return fill(element, notice(error.message, "bad"));
  if (!requests.length) {
    return fill(element, notice("No request to Firestore was judged since this view was opened: use your app, and each appears here. "
      + "Administrators are not judged."));
  }
  const focused = document.activeElement?.closest?.(".judged li")?.dataset.id;
  const entry = (request) => {
    const isOpened = request.id === opened;
    const parts = [
      verdict(request.outcome), make("b", {}, request.method), make("span", { class: "path" }, request.path),
      make("span", { class: "soft" }, callerOf(request) ?? "no user"), make("span", { class: "soft time" }, clock(request.time)),
    ];
    return make("li", { data: { id: request.id } },
      button(parts, () => open(isOpened ? null : request.id), { "aria-expanded": isOpened ? "true" : "false" }));
  };
  fill(element, make("ul", { class: "judged" }, requests.map(entry)));
  if (focused) [...element.querySelectorAll("li")].find((item) => item.dataset.id === focused)?.querySelector("button").focus();
}

/// Draws one request; `show(line)` scrolls the source to a line.
export function drawTrace(element, request, { show, close }) {
  const values = (title, value) => make("details", {},
    make("summary", {}, title), make("pre", { class: "scroll", tabindex: "0" }, valueText(value)));
  const title = make("h2", {}, verdict(request.outcome), ` ${request.method} `, make("bdi", {}, request.path));
  const outcomes = [...request.outcomes];
  fill(element, make("section", { class: "card trace", "aria-label": "The opened request" },
    make("div", { class: "title" }, title, button("Close", close, { class: "quiet" })),
    make("dl", {},
      make("dt", {}, "User"), make("dd", {}, callerOf(request) ?? "not signed in"),
      request.database && [make("dt", {}, "Database"), make("dd", {}, request.database)],
      make("dt", {}, "Time"), make("dd", {}, clock(request.time))),
    outcomes.length ? make("ul", { class: "lines" }, outcomes.map(([line, holds]) => make("li", {},
      button(`Line ${line}`, () => show(line), { class: "small" }), holds ? " holds" : " does not hold")))
      : make("p", { class: "soft" }, "No condition was evaluated: no match with this method has the path."),
    request.outcome === "error" && make("p", { class: "soft" }, "A condition had no value, such as a member of a document that is missing."),
    values("request", request.values.request), values("resource", request.values.resource)));
}

/// A mark with a word: color is not the only sign.
export function verdict(outcome) {
  return make("span", { class: `badge ${outcome === "allow" ? "good" : "bad"}` }, words[outcome] ?? outcome);
}

function clock(text) {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? text : exactTime(milliseconds * 1_000);
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Who causes it: the objects, queries, users, … with the most of a figure, and what is downloaded again or never shown.

import { get, send } from "./api.js";
import { againList } from "./again.js";
import { causesTable, dimensions, orders } from "./causes-table.js";
import { button, fill, make, notice, setText } from "./dom.js";
import { bytes, counted, time } from "./format.js";
import { address, change } from "./route.js";
import { unshownList } from "./unshown.js";
import { usage } from "./usage.js";

const interval = 2_000;
const groupCountMax = 100;
const againCountMax = 8;

export function show(root, parameters) {
  const again = againList();
  const unshown = unshownList();
  const table = causesTable();
  const since = sinceTools();
  const byButtons = choices(dimensions, "by", "object");
  const orderButtons = choices(orders, "order", "bytes");
  const problem = make("div");
  const unpriced = make("p", { class: "soft" });
  const indexes = make("p", { class: "missing-indexes", hidden: true });
  let shown = parameters;
  let timer;
  let asked = new AbortController();
  let shownTotal;

  fill(root,
    make("h1", {}, "Who causes it"),
    since.element,
    again.element,
    unshown.element,
    indexes,
    make("section", { class: "card", "aria-label": "Causes" },
      make("div", { class: "tools" },
        make("div", { class: "choices", role: "group", "aria-label": "Of" }, byButtons.elements),
        make("div", { class: "choices order", role: "group", "aria-label": "Order" },
          make("span", { class: "soft" }, "by"), orderButtons.elements)),
      problem, unpriced, table.element));

  async function refresh({ isForced = false } = {}) {
    clearTimeout(timer);
    asked.abort();
    asked = new AbortController();
    // Where nothing was used since, the answers would be those that are shown.
    const isNew = usage.total !== shownTotal || !usage.isLive;
    shownTotal = usage.total;
    if (isForced || (!document.hidden && isNew)) await ask(asked.signal);
    else timer = setTimeout(refresh, interval);
  }

  async function ask(signal) {
    const by = byButtons.chosen(shown);
    const order = orderButtons.chosen(shown);
    const mark = shown.get("since");
    const part = mark ? { since: mark } : {};
    const query = new URLSearchParams({ by, order: orders[order].figure, limit: groupCountMax, ...part });
    const ofWaste = new URLSearchParams({ limit: againCountMax, ...part });
    try {
      const [groups, waste, whole] = await Promise.all([
        get(`/usage?${query}`, { signal }), get(`/console/waste?${ofWaste}`, { signal }).catch(withoutMark), get("/usage", { signal }),
      ]);
      fill(problem);
      const isSinceMark = mark !== null;
      if (isSinceMark) since.draw(groups.total);
      table.draw(groups, { by, order, isSinceMark });
      const isUnpriced = order === "cost" && groups.groups.length > 0 && !groups.groups.some(orders.cost.pick);
      fill(unpriced, isUnpriced && ["Nothing here has a price in the profile of this emulator; ", make("code", {}, "--profile"),
        " names another one."]);
      unpriced.hidden = !isUnpriced;
      again.element.hidden = false;
      again.draw(waste, { isSinceMark });
      showIndexes(whole.missingIndexes ?? []);
    } catch (error) {
      if (error.name === "AbortError") return;
      // An earlier run's mark, or one from too long ago.
      const isMark = mark && [400, 410].includes(error.status);
      fill(problem, notice(error.message, "bad"), isMark && button("Show all", () => change({ since: null })));
    }
    timer = setTimeout(refresh, interval);
  }

  function showIndexes(missing) {
    indexes.hidden = missing.length === 0;
    if (missing.length === 0) return;
    fill(indexes, "Production would refuse queries of this app: ",
      make("a", { href: address("indexes") },
        `${counted(missing.length, "index", "indexes")} ${missing.length === 1 ? "is" : "are"} missing`), ".");
  }

  function apply(next) {
    const isSame = String(next) === String(shown);
    shown = next;
    byButtons.show(next);
    orderButtons.show(next);
    const mark = next.get("since");
    since.show(mark);
    // This is of everything, whatever is measured.
    unshown.element.hidden = mark !== null;
    if (!isSame) {
      table.forget();
      again.element.hidden = true;
    }
    refresh({ isForced: true });
  }

  const whenVisible = () => refresh({ isForced: !document.hidden });
  document.addEventListener("visibilitychange", whenVisible);
  apply(parameters);
  return {
    change: apply,
    end() {
      document.removeEventListener("visibilitychange", whenVisible);
      clearTimeout(timer);
      asked.abort();
      unshown.end();
    },
  };
}

/// The meter remembers marks for longer than repeated downloads are counted since them.
function withoutMark(error) {
  if (error.status !== 410) throw error;
  return { refusal: error.message };
}

/// Buttons for the values of a parameter, of which the first is not in addresses.
function choices(all, parameter, usual) {
  const elements = Object.entries(all).map(([name, { title }]) =>
    button(title, () => change({ [parameter]: name === usual ? null : name }, { replaces: true }), { data: { choice: name } }));
  const chosen = (parameters) => (Object.hasOwn(all, parameters.get(parameter) ?? "") ? parameters.get(parameter) : usual);
  return {
    elements,
    chosen,
    show(parameters) {
      for (const each of elements) each.setAttribute("aria-pressed", String(each.dataset.choice === chosen(parameters)));
    },
  };
}

/// From when on usage counts: everything, or since the button was pressed; the meter's mark is in the address.
function sinceTools() {
  const text = make("span", { class: "soft", role: "status" });
  const all = button("Show all", () => change({ since: null, at: null }), { hidden: true });
  const problem = make("span", { class: "bad" });
  async function measure() {
    try {
      const { mark } = await send("POST", "/usage/marks");
      setText(problem, "");
      change({ since: mark, at: Date.now() });
    } catch (error) {
      setText(problem, error.message);
    }
  }
  const begin = () => {
    const at = Number(new URLSearchParams(location.hash.split("?")[1]).get("at"));
    return `Measured since ${at ? time(at * 1_000) : "a mark"}: `;
  };
  return {
    element: make("div", { class: "tools" }, button("Measure from now", measure, { class: "main" }), all, text, problem),
    show(mark) {
      all.hidden = !mark;
      setText(text, mark ? `${begin()}use the screen now, and look here.` : "To measure one screen: press, use it in the app, and look here.");
    },
    /// Says the sum since the mark.
    draw({ requests, bytes: { sent }, billed: { documentReads } }) {
      if (requests > 0) {
        setText(text, `${begin()}${counted(requests, "request")}, ${bytes(sent)} downloaded, ${counted(documentReads, "document read")}.`);
      }
    },
  };
}

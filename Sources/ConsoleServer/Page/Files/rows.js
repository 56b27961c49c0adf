// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// A list of any length, of which only the rows in sight are elements. Rows have one height. A browser's elements cannot be
// taller than some 16 million pixels: a list beyond that scrolls by shares of its length.

import { make } from "./dom.js";

const heightMax = 8_000_000;
const headHeightMax = 30;
const spare = 6;
// A pointer that is down for longer clicks nothing.
const pressMilliseconds = 1_000;

/// Makes a list.
///
/// - `rowHeight`: in pixels.
/// - `draw(index)`: the content of a row, as children; `undefined` where it is not loaded.
/// - `open(index, event)`: called when a row is chosen, by the pointer or by Enter.
/// - `isChecked(index)`, `toggle(index)`: of lists whose rows can be checked; the latter is called for the space bar.
/// - `label`: what the list is of, for screen readers.
/// - `head`: children of a first row that stays.
/// - `near(first, last)`: says which rows are about to be looked at, so that they can be loaded.
export function rows({ rowHeight = 30, draw, open, label, head, near, rowClass, isChecked, toggle }) {
  let length = 0;
  let selected = -1;
  let isDrawing = false;
  // While the pointer is down, rows stay: an element that is replaced meanwhile would not be clicked.
  let isPressed = false;
  // Rows that came at the top since the last drawing, and of these, those that came while it was down.
  let addedSince = 0;
  let held;
  let headHeight = 0;
  const filler = make("div", { class: "filler", role: "presentation" });
  const actions = { scroll: () => later(), keydown, pointerdown: press };
  const root = make("div", { class: "rows", role: "group", tabindex: "0", "aria-label": label, on: actions });

  const full = () => length * rowHeight;
  const shown = () => Math.min(full(), heightMax);
  const visible = () => Math.max(1, Math.floor((root.clientHeight - headHeight) / rowHeight));
  const scale = () => {
    const room = root.clientHeight - headHeight;
    return shown() > room && full() > shown() ? (full() - room) / (shown() - room) : 1;
  };
  arrange({ rowHeight, head });

  /// Rows of another height, below another head: those that are looked at stay in sight.
  function arrange(next) {
    const row = (root.scrollTop * scale()) / rowHeight;
    ({ rowHeight, head } = next);
    headHeight = head ? Math.min(rowHeight, headHeightMax) : 0;
    const first = head && make("div", { class: "row head", role: "presentation", style: { height: `${headHeight}px` } }, head);
    root.replaceChildren(...(first ? [first, filler] : [filler]));
    filler.style.setProperty("height", `${shown()}px`);
    root.scrollTop = (row * rowHeight) / scale();
    later();
  }

  function later() {
    if (isDrawing) return;
    isDrawing = true;
    requestAnimationFrame(() => { isDrawing = false; paint(); });
  }

  function press({ button, target }) {
    // Scrollbars are no rows, and say nothing when they are released.
    if (button !== 0 || !target.closest(".row")) return;
    isPressed = true;
    const timer = setTimeout(release, pressMilliseconds);
    // The click comes behind these events.
    const soon = () => setTimeout(release);
    function release() {
      clearTimeout(timer);
      removeEventListener("pointerup", soon);
      removeEventListener("pointercancel", soon);
      settle();
    }
    addEventListener("pointerup", soon);
    addEventListener("pointercancel", soon);
  }

  function settle() {
    isPressed = false;
    if (held) prepend(held.added, held.number);
    held = undefined;
    later();
  }

  function prepend(added, number) {
    if (isPressed) {
      held = { added: added + (held?.added ?? 0), number };
      return;
    }
    const isAtTop = root.scrollTop < rowHeight;
    length = number;
    addedSince += added;
    if (selected >= 0) selected = selected + added < length ? selected + added : -1;
    filler.style.setProperty("height", `${shown()}px`);
    if (!isAtTop) root.scrollTop += (added * rowHeight) / scale();
    later();
  }

  function paint() {
    if (isPressed) return;
    addedSince = 0;
    filler.style.setProperty("height", `${shown()}px`);
    const top = root.scrollTop;
    const offset = top * scale();
    const first = Math.max(0, Math.floor(offset / rowHeight) - spare);
    const last = Math.min(length, Math.ceil((offset + root.clientHeight) / rowHeight) + spare);
    near?.(first, last);
    const elements = [];
    for (let index = first; index < last; index += 1) {
      elements.push(make("div", {
        class: `row ${rowClass?.(index) ?? ""}`,
        role: "option",
        id: `${root.dataset.name}-${index}`,
        "aria-selected": index === selected ? "true" : "false",
        "aria-checked": isChecked && String(isChecked(index)),
        "aria-posinset": index + 1,
        "aria-setsize": length,
        style: { height: `${rowHeight}px`, top: `${top + index * rowHeight - offset}px` },
        on: { click: (event) => { settle(); choose(index + addedSince, event); } },
      }, draw(index) ?? "…"));
    }
    filler.replaceChildren(...elements);
    // A list box without options is none.
    root.setAttribute("role", elements.length ? "listbox" : "group");
    if (selected >= first && selected < last) root.setAttribute("aria-activedescendant", `${root.dataset.name}-${selected}`);
    else root.removeAttribute("aria-activedescendant");
  }

  function choose(index, opening) {
    if (index < 0 || index >= length) return;
    selected = index;
    // What was clicked is in sight, unless rows came meanwhile; then the list stays at its top.
    if (opening) open?.(index, opening); else reveal(index);
    later();
  }

  function reveal(index) {
    const offset = root.scrollTop * scale();
    const room = visible() * rowHeight;
    if (index * rowHeight < offset) root.scrollTop = (index * rowHeight) / scale();
    else if ((index + 1) * rowHeight > offset + room) root.scrollTop = ((index + 1) * rowHeight - room) / scale();
  }

  function keydown(event) {
    const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: visible(), PageUp: -visible(), Home: -length, End: length };
    if (event.key === "Enter" && selected >= 0) { event.preventDefault(); return open?.(selected, event); }
    if (event.key === " " && toggle && selected >= 0) { event.preventDefault(); toggle(selected); return later(); }
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    choose(Math.min(length - 1, Math.max(0, selected + step)));
  }

  root.dataset.name = `rows${rows.number = (rows.number ?? 0) + 1}`;
  const watcher = new ResizeObserver(later);
  watcher.observe(root);

  return {
    element: root,
    /// Says how many rows there are, and draws them.
    setLength(number) { length = number; if (selected >= length) selected = -1; later(); },
    /// Says that rows came at the top: those that are looked at stay where they are, unless the top is.
    prepend,
    arrange,
    redraw: later,
    get selected() { return selected; },
    select(index) { selected = index; later(); },
    reveal(index) { reveal(index); later(); },
    get isAtTop() { return root.scrollTop < rowHeight; },
    scrollToTop() { root.scrollTop = 0; },
    end() { watcher.disconnect(); },
  };
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Uploads into a folder, by a button or dropped on the view; several at once, each with its progress.

import { button, fill, make } from "./dom.js";
import { bytes, percent } from "./format.js";
import { upload } from "./storage.js";

/// Files are sent in one piece.
const byteCountMax = 100_000_000;
const parallelCount = 2;
/// Lines about uploads that are kept.
const lineCountMax = 50;

// Uploads outlive the view that began them: they are finished while another is shown, and seen again when this one is.
const state = make("ul", { class: "uploads", "aria-label": "Uploads", role: "status", hidden: true });
const waiting = [];
let laneCount = 0;
let stored = () => {};

/// The controls: `button`, `state` (the uploads so far). `zone` takes dropped files; `place()` is where they go to.
export function uploads({ zone, place, done }) {
  stored = done;
  const picker = make("input", { type: "file", multiple: true, hidden: true, on: { change: picked } });
  const start = make("span", {}, button("Upload", () => picker.click(), { class: "main" }), picker);

  function picked() {
    take([...picker.files]);
    picker.value = "";
  }

  function take(files) {
    const { bucket, prefix } = place();
    if (!bucket) return;
    for (const file of files) {
      const text = make("span", { class: "cut" });
      const hide = () => { line.remove(); state.hidden = state.childElementCount === 0; };
      const line = make("li", {}, make("span", { class: "cut", dir: "auto" }, file.name), text,
        button("×", hide, { class: "quiet", "aria-label": `Hide ${file.name}` }));
      state.prepend(line);
      while (state.childElementCount > lineCountMax) state.lastChild.remove();
      if (file.size > byteCountMax) fill(text, make("span", { class: "bad" }, `larger than ${bytes(byteCountMax)}; use an SDK or gcloud`));
      else waiting.push({ bucket, name: `${prefix}${file.name}`, file, text });
    }
    state.hidden = state.childElementCount === 0;
    while (laneCount < parallelCount && waiting.length > 0) lane();
  }

  const over = (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    zone.classList.add("dropping");
  };
  const leave = () => zone.classList.remove("dropping");
  const drop = (event) => {
    event.preventDefault();
    leave();
    take([...event.dataTransfer.files]);
  };
  zone.addEventListener("dragover", over);
  zone.addEventListener("dragleave", leave);
  zone.addEventListener("drop", drop);
  return { button: start, state, end() { stored = () => {}; } };
}

async function lane() {
  laneCount += 1;
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { bucket, name, file, text } = next;
    try {
      await upload(bucket, name, file, (share) => fill(text, percent(share * 100)));
      fill(text, make("span", { class: "good" }, `stored, ${bytes(file.size)}`));
    } catch (error) {
      fill(text, make("span", { class: "bad" }, error.message));
    }
    stored();
  }
  laneCount -= 1;
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The list of a bucket's folder. Rows can be checked, to delete or to download several.

import { button, fill, make, notice, setText } from "./dom.js";
import { bytes, count, counted, date } from "./format.js";
import { createFolder, deleteEntries, downloadEntries } from "./file-actions.js";
import { filePages } from "./file-pages.js";
import { rows } from "./rows.js";
import { thumbnails } from "./thumbnails.js";

const checkedCountMax = 1_000;

/// Shows a folder. `open(entry)` is called for one that is chosen; `upload` are the controls that upload into it.
export function fileList({ bucket, prefix, served, showsThumbnails, setThumbnails, open, upload, changed }) {
  const total = make("span", { class: "soft", role: "status" });
  const state = make("div");
  const body = make("div", { class: "list-body" });
  const selection = make("div", { class: "tools selection", hidden: true });
  const checked = new Map();
  const pictures = thumbnails(bucket);
  const pages = filePages({ bucket, prefix, changed: arrived, failed: (error) => fill(state, notice(error.message, "bad")) });
  const list = rows({
    rowHeight: showsThumbnails ? 52 : 30, label: `Files of ${bucket}/${prefix}`, draw, near: pages.near, open: opened, head: headRow(),
    isChecked: (index) => checked.has(pages.at(index)?.name), toggle,
  });
  const thumbnailButton = button("Thumbnails", () => setThumbnails(!showsThumbnails), { "aria-pressed": String(showsThumbnails) });
  const root = make("section", { class: "pane list", "aria-label": "Files" },
    make("div", { class: "pane-head" },
      make("h2", { class: "cut mono", title: prefix || bucket, dir: "auto" }, folderName()), total,
      make("div", { class: "tools" }, upload.button, button("New folder…", () => createFolder(prefix)), thumbnailButton)),
    selection, upload.state, state, body);
  fill(body, list.element);

  function folderName() { return prefix ? prefix.replace(/\/$/, "").split("/").at(-1) || "/" : bucket; }

  function headRow() {
    return [make("span", { class: "check" }), showsThumbnails && make("span", { class: "thumb" }),
      ["Name", "Size", "Type", "Updated", "Served"].map((text) => make("span", { class: `cell ${text.toLowerCase()}` }, text))];
  }

  function draw(index) {
    const entry = pages.at(index);
    if (!entry) return undefined;
    const name = entry.name.slice(prefix.length);
    const bytesServed = entry.isFolder ? undefined : served.of(entry.name);
    return [
      make("span", { class: "check", "aria-hidden": "true" }, checked.has(entry.name) ? "☑" : "☐"),
      showsThumbnails && make("span", { class: "thumb" }, pictures.element(entry)),
      make("span", { class: `cell name ${entry.isFolder ? "folder" : ""}`, title: entry.name, dir: "auto" }, name || "(the folder itself)"),
      make("span", { class: "cell size" }, entry.isFolder ? "" : bytes(Number(entry.size))),
      make("span", { class: "cell type soft" }, entry.isFolder ? "folder" : entry.contentType ?? ""),
      make("span", { class: "cell updated soft" }, entry.updated ? date(Date.parse(entry.updated)) : ""),
      make("span", { class: "cell served" }, bytesServed ? bytes(bytesServed) : ""),
    ];
  }

  function opened(index, event) {
    const entry = pages.at(index);
    if (!entry) return;
    if (event.target.closest?.(".check") || event.ctrlKey || event.metaKey) toggle(index); else open(entry);
  }

  function toggle(index) {
    const entry = pages.at(index);
    if (!entry) return;
    if (!checked.delete(entry.name) && checked.size < checkedCountMax) checked.set(entry.name, entry);
    drawSelection();
  }

  function drawSelection() {
    selection.hidden = checked.size === 0;
    const clear = () => { checked.clear(); drawSelection(); };
    const entries = [...checked.values()];
    fill(selection,
      make("b", { role: "status" }, `${count(checked.size)} checked`),
      button("Download as zip", () => downloadEntries(bucket, entries)),
      button("Delete…", () => deleteEntries(bucket, entries, async () => { clear(); await changed(); }), { class: "danger" }),
      button("Uncheck all", clear, { class: "quiet" }));
    list.redraw();
  }

  function arrived() {
    list.setLength(pages.length);
    setText(total, pages.isOver ? counted(pages.knownLength, "entry", "entries") : `more than ${count(pages.knownLength)} entries`);
    const isEmpty = pages.isOver && pages.knownLength === 0;
    body.hidden = isEmpty;
    fill(state, isEmpty && notice("This folder is empty. Drop files here, or press “Upload”."));
  }

  pages.near(0, 1);
  return {
    element: root,
    redraw: list.redraw,
    refresh: () => pages.refresh(),
    end() { pages.end(); pictures.end(); list.end(); },
  };
}

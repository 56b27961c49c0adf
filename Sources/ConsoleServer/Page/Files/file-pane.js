// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The pane of one file: a look at it, its metadata, its download tokens, the bytes served of it.

import { button, copy, fill, make, notice, setText } from "./dom.js";
import { bytes, count, date } from "./format.js";
import { createToken, downloadURL, metadata, revokeToken, tokenKey } from "./storage.js";
import { customMetadata, editMetadata } from "./file-metadata.js";
import { deleteEntries, downloadFile, renameFile } from "./file-actions.js";
import { filePreview } from "./file-preview.js";

/// Shows a file. `renamed(name)` is called when it has another name, `changed()` when it was, `left()` when it is gone.
export function filePane({ bucket, name, served, renamed, changed, left }) {
  const ending = new AbortController();
  const head = make("div", { class: "pane-head" });
  const state = make("div");
  const look = make("div");
  const facts = make("div");
  const tokens = make("section", { class: "tokens", "aria-label": "Download tokens" });
  const servedText = make("dd");
  const root = make("section", { class: "pane file", "aria-label": "File" }, head, state, look, facts, tokens);
  let object;
  let preview;
  let loadCount = 0;

  async function load() {
    const number = loadCount += 1;
    try {
      const found = await metadata(bucket, name, ending);
      if (number !== loadCount) return;
      if (!found) return showNotice("There is no file of this name.");
      const former = object;
      object = found;
      fill(state);
      if (former?.generation !== object.generation || former?.contentType !== object.contentType) showPreview();
      draw();
    } catch (error) {
      if (error.name !== "AbortError" && number === loadCount) showNotice(error.message);
    }
  }

  /// Says why there is nothing to show.
  function showNotice(text) {
    preview?.end();
    object = undefined;
    fill(look); fill(facts); fill(tokens);
    fill(head, make("h2", { class: "cut mono", title: name, dir: "auto" }, name));
    fill(state, notice(text, "bad"));
  }

  function showPreview() {
    preview?.end();
    preview = filePreview(object);
    fill(look, preview.element);
  }

  function draw() {
    const again = async () => { await load(); await changed(); };
    fill(head,
      make("h2", { class: "cut mono", title: name, dir: "auto" }, name.split("/").at(-1) || name),
      make("div", { class: "tools" },
        button("Download", () => attempt(() => downloadFile(object))),
        button("Metadata…", () => editMetadata(object, again)),
        button("Rename…", () => renameFile(object, { copies: false, done: renamed })),
        button("Copy…", () => renameFile(object, { copies: true, done: renamed })),
        button("Delete…", () => deleteEntries(bucket, [{ name }], left), { class: "danger" })));
    fill(facts, make("dl", {},
      fact("Name", make("span", { class: "mono", dir: "auto" }, name)),
      fact("Size", `${bytes(Number(object.size))} (${count(Number(object.size))})`),
      fact("Type", object.contentType ?? "not set"),
      make("dt", {}, "Served"), servedText,
      fact("Created", date(Date.parse(object.timeCreated))), fact("Updated", date(Date.parse(object.updated))),
      fact("Cache-Control", object.cacheControl), fact("Content-Disposition", object.contentDisposition),
      fact("Content-Language", object.contentLanguage), fact("Content-Encoding", object.contentEncoding),
      fact("Generation", `${object.generation}, metadata ${object.metageneration}`),
      fact("MD5", make("span", { class: "mono" }, object.md5Hash ?? "none")),
      fact("CRC32C", make("span", { class: "mono" }, object.crc32c ?? "none")),
      customMetadata(object).map(([key, value]) => fact(key, make("span", { class: "mono", dir: "auto" }, value)))));
    drawServed();
    drawTokens();
  }

  function fact(label, value) { return value === undefined ? [] : [make("dt", { dir: "auto" }, label), make("dd", {}, value)]; }

  function drawServed() {
    const number = served.of(name);
    setText(servedText, number ? `${bytes(number)} since the meter began` : "nothing yet");
  }

  function drawTokens() {
    const known = (object.metadata?.[tokenKey] ?? "").split(",").filter(Boolean);
    fill(tokens,
      make("h3", {}, "Download tokens"),
      known.length === 0 && make("p", { class: "soft" }, "None yet. The first getDownloadURL() of an app makes one."),
      make("ul", { class: "links" }, known.map((token) => make("li", {},
        make("code", { class: "cut" }, token),
        button("Copy URL", async (event) => copy(await downloadURL(bucket, name, token), event.currentTarget ?? event.target)),
        button("Revoke", () => attempt(async () => { await revokeToken(bucket, name, token); await load(); }), { class: "danger" })))),
      button("+ New token", () => attempt(async () => { await createToken(bucket, name); await load(); }), { class: "quiet" }));
  }

  async function attempt(work) {
    try { await work(); fill(state); } catch (error) { fill(state, notice(error.message, "bad")); }
  }

  load();
  return {
    element: root, name,
    refresh: load,
    redraw() { if (object) drawServed(); },
    end() { ending.abort(); preview?.end(); },
  };
}

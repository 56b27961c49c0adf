// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Files: the buckets, the folders and files of one, and a file. On a phone one of the two at a time.

import { address, change as setParameters } from "./route.js";
import { button, fill, make, notice } from "./dom.js";
import { ask, choice, field } from "./data-dialog.js";
import { buckets, createBucket } from "./storage.js";
import { fileList } from "./file-list.js";
import { filePane } from "./file-pane.js";
import { servedBytes } from "./served-bytes.js";
import { uploads } from "./file-upload.js";
import { viewKeys } from "./keys.js";
import { watchWrites } from "./watch-writes.js";

export function show(root, parameters) {
  const bucketChoice = make("span", { class: "place" });
  const crumbs = make("nav", { class: "crumbs", "aria-label": "Folder" });
  const panes = make("div", { class: "panes two" });
  fill(root, make("div", { class: "view-head" }, make("h1", {}, "Files"), bucketChoice, crumbs), panes);
  const served = servedBytes(() => { list?.view.redraw(); pane?.redraw(); });
  let place = { bucket: undefined, prefix: "" };
  const upload = uploads({ zone: root, place: () => place, done: () => refresh() });
  let known;
  let list;
  let pane;
  let number = 0;
  let isEnded = false;

  async function change(parameters) {
    const asked = number += 1;
    try {
      known ??= await buckets();
    } catch (error) {
      return fill(panes, notice(error.message, "bad"));
    }
    if (asked !== number || isEnded) return;
    const bucket = parameters.get("bucket") || known[0];
    place = { bucket, prefix: parameters.get("prefix") ?? "" };
    drawHead();
    if (!bucket) {
      return fill(panes, notice(["There are no buckets yet. The first upload of an app makes its own. ", button("New bucket…", newBucket)]));
    }
    const object = parameters.get("object");
    panes.dataset.level = object ? "document" : "list";
    showList(parameters.get("thumbnails") === "1");
    showPane(object);
  }

  const link = (values) => address("files", { bucket: place.bucket, thumbnails: list?.showsThumbnails ? "1" : null, ...values });

  function drawHead() {
    const names = [...new Set([...known, ...(place.bucket ? [place.bucket] : [])])].sort();
    const select = choice([...names, ["", "New bucket…"]], place.bucket, {
      "aria-label": "Bucket",
      on: { change: () => chosen(select) },
    });
    if (bucketChoice.dataset.names !== names.join("\n") || bucketChoice.dataset.bucket !== place.bucket) fill(bucketChoice, select);
    Object.assign(bucketChoice.dataset, { names: names.join("\n"), bucket: place.bucket });
    const parts = place.prefix.split("/").slice(0, -1);
    fill(crumbs, place.bucket && make("ol", {},
      make("li", {}, make("a", { href: link({}) }, "all files")),
      parts.map((part, index) => {
        const prefix = `${parts.slice(0, index + 1).join("/")}/`;
        return make("li", {}, make("a", { href: link({ prefix }), dir: "auto" }, part || "(empty)"));
      })));
  }

  function chosen(select) {
    if (select.value) return setParameters({ bucket: select.value, prefix: null, object: null });
    select.value = place.bucket;
    return newBucket();
  }

  function newBucket() {
    const name = make("input", { class: "mono", required: true });
    ask({
      title: "New bucket", action: "Create", body: field("Name", name),
      run: async () => {
        await createBucket(name.value.trim());
        known = undefined;
        setParameters({ bucket: name.value.trim(), prefix: null, object: null });
      },
    });
  }

  function showList(showsThumbnails) {
    const key = JSON.stringify([place, showsThumbnails]);
    if (list?.key === key) return;
    list?.view.end();
    if (!list) fill(panes);
    const open = (entry) => setParameters(entry.isFolder ? { prefix: entry.name, object: null } : { object: entry.name });
    const setThumbnails = (isOn) => setParameters({ thumbnails: isOn ? "1" : null }, { replaces: true });
    const former = list?.view.element;
    list = { key, showsThumbnails, view: fileList({ ...place, served, showsThumbnails, setThumbnails, open, upload, changed: refresh }) };
    if (former) former.replaceWith(list.view.element); else panes.prepend(list.view.element);
  }

  function showPane(object) {
    if (pane && pane.name === object && pane.bucket === place.bucket) return;
    pane?.end();
    pane?.element.remove();
    pane = undefined;
    if (!object) return;
    const renamed = async (name) => { setParameters({ object: name }); await refresh(); };
    const left = async () => { setParameters({ object: null }); await refresh(); };
    pane = { bucket: place.bucket, ...filePane({ bucket: place.bucket, name: object, served, renamed, changed: refresh, left }) };
    const close = make("a", { class: "back button", href: link({ prefix: place.prefix }) }, "Close");
    pane.element.prepend(close);
    panes.append(pane.element);
  }

  async function refresh() { await Promise.all([list?.view.refresh(), pane?.refresh()]); }

  const endKeys = viewKeys({
    r: { label: "Load again", action: refresh },
    u: { label: "Upload", action: () => upload.button.querySelector("button").click() },
  });
  const endWatch = watchWrites((total) => total.billed.classA, refresh);
  change(parameters);
  return {
    change,
    end() {
      isEnded = true;
      for (const part of [list?.view, pane, served, upload]) part?.end();
      endKeys();
      endWatch();
    },
  };
}

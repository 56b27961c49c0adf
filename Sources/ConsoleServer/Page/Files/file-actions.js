// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Dialogs on files: delete, download several, a new folder, rename and copy.

import { ask, field } from "./data-dialog.js";
import { bytes, count } from "./format.js";
import { download, fill, make, notice } from "./dom.js";
import { change } from "./route.js";
import { content, duplicate, move, namesBelow, remove } from "./storage.js";
import { reader } from "./value-editor.js";
import { zipByteCountMax, zipFile, zipFileCountMax } from "./zip.js";

/// Files of folders that are deleted or downloaded at once.
const nameCountMax = 100_000;
const parallelCount = 4;
const errorCountMax = 20;

async function allNames(bucket, entries, countMax = nameCountMax) {
  const names = entries.filter((entry) => !entry.isFolder).map((entry) => entry.name);
  let isCut = false;
  for (const { name } of entries.filter((entry) => entry.isFolder)) {
    const below = await namesBelow(bucket, name, Math.max(1, countMax - names.length));
    for (const found of below.names) names.push(found);
    isCut ||= below.isCut;
  }
  return { names, isCut };
}

/// Deletes files, and folders with all that is in them.
export function deleteEntries(bucket, entries, done) {
  const line = make("p", { role: "status" }, "Counting…");
  let found;
  const ready = allNames(bucket, entries).then((all) => {
    found = all;
    const number = `${count(all.names.length)}${all.isCut ? " or more" : ""}`;
    fill(line, `${number} ${all.names.length === 1 ? "file goes" : "files go"}, with their download tokens. This cannot be undone.`);
  });
  ready.catch((error) => fill(line, notice(error.message, "bad")));
  const [first] = entries;
  ask({
    title: entries.length === 1 ? `Delete ${first.name}?` : `Delete ${count(entries.length)} entries?`,
    body: line, action: "Delete", isDangerous: true,
    run: async (say, { signal }) => {
      await ready;
      if (signal.aborted) return true;
      const extent = (number) => `${count(number)} of ${count(found.names.length)} deleted`;
      const { doneCount, errors } = await inParallel(found.names, (name) => removed(bucket, name), (number) => say(extent(number)), signal);
      if (doneCount > 0 || !signal.aborted) await done();
      const refusal = errors.length > 0
        && notice(`${count(errors.length)} could not be deleted: ${errors.slice(0, errorCountMax).join(" · ")}`, "bad");
      if (signal.aborted) ask({ title: "The deletion was stopped", body: [make("p", {}, `${extent(doneCount)}.`), refusal] });
      else if (refusal) say(refusal);
      return !refusal;
    },
  });
}

async function removed(bucket, name) {
  try {
    await remove(bucket, name);
  } catch (error) {
    // One that is gone already is what was wanted.
    if (error.status !== 404) throw error;
  }
}

/// Works on names until a signal is aborted; what was begun by then is finished, so that the count is exact.
async function inParallel(names, work, progress, signal) {
  const errors = [];
  let next = 0;
  let doneCount = 0;
  const lane = async () => {
    while (next < names.length && !signal.aborted) {
      const name = names[next];
      next += 1;
      try {
        await work(name);
        doneCount += 1;
      } catch (error) {
        errors.push(`${name}: ${error.message}`);
      }
      progress(doneCount);
    }
  };
  await Promise.all(Array.from({ length: parallelCount }, lane));
  return { doneCount, errors };
}

/// Saves several files, and all of folders, as one zip file.
export function downloadEntries(bucket, entries) {
  ask({
    title: "Download as zip", action: "Download",
    body: make("p", { class: "soft" },
      `Stored without compression; ${bytes(zipByteCountMax)} and ${count(zipFileCountMax)} files at most.`),
    run: async (say, ending) => {
      const { names, isCut } = await allNames(bucket, entries, zipFileCountMax);
      if (isCut || names.length > zipFileCountMax) throw new Error(`There are more than ${count(zipFileCountMax)} files.`);
      const zip = zipFile();
      for (const name of names) {
        const response = await content(bucket, name, ending);
        const size = Number(response.headers.get("Content-Length"));
        if (zip.byteCount + size > zipByteCountMax) throw new Error(`They are more than ${bytes(zipByteCountMax)} together.`);
        const changedAt = new Date(response.headers.get("Last-Modified") ?? Date.now());
        zip.add(safeName(name), new Uint8Array(await response.arrayBuffer()), changedAt);
        say(`${bytes(zip.byteCount)}`);
      }
      download(`${bucket}.zip`, zip.finish(), "application/zip");
    },
  });
}

/// Names of objects are any text; in a zip file they must not lead out of where it is unpacked.
function safeName(name) {
  return name.split(/[/\\]/).map((part) => (["", ".", ".."].includes(part) ? "_" : part)).join("/");
}

/// Saves one file.
export async function downloadFile(object) {
  const blob = await (await content(object.bucket, object.name)).blob();
  download(object.name.split("/").filter(Boolean).at(-1) ?? "file", [blob], "application/octet-stream");
}

/// Folders are what names have in common: a new one is only a place to upload to.
export function createFolder(prefix) {
  const name = make("input", { required: true });
  ask({
    title: "New folder", action: "Open it",
    body: [field("Name", name), make("p", { class: "soft" }, "A folder is there once a file is in it.")],
    run: () => change({ prefix: `${prefix}${name.value.replace(/\/+$/, "")}/`, object: null }),
  });
}

/// Renames or copies a file.
export function renameFile(object, { copies, done }) {
  const name = make("input", { class: "mono", value: object.name, required: true });
  const read = reader(name, object.name);
  ask({
    title: copies ? "Copy the file" : "Rename the file", action: copies ? "Copy" : "Rename", wide: true,
    body: field("New name, with its folders", name),
    run: async () => {
      const wanted = read();
      if (wanted === object.name) throw new Error("This is the name it has.");
      await (copies ? duplicate : move)(object.bucket, object.name, wanted);
      await done(wanted);
    },
  });
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// A look at a file's content, of which nothing runs: images only as images, everything else as text.

import { button, fill, make, notice } from "./dom.js";
import { bytes } from "./format.js";
import { content } from "./storage.js";

/// Images and media up to here are shown at once, larger ones when asked for.
const byteCountAtOnce = 5_000_000;
const mediaByteCountMax = 100_000_000;
/// Characters of a text are shown up to here.
const textByteCountMax = 200_000;

const textual = /^text\/|[/+](json|xml|javascript|ecmascript|yaml|x-yaml|toml|x-sh|x-httpd-php|sql|x-ndjson)\b/;
/// Images that are documents.
const drawing = /^image\/[^;]*xml/;
const elements = [
  [/^image\//, (address, object) => make("img", { src: address, alt: object.name })],
  [/^video\//, (address) => make("video", { src: address, controls: true })],
  [/^audio\//, (address) => make("audio", { src: address, controls: true })],
];

/// Shows the start of a file; `end()` releases it.
export function filePreview(object) {
  const ending = new AbortController();
  const root = make("div", { class: "preview" });
  const size = Number(object.size);
  const type = object.contentType ?? "";
  const media = elements.find(([pattern]) => pattern.test(type))?.[1];
  let address;

  async function showMedia() {
    const blob = await (await content(object.bucket, object.name, ending)).blob();
    if (ending.signal.aborted) return;
    address = await addressOf(new Blob([blob], { type }));
    if (ending.signal.aborted) return release();
    const element = media(address, object);
    element.addEventListener("error", () => fill(root, notice(`The browser cannot show this ${type}.`)));
    fill(root, element);
  }

  function release() { if (address) URL.revokeObjectURL(address); }

  async function showText() {
    const start = await content(object.bucket, object.name, { byteCountMax: textByteCountMax, signal: ending.signal });
    const text = new TextDecoder().decode(await start.arrayBuffer());
    fill(root, make("pre", { tabindex: "0", "aria-label": "Content", dir: "auto" }, text),
      size > textByteCountMax && make("p", { class: "soft" }, `The first ${bytes(textByteCountMax)} of ${bytes(size)}.`));
  }

  async function show(work) {
    fill(root, make("p", { class: "soft" }, "Loading…"));
    try { await work(); } catch (error) { if (error.name !== "AbortError") fill(root, notice(error.message, "bad")); }
  }

  const say = (text, ...more) => fill(root, make("p", { class: "soft" }, text), more);
  if (size === 0) say("This file is empty.");
  else if (media && size > mediaByteCountMax) say(`Files of more than ${bytes(mediaByteCountMax)} are not shown here.`);
  else if (media && size > byteCountAtOnce) fill(root, button(`Show it (${bytes(size)})`, () => show(showMedia)));
  else if (media) show(showMedia);
  else if (textual.test(type)) show(showText);
  else say("There is no preview of this type.", button("Show as text", () => show(showText)));

  return {
    element: root,
    end() {
      ending.abort();
      release();
    },
  };
}

/// An address of content. A drawing opened by itself is a document, in which scripts could run: a `data:` address gives it no origin,
/// where one of a blob would give it the console's.
async function addressOf(blob) {
  if (!drawing.test(blob.type)) return URL.createObjectURL(blob);
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.addEventListener("load", () => resolve(reader.result));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(blob);
  });
}

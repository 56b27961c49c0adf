// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Thumbnails of images in a list: only those in sight are fetched, a few at a time, none that are large; what is kept are small
// pictures, not files.

import { content } from "./storage.js";

/// Larger files have no thumbnail: they would be downloaded whole for it.
const thumbnailByteCountMax = 3_000_000;
const keptCountMax = 300;
const fetchCountMax = 3;
const edge = 48;
/// Milliseconds after which a row that is still there is worth a download.
const stillness = 80;

/// `element(entry)` is a canvas for a file in a row, or `undefined`.
export function thumbnails(bucket) {
  const kept = new Map();
  const queue = [];
  const ending = new AbortController();
  let fetchCount = 0;

  function element(entry) {
    if (!entry.contentType?.startsWith("image/") || Number(entry.size) > thumbnailByteCountMax) return undefined;
    const key = `${entry.name}\n${entry.generation}`;
    let canvas = kept.get(key);
    if (!canvas) {
      canvas = document.createElement("canvas");
      canvas.width = canvas.height = edge;
      queue.push({ canvas, entry, key });
      setTimeout(work, stillness);
    }
    kept.delete(key);
    kept.set(key, canvas);
    if (kept.size > keptCountMax) kept.delete(kept.keys().next().value);
    return canvas;
  }

  async function work() {
    while (fetchCount < fetchCountMax && queue.length > 0 && !ending.signal.aborted) {
      // The last ones asked for are those in sight; those scrolled past are left.
      const { canvas, entry, key } = queue.pop();
      if (!canvas.isConnected) { kept.delete(key); continue; }
      fetchCount += 1;
      draw(canvas, entry).catch(() => {}).finally(() => { fetchCount -= 1; work(); });
    }
  }

  async function draw(canvas, entry) {
    const blob = await (await content(bucket, entry.name, ending)).blob();
    const picture = entry.contentType === "image/svg+xml" ? await vectorPicture(blob) : await createImageBitmap(blob);
    const width = picture.width || edge;
    const height = picture.height || edge;
    const scale = Math.min(edge / width, edge / height, 1);
    const [drawnWidth, drawnHeight] = [width * scale, height * scale];
    canvas.getContext("2d").drawImage(picture, (edge - drawnWidth) / 2, (edge - drawnHeight) / 2, drawnWidth, drawnHeight);
    picture.close?.();
  }

  return { element, end() { ending.abort(); kept.clear(); queue.length = 0; } };
}

/// SVG is drawn as an image, in which nothing runs.
async function vectorPicture(blob) {
  const address = URL.createObjectURL(blob);
  const image = new Image();
  image.src = address;
  try { await image.decode(); } finally { URL.revokeObjectURL(address); }
  return image;
}

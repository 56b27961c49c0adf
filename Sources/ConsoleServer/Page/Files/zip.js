// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// A zip file of files that are stored as they are, without compression. Names are UTF-8; sizes below 4 GB.

/// The most bytes that are put into one: it is in the browser's memory until it is saved.
export const zipByteCountMax = 300_000_000;
/// The format has two bytes for the number of files.
export const zipFileCountMax = 65_000;

const table = Uint32Array.from({ length: 256 }, (_, number) => {
  let sum = number;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = table[(sum ^ byte) & 0xff] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

/// Collects files; `finish()` is the zip file's parts.
export function zipFile() {
  const parts = [];
  const directory = [];
  let offset = 0;
  let directorySize = 0;

  /// `date`: of the last change.
  function add(name, bytes, date) {
    const nameBytes = new TextEncoder().encode(name);
    const common = [
      [2, 20], [2, 0x0800], [2, 0], [2, dosTime(date)], [2, dosDate(date)], [4, checksum(bytes)], [4, bytes.length], [4, bytes.length],
      [2, nameBytes.length], [2, 0],
    ];
    const head = numbers([[4, 0x04034b50], ...common]);
    parts.push(head, nameBytes, new Blob([bytes]));
    const entry = numbers([[4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]);
    directory.push(entry, nameBytes);
    directorySize += entry.length + nameBytes.length;
    offset += head.length + nameBytes.length + bytes.length;
  }

  function finish() {
    const count = directory.length / 2;
    const end = numbers([[4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, directorySize], [4, offset], [2, 0]]);
    return [...parts, ...directory, end];
  }

  return { add, finish, get byteCount() { return offset; } };
}

/// Little-endian numbers, `[bytes, value]` each.
function numbers(list) {
  const view = new DataView(new ArrayBuffer(list.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, value] of list) {
    if (size === 2) view.setUint16(at, value, true); else view.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
}

function dosTime(date) { return (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1); }

function dosDate(date) { return (Math.max(0, date.getFullYear() - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate(); }

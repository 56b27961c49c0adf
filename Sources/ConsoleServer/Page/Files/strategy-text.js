// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Strategies as `firemeter audit replay` writes them, `thumbnails+memory:50MB:sieve+disk:200MB:7d`, and their parts as the controls have
// them. Parts without a control are kept as they are.

export const fetches = {
  "all-images": "all images of each post",
  thumbnails: "the first image, the others on opening",
  "thumbnails:200x200": "a small copy of the first image",
  progressive: "the beginning of the first image",
};
export const policies = ["lru", "fifo", "lfu", "sieve", "s3fifo", "wtinylfu", "arc", "gdsf"];
export const listings = { "": "asked for each time", listen: "listened to", persistence: "kept by the SDK" };
export const ages = ["", "1d", "7d", "30d"];
/// Sizes in megabytes; 0 is none.
export const sizes = [0, 1, 2, 5, 10, 20, 50, 64, 100, 200, 500, 1_000, 2_000];

const cacheDefaults = { memory: 67.1, disk: 268.4 };
const units = { B: 1e-6, KB: 1e-3, MB: 1, GB: 1e3, TB: 1e6, KIB: 1.024e-3, MIB: 1.048576, GIB: 1_073.741824, TIB: 1_099_511.627776 };

/// Reads a strategy: `{ fetch, memory, disk, prefetch, listing, rest }`; sizes in megabytes. The server says what is wrong in it.
export function parseStrategy(text) {
  const [fetch, ...others] = text.trim().split("+");
  const parts = { fetch, memory: none(), disk: none(), prefetch: 0, listing: "", rest: [] };
  for (const other of others) {
    const [name, ...settings] = other.split(":");
    if (name === "memory" || name === "disk") parts[name] = cache(settings, cacheDefaults[name]);
    else if (name === "prefetch") parts.prefetch = megabytes(settings[0] ?? "") ?? 0;
    else if (name === "listen" || other === "persistence") parts.listing = name;
    else parts.rest.push(other);
  }
  return parts;
}

/// Writes a strategy.
export function formatStrategy({ fetch, memory, disk, prefetch, listing, rest }) {
  return [
    fetch,
    memory.size > 0 && ["memory", size(memory.size), policy(memory)].filter(Boolean).join(":"),
    disk.size > 0 && ["disk", size(disk.size), policy(disk), disk.age].filter(Boolean).join(":"),
    prefetch > 0 && `prefetch:${size(prefetch)}`,
    listing,
    ...rest,
  ].filter(Boolean).join("+");
}

/// The place of a size among `sizes`, or of the nearest.
export function sizeIndex(megabytes) {
  const distance = (each) => Math.abs(each - megabytes);
  return sizes.reduce((best, each, index) => (distance(each) < distance(sizes[best]) ? index : best), 0);
}

function none() { return { size: 0, policy: "lru", age: "" }; }

function cache(settings, usual) {
  const found = { size: usual, policy: "lru", age: "" };
  for (const setting of settings) {
    const amount = megabytes(setting);
    if (amount !== undefined) found.size = amount;
    else if (policies.includes(setting)) found.policy = setting;
    else found.age = setting;
  }
  return found;
}

function policy({ policy: name }) { return name === "lru" ? undefined : name; }

function size(megabytes) { return `${Number.isInteger(megabytes) ? megabytes : megabytes.toFixed(1)}MB`; }

function megabytes(text) {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([KMGT]?i?B)$/i.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * units[unit.toUpperCase()];
}

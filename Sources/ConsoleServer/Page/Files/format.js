// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Figures as people read them. Bytes in powers of ten, as Google bills egress; `binary` for stored amounts in GiB.

const grouped = new Intl.NumberFormat("en-US");

/// 1204 → "1,204".
export function count(number) { return grouped.format(number); }

/// "1 read", "2 reads".
export function counted(number, noun, plural = `${noun}s`) { return `${count(number)} ${number === 1 ? noun : plural}`; }

/// 412_300_000 → "412.3 MB".
export function bytes(number, binary = false) {
  const base = binary ? 1024 : 1000;
  const units = binary ? ["B", "KiB", "MiB", "GiB", "TiB"] : ["B", "kB", "MB", "GB", "TB"];
  let value = Math.abs(number);
  let unit = 0;
  while (value >= base && unit < units.length - 1) { value /= base; unit += 1; }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  // 99.96 would be shown as 100.0.
  const text = value.toFixed(value >= 99.95 ? 0 : digits);
  return `${number < 0 ? "−" : ""}${text} ${units[unit]}`;
}

/// US dollars, with as many digits as a small amount needs: "$0.0000036", "$1.20".
export function dollars(usd) {
  if (usd === 0) return "$0";
  if (usd >= 0.01) return `$${usd.toFixed(2)}`;
  return `$${usd.toFixed(12).replace(/(\.0*[1-9]\d?)\d*$/, "$1")}`;
}

/// Milliseconds → "0.4 ms", "12 ms", "1.2 s", "3 min".
export function duration(milliseconds) {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${Math.round(milliseconds / 60_000)} min`;
}

/// A share from 0 to 100 → "41 %"; small ones keep a digit.
export function percent(share) {
  if (share === 0) return "0 %";
  return share < 10 ? `${share.toFixed(1)} %` : `${Math.floor(share)} %`;
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const shortClock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const dayAndTime = new Intl.DateTimeFormat("en-GB", {
  year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit",
});

/// Microseconds since the Unix epoch → "14:03:12" where the browser is.
export function time(microseconds) { return clock.format(new Date(microseconds / 1000)); }

/// The same with milliseconds: "14:03:12.045".
export function exactTime(microseconds) {
  const milliseconds = Math.floor(microseconds / 1000);
  return `${clock.format(new Date(milliseconds))}.${String(milliseconds % 1000).padStart(3, "0")}`;
}

/// Milliseconds since the Unix epoch → "14:03".
export function hour(milliseconds) { return shortClock.format(new Date(milliseconds)); }

const dayAndMinute = new Intl.DateTimeFormat("en-GB", { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });

/// Milliseconds since the Unix epoch → "28 Nov 2026, 14:03".
export function minute(milliseconds) { return dayAndMinute.format(new Date(milliseconds)); }

/// Milliseconds since the Unix epoch → "28 Nov 2026, 14:03:12".
export function date(milliseconds) { return dayAndTime.format(new Date(milliseconds)); }

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Rates by the second, of sums that were looked at now and then, and of the meter's minutes.

/// What samples `{ at (milliseconds), total }` say of the last `length` seconds, a point for each `seconds`.
///
/// `figures`: functions that take a figure from a total. Times before the first sample have no points.
export function ratesOfSamples(samples, { length, seconds, figures, now }) {
  const step = seconds * 1_000;
  const last = Math.floor(now / step) * step;
  const first = Math.max(last - length * 1_000, Math.ceil((samples[0]?.at ?? last) / step) * step);
  const points = [];
  let index = 0;
  let former;
  for (let at = first; at <= last; at += step) {
    while (index + 1 < samples.length && samples[index + 1].at <= at) index += 1;
    const sums = samples[index] && figures.map((pick) => pick(samples[index].total));
    // A restarted emulator may begin again at 0.
    if (former) points.push({ at, values: sums.map((sum, number) => Math.max(0, sum - former[number]) / seconds) });
    former = sums;
  }
  return points;
}

/// The steps of `GET /usage?every=1m` from a time to another (milliseconds); minutes that are missing had no usage.
export function ratesOfMinutes(steps, { from, until, figures }) {
  const known = new Map(steps.map((step) => [Date.parse(step.start), step]));
  const points = [];
  for (let at = Math.ceil(from / 60_000) * 60_000; at + 60_000 <= until; at += 60_000) {
    const step = known.get(at);
    points.push({ at, values: figures.map((pick) => (step ? pick(step) / 60 : 0)) });
  }
  return points;
}

/// Midnight before a time, where the browser is.
export function midnight(now) { return new Date(now).setHours(0, 0, 0, 0); }

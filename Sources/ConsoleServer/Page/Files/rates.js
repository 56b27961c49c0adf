// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Rates by the second, of sums that were looked at now and then, and of the meter's minutes.

const minute = 60_000;

/// The rates of the last `length` seconds by samples `{ at (milliseconds), total }`, a point for each `seconds`: `{ begin, points }`.
///
/// `figures`: functions that take a figure from a total. Times before the first sample have no points; `begin` has the time up to
/// which there are none, and the total then.
export function ratesOfSamples(samples, { length, seconds, figures, now }) {
  const step = seconds * 1_000;
  const last = Math.floor(now / step) * step;
  const first = Math.max(last - length * 1_000, Math.ceil((samples[0]?.at ?? last) / step) * step);
  const points = [];
  const begin = { at: first };
  let index = 0;
  let former;
  for (let at = first; at <= last; at += step) {
    while (index + 1 < samples.length && samples[index + 1].at <= at) index += 1;
    const sums = samples[index] && figures.map((pick) => pick(samples[index].total));
    // A restarted emulator may begin again at 0.
    if (former) points.push({ at, values: sums.map((sum, number) => Math.max(0, sum - former[number]) / seconds) });
    else begin.total = samples[index]?.total;
    former = sums;
  }
  return { begin, points };
}

/// The steps of `GET /usage?every=1m` from a time to another (milliseconds); minutes that are missing had no usage.
export function ratesOfMinutes(steps, { from, until, figures }) {
  const known = new Map(steps.map((step) => [Date.parse(step.start), step]));
  const points = [];
  for (let at = Math.ceil(from / minute) * minute; at + minute <= until; at += minute) {
    const step = known.get(at);
    points.push({ at, values: figures.map((pick) => (step ? pick(step) / 60 : 0)) });
  }
  return points;
}

/// The rate of the part of a minute that is before a time, as a point; none where there is no such part, or it is not known.
///
/// - `begin`: that time, and the total then, of `ratesOfSamples`.
/// - `asked`: when the steps were asked for, and the total then. What they have of this minute and later is not of the time before.
export function rateOfPart(steps, { begin, asked, figures }) {
  const at = Math.floor(begin.at / minute) * minute;
  if (at === begin.at || !begin.total || !asked || asked.at < at) return [];
  const later = steps.filter((step) => Date.parse(step.start) >= at);
  const before = (pick) => later.reduce((total, step) => total - pick(step), pick(asked.total));
  const seconds = (begin.at - at) / 1_000;
  return [{ at, values: figures.map((pick) => Math.max(0, pick(begin.total) - before(pick)) / seconds) }];
}

/// Midnight before a time, where the browser is.
export function midnight(now) { return new Date(now).setHours(0, 0, 0, 0); }

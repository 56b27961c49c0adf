// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// A time-series on a canvas: rates by the second, and where the pointer is, their values. Its figures are in the table below
// or in the tiles beside it, so that nothing is in the picture alone.

import { fill, make, setText } from "./dom.js";
import { hour, time } from "./format.js";

// Times of a shorter span have seconds.
const secondsSpanMax = 300_000;

/// Makes a chart.
///
/// - `label`: what it shows, for screen readers.
/// - `series`: `{ label, color (a variable's name), format }` each.
///
/// `draw(points)` takes `{ at (milliseconds), values }`, oldest first; each series has a scale of its own, up to its highest value.
export function chart({ label, series }) {
  const canvas = make("canvas", { role: "img", "aria-label": label });
  const keys = series.map((each) => make("span"));
  const legend = make("ul", { class: "legend" }, series.map((each, index) =>
    make("li", {}, make("i", { style: { background: `var(${each.color})` } }), keys[index])));
  const root = make("div", { class: "chart" }, canvas, legend);
  let points = [];
  let pointer;

  canvas.addEventListener("pointermove", (event) => { pointer = event.offsetX; paint(); });
  canvas.addEventListener("pointerleave", () => { pointer = undefined; paint(); });
  const watcher = new ResizeObserver(paint);
  watcher.observe(canvas);

  function paint() {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width) return;
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d");
    const style = getComputedStyle(canvas);
    pen.scale(ratio, ratio);
    pen.font = "11px system-ui, sans-serif";
    const frame = { left: 4, right: width - 4, top: 6, bottom: height - 18 };
    pen.strokeStyle = style.getPropertyValue("--rule");
    pen.beginPath();
    pen.moveTo(frame.left, frame.bottom + 0.5);
    pen.lineTo(frame.right, frame.bottom + 0.5);
    pen.stroke();
    const largest = series.map((_, index) => Math.max(0, ...points.map((point) => point.values[index])));
    if (points.length < 2) return say(undefined, largest);
    const [begin, end] = [points[0].at, points.at(-1).at];
    const x = (at) => frame.left + ((at - begin) / (end - begin || 1)) * (frame.right - frame.left);
    pen.fillStyle = style.getPropertyValue("--soft");
    pen.textAlign = "left";
    const label = (at) => (end - begin < secondsSpanMax ? time(at * 1_000) : hour(at));
    pen.fillText(label(begin), frame.left, height - 5);
    pen.textAlign = "right";
    pen.fillText(label(end), frame.right, height - 5);
    series.forEach((each, index) => {
      const y = (value) => frame.bottom - (value / (largest[index] || 1)) * (frame.bottom - frame.top);
      pen.strokeStyle = style.getPropertyValue(each.color);
      pen.lineWidth = 1.6;
      pen.beginPath();
      points.forEach((point, number) => (number ? pen.lineTo(x(point.at), y(point.values[index])) : pen.moveTo(x(point.at), y(point.values[index]))));
      pen.stroke();
    });
    if (pointer === undefined) return say(points.at(-1), largest);
    const nearest = points.reduce((best, point) => (Math.abs(x(point.at) - pointer) < Math.abs(x(best.at) - pointer) ? point : best));
    pen.strokeStyle = style.getPropertyValue("--edge");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x(nearest.at), frame.top);
    pen.lineTo(x(nearest.at), frame.bottom);
    pen.stroke();
    say(nearest, largest);
  }

  function say(point, largest) {
    series.forEach(({ label, format }, index) => {
      const top = largest[index] > 0 ? `, highest ${format(largest[index])}` : "";
      setText(keys[index], `${label} ${point ? format(point.values[index]) : "–"}${top}`);
    });
  }

  return {
    element: root,
    draw(next) { points = next; paint(); },
    end() { watcher.disconnect(); fill(root); },
  };
}

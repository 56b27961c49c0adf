// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// A report of strategies as tables and sentences: figures side by side, the screen that wastes most, causes and remedies.

import { make } from "./dom.js";
import { bytes, count, counted, dollars, duration, percent } from "./format.js";
import { address } from "./route.js";
import { isPartial, wasteOfScreens } from "./screen-waste.js";

const causes = {
  oversized: "too many pixels", overFetched: "never opened", again: "downloaded again", prefetchedUnused: "prefetched in vain",
  revalidated: "replaced", aborted: "given up", failed: "failed", lookups: "address lookups",
};

/// The screen with the most bytes that could be done without: `{ screen, bytes, wasted, isLeast, parts }`.
function worstScreen(outcome) {
  const sums = wasteOfScreens(outcome).map((each) => ({ ...each, wasted: each.parts.reduce((total, part) => total + part.bytes, 0) }));
  const worst = sums.sort((left, right) => right.wasted - left.wasted)[0];
  return worst?.wasted ? { ...worst, isLeast: outcome.findings.some(isPartial) } : undefined;
}

/// The sentence at the top, of what really happened, or else of the first strategy.
export function verdict({ strategies, inferred, best }) {
  if (inferred?.downloads === 0) {
    return make("p", { class: "verdict" }, "No image was downloaded in this session, so that all strategies are alike. Look at screens with images.");
  }
  const outcome = strategies[0];
  const worst = worstScreen(outcome);
  if (!worst) return make("p", { class: "verdict" }, "No screen downloads anything worth naming that it could do without.");
  const share = percent((100 * worst.wasted) / worst.bytes);
  return make("p", { class: "verdict" },
    make("b", {}, `Screen ${worst.screen} wastes most: `),
    `${worst.isLeast ? "at least " : ""}${share} of its ${bytes(worst.bytes)} need not have been downloaded (`,
    worst.parts.map(({ cause, bytes: amount }) => `${bytes(amount)} ${causes[cause] ?? cause}`).join(", "), "). ",
    best && [tryLink(best.strategy), ` saves ${bytes(outcome.bytes.body - best.bytes)} of the ${bytes(outcome.bytes.body)} of all screens.`]);
}

function tryLink(strategy) { return make("a", { class: "mono", href: address("what-if", { strategy }) }, breakable(strategy)); }

/// A strategy's name, which is broken between its parts where there is little room.
function breakable(strategy) { return strategy.split(/(?<=[+:])/).flatMap((part, index) => (index > 0 ? [make("wbr"), part] : [part])); }

/// The strategies as rows; `own` is the one of the controls.
export function strategyTable({ strategies, network, profile }, own) {
  const largest = Math.max(...strategies.map((each) => each.bytes.body), 1);
  const { dailyUsers } = strategies.find((each) => each.cost)?.cost ?? {};
  const hasCosts = dailyUsers !== undefined;
  const number = (title, details) => make("th", { scope: "col", class: "number", title: details }, title);
  return [
    make("div", { class: "scroll" }, make("table", { class: "strategies" },
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "strategy"), make("th", { scope: "col" }, "downloaded"), number("compared"),
        number("requests"), number("operations"), number("document reads"), number("hit ratio", "Images that a cache had"),
        number("first image", `Half of the lists show one by then, 95 % by the second time${network ? `; ${network.title}` : ""}`),
        hasCosts && number("a month", `${count(dailyUsers)} daily users`))),
      make("tbody", {}, strategies.map((each) => row(each, { largest, own, hasCosts }))))),
    make("p", { class: "soft small" }, [
      hasCosts && `A month of ${count(dailyUsers)} daily users by ${profile.name}, prices as of ${profile.asOf}.`,
      network && ` Times: ${network.title}.`,
    ]),
  ];
}

function row(outcome, { largest, own, hasCosts }) {
  const { name, requests, bytes: { body }, billed, cache, time, cost, ratioToBaseline: ratio } = outcome;
  const first = time?.firstImage;
  const isRecorded = name === "recorded";
  const cell = (text) => make("td", { class: "number" }, text);
  return make("tr", { class: name === own ? "own" : "" },
    make("th", { scope: "row", class: "mono" }, isRecorded ? make("span", {}, "recorded") : tryLink(name)),
    make("td", { class: "amount" }, make("div", { class: "meter" }, make("i", { style: { width: `${(100 * body) / largest}%` } })), bytes(body)),
    cell(compared(ratio)), cell(count(requests)), cell(count(billed.classA + billed.classB)), cell(count(billed.documentReads)),
    cell(isRecorded || !cache ? "–" : percent(100 * (cache.hitRatio ?? 0))),
    cell(first?.p50 === undefined ? "–" : `${duration(first.p50)}${first.p95 === undefined ? "" : ` · ${duration(first.p95)}`}`),
    hasCosts && cell(cost?.usdPerMonth === undefined ? "–" : dollars(Number(cost.usdPerMonth))));
}

function compared(ratio) {
  if (ratio === undefined || ratio === null) return "–";
  if (Math.abs(ratio - 1) < 0.005) return "1×";
  return ratio < 1 ? `${(1 / ratio).toFixed(1)}× less` : `${ratio.toFixed(1)}× more`;
}

/// The downloads without need in what happened, and what to do about them.
export function findingList({ strategies: [outcome] }) {
  const { findings = [] } = outcome;
  if (findings.length === 0) return [];
  return [
    make("h2", {}, "Why, and what to change"),
    make("ul", { class: "findings" }, findings.map((finding) => make("li", {},
      make("div", { class: "meter" }, make("i", { style: { width: `${Math.min(100, finding.percent)}%` } })),
      make("span", {}, finding.sentence, " ", finding.remedy && ["Try ", tryLink(finding.remedy.strategy)])))),
  ];
}

/// How many views of how many users, and what was assumed to find them.
export function inferenceNote({ inferred, views, clients }) {
  if (!inferred) return [];
  return [
    make("details", { class: "soft" },
      make("summary", {}, `${counted(views, "view")} of ${counted(clients, "user")}, inferred from the requests: what was assumed`),
      make("ul", {}, inferred.assumptions.map((each) => make("li", {}, each)))),
  ];
}

/// The bytes of each screen with each strategy.
export function screenTable({ strategies }) {
  const withScreens = strategies.filter((each) => each.screens?.length);
  if (withScreens.length === 0) return [];
  const names = [...new Set(withScreens.flatMap((each) => each.screens.map(({ screen }) => screen)))];
  const of = (outcome, screen) => outcome.screens.find((each) => each.screen === screen);
  return [
    make("h2", {}, "Screens"),
    make("p", { class: "soft small" }, "Lists by their query, behind the tag that most of their images have, and posts that were opened."),
    make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Bytes of each screen" }, make("table", { class: "screens" },
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "screen"),
        withScreens.map((each) => make("th", { scope: "col", class: "number mono" }, breakable(each.name))))),
      make("tbody", {}, names.map((name) => make("tr", {}, make("th", { scope: "row" }, name),
        withScreens.map((each) => make("td", { class: "number" }, of(each, name) ? bytes(of(each, name).bytes) : "–"))))))),
  ];
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// What each screen downloads without need, from the findings of a report, which name screens by their pages.

/// The screens of an outcome, each with its parts by cause:
/// `{ screen, bytes, parts: [{ cause, bytes, responses, isLeast, remedy }] }`.
///
/// Findings name the three pages with the most bytes each; where there are more, `isLeast` says that a part is a lower bound.
export function wasteOfScreens({ screens = [], findings = [] }) {
  return screens.map(({ screen, bytes }) => ({ screen, bytes, parts: findings.flatMap((finding) => partOf(screen, finding)) }));
}

function partOf(screen, { cause, bytes, screens: pages, remedy }) {
  const own = pages.filter((page) => isPageOf(screen, page.name));
  if (sum(own, "bytes") === 0) return [];
  return [{ cause, bytes: sum(own, "bytes"), responses: sum(own, "responses"), isLeast: isPartial({ bytes, screens: pages }), remedy }];
}

/// Whether a finding names fewer bytes by pages than it has.
export function isPartial({ bytes, screens: pages }) { return sum(pages, "bytes") < bytes; }

function sum(parts, figure) { return parts.reduce((total, part) => total + part[figure], 0); }

// Lists have pages; other screens are called by their step there.
const stepNames = new Map([["opened posts", "openPost"], ["posts without a list", "showPosts"]]);

function isPageOf(screen, page) {
  if (page === screen || page === stepNames.get(screen)) return true;
  return page.startsWith(`${screen}, page `) && /^\d+$/.test(page.slice(screen.length + 7));
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Objects that users downloaded again although they had them, in sentences.

import { fill, isInUse, make, setText } from "./dom.js";
import { bytes, count, counted, percent } from "./format.js";
import { exactly } from "./request-filter.js";
import { address } from "./route.js";

/// Makes the card: `{ element, draw(waste, { isSinceMark }) }` with the answer of `GET /console/waste`, or a `refusal`.
export function againList() {
  const sum = make("p", {});
  const list = make("ul", { class: "again" });
  const drawn = new Map();

  function line(each) {
    const filter = [exactly("object", each.object),
      exactly("user", each.user ?? ""), exactly("bucket", each.bucket),
      ...(each.client === undefined ? [] : [exactly("client", each.client)])].join(" ");
    const figures = make("span");
    return {
      element: make("li", {}, make("span", { class: "who" }, each.user || `${each.client || "An app"}, without a user,`), " downloaded ",
        make("a", { href: address("live", { filter }) }, each.object), " ", figures),
      draw({ downloads, bytes: all, againBytes }) {
        setText(figures, `${counted(downloads, "time")}: ${bytes(all)}, of which ${bytes(againBytes)} again`);
      },
    };
  }

  return {
    element: make("section", { class: "card" }, make("h2", {}, "Downloaded again"), sum, list),
    draw({ refusal, downloads, bytes: all, again, objects, isTruncated }, { isSinceMark }) {
      if (refusal) {
        setText(sum, refusal);
        sum.className = "soft";
        fill(list);
        return;
      }
      const share = all > 0 ? (100 * again.bytes) / all : 0;
      setText(sum, again.downloads === 0
        ? `No user has downloaded an object ${isSinceMark ? "again since then" : "twice"}.`
        : `${count(again.downloads)} of ${counted(downloads, "download")} brought a user an object that this user had before: `
          + `${bytes(again.bytes)}, ${percent(share)} of what was downloaded`
          + `${isTruncated ? " (at least: there are more objects than are remembered)" : ""}. A cache on the device avoids that.`);
      sum.className = again.downloads === 0 ? "soft" : "";
      const ids = objects.map((each) => JSON.stringify([each.user, each.client, each.bucket, each.object]));
      for (const id of drawn.keys()) if (!ids.includes(id)) drawn.delete(id);
      objects.forEach((each, index) => {
        if (!drawn.has(ids[index])) drawn.set(ids[index], line(each));
        drawn.get(ids[index]).draw(each);
      });
      if (!isInUse(list)) fill(list, ids.map((id) => drawn.get(id).element));
    },
  };
}

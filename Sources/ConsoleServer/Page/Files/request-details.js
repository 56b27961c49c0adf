// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// All that is known of one request, and where to go from it.

import { curl } from "./curl.js";
import { button, copy, make, setText } from "./dom.js";
import { bytes, count, date, dollars, duration, exactTime } from "./format.js";
import { documentPath, isGRPC, isWebChannel, shortOperation, subject } from "./request.js";
import { exactly } from "./request-filter.js";
import { address } from "./route.js";

const billedLabels = {
  egressBytes: "egress", classA: "class A operations", classB: "class B operations", documentReads: "document reads",
  documentWrites: "document writes", documentDeletes: "document deletes", ruleReads: "of these for rules",
  tier1ActiveUsers: "active users", tier2ActiveUsers: "active users by SAML or OpenID Connect", smsMessages: "SMS",
};

/// The content of the panel: `{ heading, body }`.
export function requestDetails(request, origin) {
  const asCurl = curl(request, origin);
  return {
    heading: `${shortOperation(request)} ${subject(request)}`,
    body: [
      make("dl", {}, facts(request).map(([label, value]) => [make("dt", {}, label), make("dd", {}, value)])),
      make("h3", {}, "Billed"),
      bill(request),
      make("h3", {}, "Rule"),
      rule(request),
      make("h3", {}, "As curl"),
      asCurl.command && make("pre", { class: "command", tabindex: "0", "aria-label": "Command for curl" }, asCurl.command),
      asCurl.note && make("p", { class: "soft" }, asCurl.note),
      asCurl.command && copyButton(asCurl.command),
    ],
  };
}

function copyButton(text) {
  const pressed = button("Copy as curl", () => copy(text, pressed));
  return pressed;
}

function facts(request) {
  const way = isGRPC(request) ? "gRPC" : isWebChannel(request) ? "WebChannel" : "HTTP";
  const document = documentPath(request);
  const [project, database] = request.database?.split("/") ?? [];
  const place = { project, database };
  const values = [
    ["time", `${date(request.at / 1_000)}${exactTime(request.at).slice(-4)}`],
    ["counted", counted(request)],
    ["took", request.durationMicroseconds !== undefined && duration(request.durationMicroseconds / 1_000)],
    ["operation", [request.operation, " ", onlyThese(exactly("op", request.operation))]],
    ["user", request.user !== undefined && [
      link("users", { user: request.user }, request.user), " ", onlyThese(exactly("user", request.user)),
    ]],
    ["screen or tag", request.tag !== undefined && [request.tag, " ", onlyThese(exactly("tag", request.tag))]],
    ["object", request.object !== undefined && [
      link("files", { bucket: request.bucket, object: request.object }, `${request.bucket ?? ""}/${request.object}`), " ",
      onlyThese(exactly("object", request.object)),
    ]],
    ["document", document && link("documents", { ...place, path: document }, document)],
    ["query", request.query !== undefined && [request.query, " ", onlyThese(exactly("query", request.query))]],
    ["collection", request.collection !== undefined && collection(request.collection, place)],
    ["database", request.database],
    ["request", request.method && `${way} ${request.method} ${request.target ?? ""}`],
    ["status", [request.status, request.outcome, request.abortCause].filter((each) => each !== undefined).join(", ")],
    ["client", request.client],
    ["sent to the app", sizes(request.sent, request.sentBody)],
    ["received", sizes(request.received, request.receivedBody)],
    ["number", count(request.number)],
  ];
  return values.filter(([, value]) => value);
}

/// The line of the rule that let the request pass, or why none did.
function rule({ rule: text, service }) {
  if (!text) return make("p", { class: "soft" }, "None was asked: there are no rules for this, or it came from an administrator.");
  const [, line] = /^line (\d+)$/.exec(text) ?? [];
  const place = { firestore: "cloud.firestore", storage: "firebase.storage" }[service];
  return make("p", line ? {} : { class: "mono" }, line && place ? ["Allowed by ", link("rules", { of: place, line }, text)] : text);
}

/// Where a record is not one request.
function counted({ requests }) {
  if (requests < 0) return "taken back: the client broke off before all had reached it, and the request is recorded again";
  return requests === 0 ? "with another record: this is a part of a request or of a connection" : undefined;
}

function sizes(all, body) {
  return all === undefined ? undefined : `${bytes(all)} on the wire (${count(all)} B), ${bytes(body ?? 0)} of it content`;
}

// Of a collection within documents, their ids are not recorded.
function collection(name, place) {
  return name.includes("/") || name === "*" ? name : [link("documents", { ...place, path: name }, name), " ", onlyThese(exactly("collection", name))];
}

function link(view, parameters, text) { return make("a", { href: address(view, parameters) }, text); }

function onlyThese(filter) {
  const label = `Only requests with ${filter}`;
  return make("a", { class: "only", href: address("live", { filter }), "aria-label": label, title: label }, "only these");
}

function bill({ billed = {}, usd = 0 }) {
  const amounts = Object.entries(billed).filter(([name, amount]) => amount && Object.hasOwn(billedLabels, name));
  if (amounts.length === 0) return make("p", { class: "soft" }, "Nothing.");
  return make("dl", {},
    amounts.map(([name, amount]) => [
      make("dt", {}, billedLabels[name]), make("dd", {}, name === "egressBytes" ? bytes(amount) : count(amount)),
    ]),
    make("dt", {}, "price beyond the free amounts"), make("dd", {}, dollars(usd)));
}

const narrow = matchMedia("(max-width: 75rem)");

/// The place of the panel: beside the list, on narrow screens a dialog. `closed()` is called when the user closes it.
export function detailsPanel(closed) {
  const heading = make("h2", { class: "cut", id: "request-heading" });
  const body = make("div", { class: "details-body" });
  const head = make("div", { class: "details-head" }, heading, button("Close", closed, { "aria-label": "Close the request" }));
  let isShown = false;
  let element = container();

  function container() {
    if (!narrow.matches) return make("section", { class: "card details", "aria-labelledby": "request-heading", hidden: true }, head, body);
    const dialog = make("dialog", { class: "card details over", "aria-labelledby": "request-heading" }, head, body);
    // Escape closes a dialog by itself, without a press of the button.
    dialog.addEventListener("cancel", (event) => { event.preventDefault(); closed(); });
    return dialog;
  }

  function draw() {
    if (!element.showModal) element.hidden = !isShown;
    else if (!isShown) element.close();
    else if (!element.open) element.showModal();
  }

  function move() {
    const former = element;
    element = container();
    former.replaceWith(element);
    draw();
  }

  narrow.addEventListener("change", move);
  return {
    element,
    show(title, ...children) {
      setText(heading, title);
      heading.title = title;
      body.replaceChildren(...children.flat().filter(Boolean));
      isShown = true;
      draw();
    },
    hide() { isShown = false; draw(); },
    end() { narrow.removeEventListener("change", move); },
  };
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Mails and SMS that would have been sent: links and codes, the newest first.

import { tenantsOf } from "./accounts.js";
import { consoleState, get } from "./api.js";
import { button, copy, fill, make, notice, setText } from "./dom.js";
import { counted, date } from "./format.js";
import { poll } from "./poll.js";
import { change } from "./route.js";
import { searchField } from "./search-field.js";

const pollInterval = 2_000;
const shownMax = 200;
/// Of more tenants, one is chosen.
const tenantMax = 10;
const titles = {
  PASSWORD_RESET: "Reset of a password",
  VERIFY_EMAIL: "Verification of an address",
  EMAIL_SIGNIN: "Sign-in by link",
  RECOVER_EMAIL: "An address was changed",
  VERIFY_AND_CHANGE_EMAIL: "Verification of a new address",
};

export function show(root, parameters) {
  let asked = parameters;
  let messages = [];
  let drawn = "";
  /// The times at which messages were first seen here, by their keys; those of the first answer have none.
  const seen = new Map();
  let isFirst = true;

  const filter = searchField("Filter by address or phone number", "Filter messages");
  const kind = make("select", { "aria-label": "Kind", on: { change: () => change({ kind: kind.value }) } },
    [["", "Mails and SMS"], ["mail", "Mails"], ["sms", "SMS"]].map(([value, title]) => make("option", { value }, title)));
  const tenants = make("select", { "aria-label": "Tenant", hidden: true, on: { change: () => change({ tenant: tenants.value }) } });
  const status = make("p", { class: "soft", role: "status" }, "Reading messages…");
  const list = make("ul", { class: "messages" });
  fill(root, make("h1", {}, "Inbox"),
    make("p", { class: "soft" }, "Nothing is sent from here: these are the links and codes that your users would have received."),
    make("div", { class: "tools" }, make("span", { class: "grow" }, filter.element), kind, tenants), status, list);

  const watch = poll(async (signal) => {
    try {
      const { project } = await consoleState();
      const known = await tenantsOf(project, signal);
      drawTenants(known);
      const chosen = known.filter(({ id }) => (asked.has("tenant") ? id === asked.get("tenant") : known.length <= tenantMax));
      const scopes = [...(asked.has("tenant") ? [] : [undefined]), ...chosen.map(({ id }) => id)];
      take((await Promise.all(scopes.map((tenant) => sent(project, tenant, signal)))).flat());
      draw();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      drawn = "";
      setText(status, "");
      fill(list, make("li", {}, notice(error.message, "bad")));
    }
  }, pollInterval);

  function drawTenants(known) {
    if (document.activeElement === tenants) return;
    tenants.hidden = known.length === 0;
    const all = known.length <= tenantMax ? "All tenants" : "The project itself";
    fill(tenants, make("option", { value: "" }, all), known.map(({ id, name }) => make("option", { value: id }, name ?? id)));
    tenants.value = asked.get("tenant") ?? "";
  }

  function take(found) {
    const now = isFirst ? undefined : Date.now();
    isFirst = false;
    const keys = new Set(found.map((message) => message.key));
    for (const key of seen.keys()) if (!keys.has(key)) seen.delete(key);
    for (const message of found) if (!seen.has(message.key)) seen.set(message.key, now);
    // The answers are in order, the oldest first, but for that of mails among SMS.
    messages = found.map((message) => ({ ...message, at: message.sentAt ?? seen.get(message.key) })).reverse();
    messages.sort((left, right) => (right.at ?? 0) - (left.at ?? 0));
  }

  function draw() {
    const text = filter.take(asked);
    const wanted = asked.get("kind") ?? "";
    const matching = messages.filter((message) => (!wanted || message.kind === wanted)
      && (!text || message.to.toLowerCase().includes(text)));
    const shown = matching.slice(0, shownMax);
    const state = JSON.stringify(shown.map((message) => [message.key, message.at]));
    setText(status, !messages.length ? "There are no messages yet: ask your app for a link or a code, and it appears here."
      : `${counted(matching.length, "message")}${matching.length > shownMax ? `, of which the newest ${shownMax} are shown` : ""}`);
    if (state === drawn) return;
    drawn = state;
    fill(list, shown.map(drawMessage));
  }

  function apply(next) {
    const isOther = next.get("tenant") !== asked.get("tenant");
    asked = next;
    if (isOther) {
      // Those of another tenant are not new.
      isFirst = true;
      seen.clear();
      watch.now();
    }
    filter.take(asked);
    kind.value = asked.get("kind") ?? "";
    if (!isFirst) draw();
  }

  apply(parameters);
  return { change: apply, end() { watch.end(); } };
}

/// The messages of a project or of a tenant, the oldest first.
async function sent(project, tenant, signal) {
  const base = `/console/auth/emulator/v1/projects/${encodeURIComponent(project)}${tenant ? `/tenants/${encodeURIComponent(tenant)}` : ""}`;
  const [{ oobCodes = [] }, { verificationCodes = [] }] = await Promise.all([
    get(`${base}/oobCodes`, { signal }), get(`${base}/verificationCodes`, { signal }),
  ]);
  // Older ones have no time.
  const time = ({ createdAt }) => Date.parse(createdAt) || undefined;
  return [
    ...oobCodes.map((code) => ({
      key: `mail ${tenant ?? ""} ${code.oobCode}`, kind: "mail", tenant, title: titles[code.requestType] ?? code.requestType,
      to: code.newEmail ? `${code.email} → ${code.newEmail}` : code.email, link: code.oobLink, sentAt: time(code),
    })),
    ...verificationCodes.map((code) => ({
      key: `sms ${tenant ?? ""} ${code.sessionInfo}`, kind: "sms", tenant, title: "Code", to: code.phoneNumber, code: code.code, sentAt: time(code),
    })),
  ];
}

function drawMessage(message) {
  const isWebLink = /^https?:\/\//.test(message.link ?? "");
  return make("li", { class: "card message" },
    make("div", { class: "about" },
      make("span", { class: "badge" }, message.kind === "sms" ? "SMS" : "mail"),
      make("b", {}, message.title),
      make("span", { class: "to" }, message.to),
      message.tenant && make("span", { class: "soft" }, `tenant ${message.tenant}`),
      message.at && make("time", { class: "soft", title: !message.sentAt && "As this page first saw it" }, date(message.at))),
    message.code && make("div", { class: "act" }, make("output", { class: "code" }, message.code),
      button("Copy", (event) => copy(message.code, event.target), { "aria-label": `Copy the code for ${message.to}` })),
    message.link && make("div", { class: "act" },
      isWebLink && make("a", { class: "button", href: message.link, target: "_blank", rel: "noopener noreferrer" }, "Open the link"),
      button("Copy link", (event) => copy(message.link, event.target), { "aria-label": `Copy the link for ${message.to}` }),
      make("code", { class: "cut" }, message.link)));
}

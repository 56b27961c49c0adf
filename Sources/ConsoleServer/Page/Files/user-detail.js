// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// One user: what is known, what can be changed, what was used today.

import { button, copy, fill, make, notice } from "./dom.js";
import { date } from "./format.js";
import { address } from "./route.js";
import { userEdit } from "./user-edit.js";
import { askForDeletion, askForPassword } from "./user-forms.js";
import { userUsage } from "./user-usage.js";

const colorCount = 6;

/// A circle with initials in the place of a photograph: its address is a stranger's, and is not asked.
export function avatar({ uid, name, email }, isLarge = false) {
  const words = (name || email?.split("@")[0] || "").split(/[^\p{L}\p{N}]+/u).filter(Boolean).slice(0, 2);
  // By code points: half of a pair of surrogates is not a letter.
  const initials = words.map((word) => [...word][0].toUpperCase()).join("") || "?";
  const number = [...uid].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 9973, 7) % colorCount;
  return make("span", { class: `avatar s${number} ${isLarge ? "large" : ""}`, "aria-hidden": "true" }, initials);
}

/// Shows a user by id. `changed()` is called after each change; `close()` by a button.
export function userDetail({ accounts, uid, changed, close }) {
  const abort = new AbortController();
  const heading = make("h2", { tabindex: "-1" }, uid);
  const body = make("div");
  const problem = make("div", { "aria-live": "polite" });
  const element = make("section", { class: "card user", "aria-label": "The opened user" },
    make("div", { class: "title" }, heading, button("Close", close, { class: "quiet" })), problem, body);
  let usage;
  let isRemoved = false;

  async function load() {
    try {
      const user = await accounts.user(uid, abort.signal);
      if (!user) return fill(body, notice(isRemoved ? "The user is deleted." : "There is no user with this id."));
      draw(user);
    } catch (error) {
      if (error.name !== "AbortError") fill(body, notice(error.message, "bad"));
    }
  }

  /// Changes the user, and shows a refusal here.
  async function update(fields) {
    try {
      await accounts.update(uid, fields);
      fill(problem);
      await Promise.all([load(), changed()]);
    } catch (error) {
      fill(problem, notice(error.message, "bad"));
    }
  }

  function draw(user) {
    const name = user.displayName || user.email || user.phoneNumber || uid;
    fill(heading, avatar({ uid, name: user.displayName, email: user.email }, true), make("span", {}, name));
    usage?.end();
    usage = userUsage(uid);
    const remove = async () => { isRemoved = true; await changed(); await load(); };
    fill(body,
      make("p", { class: "uid" }, make("code", {}, uid), " ", button("Copy id", (event) => copy(uid, event.target), { class: "small" }), " ",
        user.disabled && make("span", { class: "badge bad" }, "disabled")),
      usage.element,
      userEdit(user, update),
      make("div", { class: "tools" },
        button(user.disabled ? "Enable" : "Disable", () => update({ disableUser: !user.disabled })),
        button(user.passwordHash ? "Change password…" : "Set a password…", () =>
          askForPassword(accounts, uid, () => Promise.all([load(), changed()]))),
        button("Sign out everywhere", () => update({ validSince: String(Math.floor(Date.now() / 1_000)) })),
        button("Delete…", () => askForDeletion(accounts, [{ uid, name: user.displayName, email: user.email }], remove), { class: "danger" })),
      linked("Providers", user.providerUserInfo, (provider) => [
        make("b", {}, provider.providerId), provider.email ?? provider.phoneNumber ?? provider.displayName ?? "",
        make("code", {}, provider.rawId ?? ""),
      ], (provider) => update({ deleteProvider: [provider.providerId] }), (provider) => `Unlink ${provider.providerId}`),
      linked("Second factors", user.mfaInfo, (factor) => [
        make("b", {}, factor.totpInfo ? "authenticator app" : "SMS"), factor.phoneInfo ?? "", factor.displayName ?? "",
      ], (factor) => update({ mfa: { enrollments: user.mfaInfo.filter((other) => other !== factor) } }), () => "Remove this second factor"),
      linked("Passkeys", user.passkeyInfo, (passkey) => [passkey.name ?? "", make("code", {}, passkey.credentialId)],
        (passkey) => update({ deletePasskey: [passkey.credentialId] }), () => "Remove this passkey"),
      facts(user),
      make("details", {}, make("summary", {}, "All fields"),
        make("pre", { class: "scroll", tabindex: "0" }, JSON.stringify(user, undefined, 2))));
  }

  load();
  return {
    element,
    focus() { heading.focus(); },
    end() { abort.abort(); usage?.end(); },
  };
}

/// A list of what belongs to a user, each with a button that takes it away.
function linked(title, entries, parts, remove, label) {
  if (!entries?.length) return undefined;
  return [
    make("h3", {}, title),
    make("ul", { class: "linked" }, entries.map((entry) => make("li", {},
      make("span", { class: "parts" }, parts(entry).map((part) => (part ? make("span", {}, part) : undefined))),
      button("Remove", () => remove(entry), { class: "small", "aria-label": label(entry) })))),
  ];
}

function facts(user) {
  const time = (milliseconds) => (milliseconds ? date(Number(milliseconds)) : "never");
  const inbox = user.email ?? user.phoneNumber;
  const entries = [
    ["Created", time(user.createdAt)],
    ["Last sign-in", time(user.lastLoginAt)],
    ["Last token", user.lastRefreshAt && time(Date.parse(user.lastRefreshAt))],
    ["Password", user.passwordHash ? `set${user.passwordUpdatedAt ? ` ${date(user.passwordUpdatedAt)}` : ""}` : "not set"],
    ["Signs in by link", user.emailLinkSignin && "yes"],
    ["Custom token", user.customAuth && "yes"],
    ["Tokens valid since", user.validSince && time(Number(user.validSince) * 1_000)],
    ["First e-mail", user.initialEmail],
    ["Tenant", user.tenantId],
    ["Mail and codes", inbox && make("a", { href: address("inbox", { q: inbox, tenant: user.tenantId }) }, "in the inbox")],
  ];
  return [
    make("h3", {}, "Facts"),
    make("dl", {}, entries.filter(([, value]) => value).map(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])),
  ];
}

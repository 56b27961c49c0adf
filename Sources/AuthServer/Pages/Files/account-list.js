// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import { avatar } from "./avatar.js";
import { claimsOf } from "./auth-event.js";
import { providerName } from "./request.js";
import { make, show } from "./views.js";

/** Lists the accounts above the button that adds one. */
export function showAccounts(request, accounts, choose) {
  const name = providerName(request);
  show("accounts-help", accounts.length ? `${name} accounts in this emulator:` : `No ${name} accounts in this emulator.`);
  document.getElementById("add-account-button").before(...accounts.map((account) => item(account, choose)));
}

function item(account, choose) {
  const item = make("li", "js-reuse-account");
  // End-to-end tests read this attribute, and click on the item.
  item.dataset.idToken = encodeURIComponent(JSON.stringify(claimsOf(account)));
  item.addEventListener("click", () => choose(account), { once: true });
  const row = make("button", "row");
  row.type = "button";
  row.append(avatar(account), who(account));
  item.append(row);
  return item;
}

function who({ displayName, email }) {
  const who = make("span", "who");
  who.append(isolated("name", displayName || "(No display name)"), isolated("soft", email ?? ""));
  return who;
}

/** A text whose direction does not affect its surroundings. */
function isolated(className, text) {
  const element = make("bdi", className, text);
  element.dir = "auto";
  return element;
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The page that pop-ups and redirects open instead of an identity provider's: the user chooses or adds an account.
import { showForm } from "./account-form.js";
import { showAccounts } from "./account-list.js";
import { loadAccounts } from "./accounts.js";
import { authEventFor } from "./auth-event.js";
import { deliver } from "./delivery.js";
import { providerName, readRequest } from "./request.js";
import { describeRequest, mobileWarning } from "./request-notes.js";
import { show, showFailure } from "./views.js";

const element = (id) => document.getElementById(id);

/** Completes the sign-in with an account. */
async function finish(request, account) {
  element("accounts-list").inert = element("add-user").inert = true;
  show("status", "Signing in…");
  const note = await deliver(request, authEventFor(request, account, location.href));
  if (note) show("status", note);
}

function start() {
  const request = readRequest(new URLSearchParams(location.search));
  const choose = (account) => finish(request, account).catch(showFailure);
  const warning = mobileWarning(request);
  if (warning) show("warning", warning);
  describeRequest(request, element("request").querySelector("dl"));
  element("sign-in").textContent = `Sign in with ${providerName(request)}`;
  showAccounts(request, loadAccounts(request), choose);
  showForm(request, choose);
  element("content").hidden = false;
}

try {
  start();
} catch (error) {
  showFailure(error);
}

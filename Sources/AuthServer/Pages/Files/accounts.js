// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/**
 * The provider's accounts in the emulator. The request is synchronous on purpose: end-to-end tests count the accounts at the page's
 * `load` event.
 */
export function loadAccounts({ apiKey, providerId, tid }) {
  const query = new URLSearchParams({ apiKey, providerId, ...(tid && { tid }) });
  const asked = new XMLHttpRequest();
  asked.open("GET", `accounts?${query}`, false);
  asked.send();
  if (asked.status !== 200) throw new Error(`The emulator could not list its accounts (status ${asked.status}).`);
  return JSON.parse(asked.responseText).accounts;
}

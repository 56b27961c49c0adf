// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether two URLs have the same port on this computer, under any of its loopback names. */
export function areSameServer(one, other) {
  const isLocal = ({ protocol, hostname }) => protocol === "http:" && LOOPBACK.test(hostname);
  return isLocal(one) && isLocal(other) && one.port === other.port;
}

/**
 * The URL of the relay page under the app's host name; null if that is not this computer. Browsers partition the storage of frames by
 * the site of the top-level page, so a frame of ours in the relay page shares the storage of the helper frame in the app's page.
 */
export function relayUrl(app, here, { storageKey, authEvent }) {
  const relay = new URL("/emulator/auth/relay", here.origin);
  Object.assign(relay, { protocol: app.protocol, hostname: app.hostname });
  if (!areSameServer(relay, here)) return null;
  relay.hash = new URLSearchParams({ keeper: here.origin, storageKey, authEvent: JSON.stringify(authEvent), next: app.href });
  return relay;
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/** The channel between the helper frame and pop-ups without an opener; null if the browser blocks it here. */
export function eventChannel(storageKey) {
  try {
    return new BroadcastChannel(`firemeter:authEvent:${storageKey}`);
  } catch {
    return null;
  }
}

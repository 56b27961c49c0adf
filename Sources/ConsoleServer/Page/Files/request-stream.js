// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The requests as the emulator sees them, over a connection that is made again where it breaks.

import { events, get } from "./api.js";

/// Calls `take(requests)` with requests, oldest first, and `lost(count)` for those that the emulator no longer had.
/// The returned function ends that.
export function streamRequests({ take, lost, restarted, connected }) {
  let after = 0;
  let end = connect();

  function connect() {
    let wasLost = false;
    return events(() => `/console/requests/events?after=${after}`, {
      requests({ requests, next, dropped }) {
        after = next;
        if (dropped) lost(dropped);
        take(requests);
      },
      async open() {
        connected(true);
        if (wasLost && await isOther()) {
          after = 0;
          end();
          restarted();
          end = connect();
        }
        wasLost = false;
      },
      lost() { wasLost = true; connected(false); },
    });
  }

  /// Whether another emulator answers than before, whose requests have numbers from 1 again.
  async function isOther() {
    if (after === 0) return false;
    const { next } = await get(`/console/requests?after=${after}&limit=1`);
    return next < after;
  }

  return () => end();
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The requests as the emulator sees them, over a connection that is made again where it breaks.

import { events } from "./api.js";

/// Calls `take(requests)` with requests, oldest first, `lost(count)` for those that came too fast to be kept, and `restarted()`
/// where another emulator answers than before. The returned function ends that.
export function streamRequests({ take, lost, restarted }) {
  let after = 0;
  return events(() => `/console/requests/events?after=${after}`, {
    requests({ requests, next, dropped }) {
      // Numbers begin again with each start of the emulator.
      if (next < after) restarted();
      // What was before this page was opened is not missed.
      else if (after > 0 && dropped > 0) lost(dropped);
      after = next;
      take(requests);
    },
  });
}

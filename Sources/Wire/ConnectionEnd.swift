// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// What is known of a connection that is gone.
struct ConnectionEnd {
    /// What left, of all that was handed over; `nil` where the kernel cannot be asked.
    var sentByteCount: Int64?
    /// What the kernel received but nobody read.
    var unreadByteCount: Int64 = 0
    /// Why what was under way broke off; `nil` where the kernel cannot be asked.
    var cause: AbortCause?
}

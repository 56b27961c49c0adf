// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// The last figures of a closed connection.
struct ConnectionEnd {
    /// The bytes that left, of all that were handed over; `nil` where the kernel cannot be asked.
    var sentByteCount: Int64?
    /// The bytes that the kernel received and no one read.
    var unreadByteCount: Int64 = 0
    /// Why what was under way broke off; `nil` where the kernel cannot be asked.
    var cause: AbortCause?
}

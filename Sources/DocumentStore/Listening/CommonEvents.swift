// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// Events that many streams are sent alike, with their form for clients: that is made once.
package final class CommonEvents: Sendable {
    package let events: [ListenEvent]
    private let encoded = NIOLockedValueBox<[[UInt8]]?>(nil)

    init(_ events: [ListenEvent]) { self.events = events }

    /// The encoded events, made by the first caller; all must encode them alike.
    package func encoded(_ encode: ([ListenEvent]) throws -> [[UInt8]]) rethrows -> [[UInt8]] {
        try encoded.withLockedValue { encoded in
            if let encoded { return encoded }
            let made = try encode(events)
            encoded = made
            return made
        }
    }
}

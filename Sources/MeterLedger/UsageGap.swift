// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
package import Metering

/// Requests that the totals lack because the ledger cannot be written, or could not.
package struct UsageGap: Hashable, Sendable {
    /// Why the ledger could not be written the last time.
    package var reason: String
    /// When the first of the requests began, in microseconds since the Unix epoch; `nil` where the ledger's file could not
    /// be opened: then the totals lack all from before the start, and those of now go with the process.
    package var sinceMicroseconds: Int64?
    /// When the last request that was not kept began, once the ledger can be written again; `nil` as long as it cannot.
    package var untilMicroseconds: Int64?
    /// The usage that waits in memory until the ledger can be written.
    package var waiting: UsageTotals
    /// The usage that had no room in memory, either, and is never counted.
    package var lost: UsageTotals
}

extension UsageGap: CustomStringConvertible {
    package var description: String {
        guard let sinceMicroseconds else {
            return "usage of former runs is not counted, and that of this one is forgotten at its end: \(reason)"
        }
        guard let untilMicroseconds else {
            return "usage since \(Self.time(sinceMicroseconds)) is not counted for now: \(reason)"
        }
        let bytes = lost.received.wire + lost.sent.wire
        return "usage is counted again; \(lost.requests) requests with \(bytes) bytes between"
            + " \(Self.time(sinceMicroseconds)) and \(Self.time(untilMicroseconds)) were not"
    }

    /// The gap in JSON.
    var json: JSONText {
        .object(compacting: [
            ("since", sinceMicroseconds.map { .string(Self.time($0)) }),
            ("until", untilMicroseconds.map { .string(Self.time($0)) }),
            ("reason", .string(reason)),
            ("waiting", .object(waiting.members)),
            ("lost", .object(lost.members)),
        ])
    }

    private static func time(_ microseconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(microseconds / 1_000_000)).formatted(.iso8601)
    }
}

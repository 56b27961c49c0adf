// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FeedClient

/// One of several parts of a log, as in `2/8`.
struct LogPart: ExpressibleByArgument, Sendable {
    let number: Int
    let count: Int

    init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]), (1...1_000_000).contains(count),
            (1...count).contains(number)
        else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// Whether a user is in the part; each user is in one.
    func has(_ client: String) -> Bool { Int(FNV1a64.hash(of: client.utf8) % UInt64(count)) == number - 1 }
}

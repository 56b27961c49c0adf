// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOConcurrencyHelpers

/// Download tokens as production makes them.
package enum RandomToken {
    /// A random UUID in lower case.
    @Sendable package static func make() -> String { UUID().uuidString.lowercased() }
}

/// Download tokens that are the same in every run: a counter in the form of a UUID.
package final class CountedTokens: Sendable {
    private static let digitCount = 12

    private let count = NIOLockedValueBox(0)

    /// Starts to count.
    package init() {}

    /// The next token.
    @Sendable package func make() -> String {
        let number = count.withLockedValue { count in
            count += 1
            return String(count)
        }
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: Self.digitCount - number.count) + number
    }
}

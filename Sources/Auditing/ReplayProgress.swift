// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How far a replay has come.
package struct ReplayProgress: Sendable, Hashable {
    /// The strategy being replayed.
    package let strategy: Strategy
    /// The views replayed.
    package let doneViewCount: Int
    /// The views of the log.
    package let viewCount: Int
}

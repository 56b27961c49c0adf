// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How far a replay has come.
package struct ReplayProgress: Sendable, Hashable {
    /// The name of the work, such as a strategy's.
    package let subject: String
    /// How much of it has been.
    package let done: Int
    /// How much there is.
    package let total: Int
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Why bytes are no JSON value; names the place, never the text found there.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem, such as `expected ':'`.
    package let message: String
    /// The place of the first wrong byte, counted from 1.
    package let column: Int

    package var description: String { "column \(column): \(message)" }
}

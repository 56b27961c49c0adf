// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How large queries may be.
///
/// Source: facts, §4 (2026-11).
package enum QueryLimits {
    /// Disjunctions of the filter in its normal form; also the values of `in` and `array-contains-any`.
    package static let disjunctionMax = 30
    /// Values of `not-in`.
    package static let exclusionMax = 10
    /// Filters and sort orders together: "the sum of filters, sort orders, and parent document path in a query is
    /// limited to 100" (query limitations in Firestore's documentation, from memory, 2026-11).
    package static let termMax = 100
}

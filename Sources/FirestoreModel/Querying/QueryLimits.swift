// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How large queries may be.
///
/// Source: production (recorded 2026-09).
enum QueryLimits {
    /// Disjunctions of the filter in its normal form; also the values of `in` and `array-contains-any`.
    static let disjunctionMax = 30
    /// Values of `not-in`.
    static let exclusionMax = 10
    /// Filters, explicit sort orders and a parent document together.
    static let termMax = 100
    /// Fields with inequalities, of which `not-in` and `!=` are some.
    static let inequalityMax = 10
    /// The size of a value in a filter, measured as in documents.
    ///
    /// Source: cloud.google.com/firestore/quotas, "Maximum size of an indexed field value"; measured on the official
    /// emulator 1.19.9 (2026-11).
    static let operandByteCountMax = 1_500
}

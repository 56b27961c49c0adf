// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How often a function was run.
package struct InvocationCounts: Sendable, Equatable {
    /// Events that were sent and answered with success.
    package var succeeded = 0
    /// Events that were refused, or not answered.
    package var failed = 0
    /// Attempts after the first.
    package var repeated = 0
    /// Events that were not sent, for too much waited.
    package var dropped = 0
}

/// The runs of functions, by their names.
struct InvocationTable: Sendable {
    /// The largest number of names; the runs of further functions are counted together.
    static let functionCountMax = 10_000
    /// The name of further functions.
    static let others = "(others)"

    private(set) var counts: [String: InvocationCounts] = [:]

    /// Counts for a function.
    mutating func record(_ function: String, _ change: (inout InvocationCounts) -> Void) {
        let isKnown = counts[function] != nil || counts.count < Self.functionCountMax
        change(&counts[isKnown ? function : Self.others, default: InvocationCounts()])
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A moment in a ledger: the usage since a mark is what was recorded after it.
///
/// Prints as text that clients hand back; they should not look inside.
package struct UsageMark: Hashable, Sendable, LosslessStringConvertible {
    /// The moment before any record.
    static let beginning = Self(period: Periods.all, sequence: 0)

    private static let letter = "m"

    /// The last period before the mark.
    let period: Int64
    /// The sequence number of the last row of records before the mark, 0 for none.
    let sequence: Int64

    init(period: Int64, sequence: Int64) {
        self.period = period
        self.sequence = sequence
    }

    /// Returns `nil` for text that no mark prints as.
    package init?(_ description: String) {
        guard description.hasPrefix(Self.letter) else { return nil }
        let numbers = description.dropFirst().split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        guard numbers.count == 2, let period = numbers[0], let sequence = numbers[1] else { return nil }
        self.init(period: period, sequence: sequence)
        // "m+1-0" and "m01-0" are not ours.
        guard self.description == description else { return nil }
    }

    package var description: String { "\(Self.letter)\(period)-\(sequence)" }
}

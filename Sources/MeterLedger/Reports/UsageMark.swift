// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A moment in a ledger: the usage since a mark is what was recorded after it.
///
/// Prints as text that clients hand back; they should not look inside.
package struct UsageMark: Hashable, Sendable, LosslessStringConvertible {
    private static let letter = "m"

    /// The sequence number of the last record before the mark, 0 for none.
    let sequence: Int64

    init(sequence: Int64) {
        self.sequence = sequence
    }

    /// Returns `nil` for text that no mark prints as.
    package init?(_ description: String) {
        guard description.hasPrefix(Self.letter), let sequence = Int64(description.dropFirst()), sequence >= 0 else {
            return nil
        }
        self.init(sequence: sequence)
        // "m+1" and "m01" are not ours.
        guard self.description == description else { return nil }
    }

    package var description: String { Self.letter + String(sequence) }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Facts about how a judge came to a verdict, also where it refuses.
package struct Judgement: Sendable, Equatable {
    /// The documents that it looked at besides those of the call, each of which is billed a read.
    package var ruleReads = 0
    /// The rule that allowed the call, or why none did; `nil` where there are no rules.
    package var rule: String?

    /// Creates a judgement without facts.
    package init() {}

    /// Notes why no rule allowed the call; of a long text, the beginning.
    package mutating func note(denial: String) {
        let text = denial.drop { $0.isWhitespace }
        rule = text.isEmpty ? "no rule" : String(text.prefix(Self.denialCharacterCountMax))
    }

    private static let denialCharacterCountMax = 200
}

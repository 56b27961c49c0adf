// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The remedies that were tried for some users, and what each of them downloads.
package struct TriedRemedies: Sendable, Codable {
    /// The body bytes of each remedy, by the strategy's text; ``impossible`` where it cannot be had.
    private var byteCounts: [String: Int64]
    /// The document reads of strategies that listen, by the strategy's text and the screen.
    ///
    /// They are known where there is something that really happened to compare them with.
    private var documentReads: [String: [String: Int64]]

    private static let impossible = StrategyPart.range.upperBound

    /// Creates the remedies that were tried; `nil` bytes are those of a remedy that cannot be had.
    package init(_ trials: [(strategy: Strategy, byteCount: Int64?)], documentReads: [String: [String: Int64]]) {
        self.documentReads = documentReads
        byteCounts = Dictionary(
            trials.map { ($0.strategy.text, $0.byteCount ?? Self.impossible) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Whether all counts are in range.
    var isPlausible: Bool {
        (Array(byteCounts.values) + documentReads.values.flatMap(\.values)).allSatisfy(StrategyPart.range.contains)
    }

    func areSameRemedies(as other: TriedRemedies) -> Bool {
        byteCounts.keys == other.byteCounts.keys && documentReads.keys == other.documentReads.keys
    }

    /// Adds what the same remedies download for other users.
    mutating func add(_ other: TriedRemedies) {
        byteCounts.merge(other.byteCounts) { min(Self.impossible, $0 + $1) }
        documentReads.merge(other.documentReads) { $0.merging($1, uniquingKeysWith: +) }
    }

    /// These, and other remedies that were tried for the same users.
    func with(_ others: TriedRemedies) -> TriedRemedies {
        var all = self
        all.byteCounts.merge(others.byteCounts) { first, _ in first }
        all.documentReads.merge(others.documentReads) { first, _ in first }
        return all
    }

    /// The body bytes of a strategy, `nil` where it cannot be had.
    func byteCount(of strategy: Strategy) throws(AuditError) -> Int64? {
        guard let byteCount = byteCounts[strategy.text] else {
            throw AuditError(
                code: .badData,
                description:
                    "no part tells what \(strategy.text) would download; 'firemeter audit merge --needed' lists what "
                    + "to try"
            )
        }
        return byteCount < Self.impossible ? byteCount : nil
    }

    /// The document reads of a strategy that listens, by screen; `nil` where it was not tried.
    func documentReads(of strategy: Strategy) -> [String: Int64]? { documentReads[strategy.text] }
}

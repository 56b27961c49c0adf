// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The remedies that a report on a log's parts needs beside their figures: a second run over the parts tries them.
package struct NeededRemedies: Sendable, Codable, LinePart {
    package static let schema = "firemeter.needed-remedies/1"
    package static let noun = "list of needed remedies"

    private var schema = Self.schema
    /// The strategies to try, by their texts.
    package let trials: [String]
    /// The strategies whose document reads are compared with what really happened.
    package let readTrials: [String]
    /// The strategies whose images' curves are drawn, by their names.
    package let curves: [String]

    init(trials: [String], readTrials: [String], curves: [String]) {
        (self.trials, self.readTrials, self.curves) = (trials.sorted(), readTrials, curves)
    }

    /// Reads what `audit merge --needed` wrote.
    package static func read(_ path: String) throws -> NeededRemedies {
        var found: NeededRemedies?
        guard try forEach(at: path, named: path, { found = $0 }), let found else {
            throw AuditError(code: .badData, description: "\(path) is no \(noun)")
        }
        return found
    }
}

/// The remedies that were tried for the users of one part of a log.
package struct RemedyPart: Sendable, Codable, LinePart {
    package static let schema = "firemeter.remedies-part/1"
    package static let noun = "part of remedies"

    private var schema = Self.schema
    private(set) var session: AuditedSession
    let display: DisplaySizes
    /// As a ``PartialReport`` has them.
    private(set) var trials: [String: Int64]
    private(set) var readTrials: [String: [String: Int64]]
    private(set) var curves: [String: ImageCurves]

    /// Creates a part; `nil` bytes are those of a remedy that cannot be had.
    package init(
        _ session: AuditedSession,
        on display: DisplaySizes,
        trials: [(strategy: Strategy, byteCount: Int64?)],
        readTrials: [String: [String: Int64]],
        curves: [String: ImageCurves]
    ) {
        (self.session, self.display, self.readTrials, self.curves) = (session, display, readTrials, curves)
        self.trials = Dictionary(
            trials.map { ($0.strategy.text, $0.byteCount ?? PartialReport.neverTried) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Checks a part that was read from a path.
    package func check(from path: String) throws(AuditError) {
        let counts = Array(trials.values) + readTrials.values.flatMap(\.values)
        guard counts.allSatisfy(StrategyPart.range.contains), curves.values.allSatisfy(\.isPlausible) else {
            throw AuditError(code: .badData, description: "\(path) is no \(Self.noun): its numbers are absurd")
        }
    }

    /// Adds the remedies of another part, which was read from a path.
    package mutating func add(_ other: RemedyPart, from path: String) throws(AuditError) {
        guard display == other.display, trials.keys == other.trials.keys, readTrials.keys == other.readTrials.keys
        else {
            throw AuditError(code: .usage, description: "\(path) is of another audit: other remedies were tried")
        }
        if let both = session.add(other.session) {
            throw AuditError(code: .usage, description: "\(path): the user \(both) is in another part, too")
        }
        trials.merge(other.trials) { min(PartialReport.neverTried, $0 + $1) }
        readTrials.merge(other.readTrials) { $0.merging($1, uniquingKeysWith: +) }
        curves.merge(other.curves) { mine, others in
            var sum = mine
            sum.add(others)
            return sum
        }
    }
}

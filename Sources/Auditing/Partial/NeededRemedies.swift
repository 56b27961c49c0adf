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

    /// Reads what `firemeter audit merge --needed` wrote.
    package static func read(_ path: String) throws -> NeededRemedies {
        var found: NeededRemedies?
        guard try forEach(at: path, named: path, { found = $0 }), let found else {
            throw AuditError(code: .badData, description: "\(path) is no \(noun)")
        }
        return found
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The remedies that were tried for the users of one part of a log.
package struct RemedyPart: Sendable, Codable, LinePart {
    package static let schema = "firemeter.remedies-part/1"
    package static let noun = "part of remedies"

    private var schema = Self.schema
    private(set) var session: AuditedSession
    let display: DisplaySizes
    private(set) var tried: TriedRemedies
    /// The whole curves of strategies, by their names.
    private(set) var curves: [String: ImageCurves]

    package init(
        _ session: AuditedSession,
        on display: DisplaySizes,
        tried: TriedRemedies,
        curves: [String: ImageCurves] = [:]
    ) {
        (self.session, self.display, self.tried, self.curves) = (session, display, tried, curves)
    }

    /// Checks a part that was read from a path.
    package func check(from path: String) throws(AuditError) {
        guard tried.isPlausible, curves.values.allSatisfy(\.isPlausible) else {
            throw AuditError(code: .badData, description: "\(path) is no \(Self.noun): its numbers are absurd")
        }
    }

    /// Adds the remedies of another part, which was read from a path.
    package mutating func add(_ other: RemedyPart, from path: String) throws(AuditError) {
        guard display == other.display, tried.areSameRemedies(as: other.tried) else {
            throw AuditError(code: .usage, description: "\(path) is of another audit: other remedies were tried")
        }
        if let both = session.add(other.session) {
            throw AuditError(code: .usage, description: "\(path): the user \(both) is in another part, too")
        }
        tried.add(other.tried)
        curves.merge(other.curves) { mine, others in
            var sum = mine
            sum.add(others)
            return sum
        }
    }
}

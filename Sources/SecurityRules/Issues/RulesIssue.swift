// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A fault of a file of rules, or a doubt about it.
package struct RulesIssue: Error, Sendable, Hashable {
    package enum Severity: String, Sendable {
        case error = "ERROR"
        case warning = "WARNING"
    }

    /// A place in the source, as the official emulator counts.
    package struct Position: Sendable, Hashable {
        /// From 1.
        package let line: Int
        /// In characters from 1.
        package let column: Int
        /// In characters from 0.
        package let offset: Int
        /// The last character, from 0.
        package let endOffset: Int
    }

    package let severity: Severity
    /// In the official emulator's words (1.19.9, 2026-11).
    package let text: String
    /// `nil` for an issue of the whole file.
    package let position: Position?
}

extension RulesIssue: CustomStringConvertible {
    /// The issue as a line of the refusal.
    package var description: String { "L\(position?.line ?? 0):\(position?.column ?? 0) \(text)" }
}

extension RulesIssue: Comparable {
    /// By position, and by text where it is equal, as the official emulator lists them.
    package static func < (left: RulesIssue, right: RulesIssue) -> Bool {
        let (leftOffset, rightOffset) = (left.position?.offset ?? -1, right.position?.offset ?? -1)
        return (leftOffset, left.text) < (rightOffset, right.text)
    }
}

/// The refusal of a file of rules, with all its issues.
package struct RulesError: Error, Sendable {
    /// In order; warnings, too.
    package let issues: [RulesIssue]

    /// Creates a refusal.
    package init(_ issues: [RulesIssue]) {
        self.issues = issues.sorted()
    }
}

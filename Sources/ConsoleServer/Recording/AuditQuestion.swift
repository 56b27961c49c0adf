// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Audits a session log that is at a path, and returns the report.
package typealias SessionAuditing = @Sendable (_ path: String, AuditQuestion) async throws -> String

/// A question of the console about the session so far.
package struct AuditQuestion: Sendable {
    /// The form of the report.
    package enum Form: Sendable {
        case json, html
    }

    /// The strategies by their texts; none for the usual ones.
    package let strategies: [String]
    /// The network by its name; `nil` for the usual one.
    package let network: String?
    /// The form of the report.
    package let form: Form
    /// How the report calls the log.
    package let name = "the session so far"
}

/// Why there is no report.
package struct AuditRefusal: Error {
    /// The problem, and how to remedy it.
    package let message: String

    /// Creates a refusal.
    package init(_ message: String) { self.message = message }
}

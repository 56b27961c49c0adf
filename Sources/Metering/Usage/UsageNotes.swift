// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Facts about a request that no sum has: for those who watch requests, and for a recorder of sessions.
///
/// Records are compared without them.
public struct UsageNotes: Sendable {
    /// Nothing.
    public static let none = Self()

    /// The path and the query of the request, in the form in which they came; `nil` where no request line could be read.
    package var target: String?
    /// The rule that decided about the request, as `firestore.rules:12`, or why none let it pass; `nil` without rules.
    package var rule: String?
    /// The documents or the object of the request; `nil` where no session is recorded.
    package var detail: (any UsageDetail)?

    /// Creates notes.
    package init(target: String? = nil, rule: String? = nil, detail: (any UsageDetail)? = nil) {
        (self.target, self.rule, self.detail) = (target, rule, detail)
    }
}

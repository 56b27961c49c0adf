// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON

/// Security Rules, as the console's page shows and tries them.
package protocol RulesCalls: Sendable {
    /// The rules in force, with their texts: the answer to `GET /console/rules`.
    func sources() -> JSONText
    /// The last requests to Firestore as rules judged them, in the messages of the official emulator's feed, as a JSON array.
    ///
    /// They are kept only for a while after this is asked.
    func lastRequests() -> String
    /// Judges a request that is never made: the answer to `POST /console/rules/trial`.
    ///
    /// - Throws: ``TrialRefusal`` for one that cannot be judged.
    func trial(_ question: JSONValue) async throws -> JSONText
}

/// Why a request cannot be tried.
package struct TrialRefusal: Error {
    let message: String

    /// Creates a refusal.
    package init(_ message: String) { self.message = message }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON

/// Takes the Security Rules of buckets, at `PUT /internal/setRules`.
package protocol StorageRulesEndpoint: Sendable {
    /// Puts rules in force: of all buckets by one file, or of those that several name; a refusal leaves the former in force.
    func put(_ files: [JSONValue]) -> StorageRulesAnswer
}

/// The answer of a ``StorageRulesEndpoint``.
package enum StorageRulesAnswer: Sendable {
    case updated
    /// With a message, and what is wrong with the files.
    case refused(String, [String] = [])
}

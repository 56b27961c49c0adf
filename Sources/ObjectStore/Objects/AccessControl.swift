// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A grant of an access control list: who may do what.
package struct AccessControl: Hashable, Codable, Sendable {
    /// Who: `allUsers`, `user-EMAIL`, `project-owners-NUMBER` and so on.
    package var entity: String
    /// What: `OWNER`, `WRITER` (of buckets) or `READER`.
    package var role: String

    /// Creates a grant.
    package init(entity: String, role: String) {
        self.entity = entity
        self.role = role
    }
}

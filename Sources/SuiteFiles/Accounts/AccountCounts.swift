// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The progress of an import or export of Authentication.
package struct AccountCounts: Sendable, Hashable, CustomStringConvertible {
    /// Users of the project and of all its tenants.
    package internal(set) var users = 0
    /// Tenants.
    package internal(set) var tenants = 0

    /// The counts as people read them: `1 user, 2 tenants`.
    package var description: String {
        let parts = [Self.count(users, of: "user")] + (tenants > 0 ? [Self.count(tenants, of: "tenant")] : [])
        return parts.joined(separator: ", ")
    }

    private static func count(_ count: Int, of thing: String) -> String {
        "\(count) \(thing)\(count == 1 ? "" : "s")"
    }
}

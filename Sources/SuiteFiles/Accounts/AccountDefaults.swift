// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON

/// The settings of projects and tenants that have none of their own, which only the server knows.
package struct AccountDefaults: Sendable {
    let project: JSONValue
    let tenant: @Sendable (_ id: String) -> JSONValue

    /// Names the settings.
    ///
    /// - Parameters:
    ///   - project: Those of the project.
    ///   - tenant: Those of a tenant that an import names without describing it.
    package init(project: JSONValue, tenant: @escaping @Sendable (_ id: String) -> JSONValue) {
        (self.project, self.tenant) = (project, tenant)
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The users of a project, or of one of its tenants.
package struct AccountScope: Sendable, Hashable {
    package let project: String
    package let tenant: String?

    /// Names a project's users, or a tenant's.
    package init(project: String, tenant: String? = nil) {
        self.project = project
        self.tenant = tenant
    }

    /// The project's own users.
    package var ofProject: Self { Self(project: project) }
}

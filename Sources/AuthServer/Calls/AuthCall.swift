// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON
import Metering
import Wire

/// A call as its method sees it.
struct AuthCall {
    let route: AuthRoute
    let body: AuthBody
    let target: RequestTarget
    /// Whether the caller is an administrator.
    let isPrivileged: Bool
    /// Whose users the call is about.
    let scope: AccountScope
    /// The beginning of the server's URLs, as the caller reaches it.
    let origin: String
    let outcome = CallOutcome()

    /// A parameter of the query; v3 sends it in the body.
    func parameter(_ name: String) throws(AuthFailure) -> String? {
        if let value = target[name] { return value }
        return try body.text(name)
    }

    /// A number of elements for a page: 20 unless it is named, at most `max`; `nil` for a negative one, which means all.
    func pageSize(_ name: String, max: Int) throws(AuthFailure) -> Int? {
        let size = try parameter(name).flatMap { Int($0) } ?? 0
        return size < 0 ? nil : size == 0 ? 20 : min(size, max)
    }
}

extension AuthCall {
    /// Finds the project and the tenant that a call is about.
    ///
    /// They are named by the path, the body, the query, or a token in the body; a caller that names no project means the
    /// server's own.
    static func scope(
        of route: AuthRoute,
        _ body: AuthBody,
        _ target: RequestTarget,
        isPrivileged: Bool,
        in context: AuthContext
    ) throws(AuthFailure) -> AccountScope {
        let inBody = try body.filled("targetProjectId")
        let named = route.project ?? inBody
        if named != nil, route.method.needsCredentials, !isPrivileged {
            throw .bad("INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id.")
        }
        let project = named ?? context.project
        try check(project, in: context)
        let inQuery = methodsWithTenantInQuery.contains(route.method) ? target["tenantId"] : nil
        let other = try body.filled("tenantId") ?? inQuery
        if let inPath = route.tenant, let other, !context.profile.isProduction {
            try require(inPath == other, "TENANT_ID_MISMATCH")
        }
        var tenant = route.tenant ?? other
        if let token = try body.filled("idToken").flatMap(JSONWebToken.init) {
            let inToken = token.payload["firebase"]?["tenant"]?.string
            if let inToken, let tenant { try require(inToken == tenant, tenantMismatch(in: context.profile)) }
            tenant = tenant ?? inToken
        }
        if let text = try body.filled("refreshToken") {
            let inToken = try RefreshToken(text).scope.tenant
            if context.profile.isProduction {
                // The token alone says it.
                tenant = inToken
            } else if let inToken, let tenant {
                try require(
                    inToken == tenant,
                    "TENANT_ID_MISMATCH: ((Refresh token tenant ID does not match target tenant ID.))"
                )
            }
            tenant = tenant ?? inToken
        }
        // SQLite would take the text before it for the whole.
        try require(!project.utf8.contains(0), "INVALID_PROJECT_ID")
        try require(tenant?.utf8.contains(0) != true, "INVALID_TENANT_ID")
        return AccountScope(project: project, tenant: tenant)
    }

    /// The refusal of an ID token of another tenant.
    static func tenantMismatch(in profile: AuthProfile) -> String {
        "TENANT_ID_MISMATCH" + (profile.isProduction ? " : Specified tenant ID mismatches with the ID token." : "")
    }

    private static let methodsWithTenantInQuery: Set<AuthMethod> = [.batchGet, .getPasswordPolicy, .getRecaptchaConfig]

    private static func check(_ project: String, in context: AuthContext) throws(AuthFailure) {
        context.projects?.note(project, of: .auth)
        guard context.refusesOtherProjects, project != context.project else { return }
        throw .bad(
            "Multiple projectIds are not recommended in single project mode. Requested project ID \(project), but the "
                + "emulator is configured for \(context.project). To opt-out of single project mode add/set the "
                + #"'"singleProjectMode"' false' property in the firebase.json emulators config."#
        )
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Foundation
import JSON

/// The demands on a request for a link by e-mail.
extension AuthOperations {
    /// The types in the order of their numbers (`OobReqType`, Identity Toolkit v1, 2026-11).
    private static let requestTypes = [
        "OOB_REQ_TYPE_UNSPECIFIED", "PASSWORD_RESET", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT", "VERIFY_EMAIL",
        "RECOVER_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL", "REVERT_SECOND_FACTOR_ADDITION",
    ]

    /// Returns what the link is to be for.
    func requestedPurpose() throws -> ActionCode.Purpose {
        let type = try body.choice("requestType", of: Self.requestTypes)
        let isUnspecified = type == Self.requestTypes[0]
        if context.profile.isProduction, isUnspecified { throw AuthFailure.bad("INVALID_REQ_TYPE") }
        let name = try require(isUnspecified || type == "" ? nil : type, "MISSING_REQ_TYPE")
        if let purpose = ActionCode.Purpose(rawValue: name), purpose != .recoverEmail { return purpose }
        guard context.profile.isProduction, !Self.requestTypes.contains(name) else {
            throw AuthFailure.notImplemented(name)
        }
        let kind = "type.googleapis.com/google.cloud.identitytoolkit.v1.OobReqType"
        throw AuthFailure.invalidValue(.string(name), type: kind, at: "req_type")
    }

    /// Returns the URL to which the link leads in the end.
    func continueURL() throws(AuthFailure) -> String? {
        guard context.profile.isProduction else {
            guard let url = try body.filled("continueUrl") else { return nil }
            try require(
                AbsoluteURL.isOne(url),
                "INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))"
            )
            return url
        }
        try require(
            !body.has("linkDomain"),
            "INVALID_HOSTING_LINK_DOMAIN : The provided hosting link domain is not configured in Firebase Hosting or is not "
                + "owned by the current project. This cannot be a default hosting domain (web.app or firebaseapp.com)."
        )
        guard let url = try body.text("continueUrl") else {
            try require(try !body.isTrue("canHandleCodeInApp"), "MISSING_CONTINUE_URI")
            return nil
        }
        try require(AbsoluteURL.isOne(url), "INVALID_CONTINUE_URI : Missing domain in continue url")
        return url
    }

    /// Throws for a URL on a domain that the project has not allowed.
    func checkDomain(of url: String?, _ settings: AuthSettings) throws(AuthFailure) {
        guard let url else { return }
        let host = URLComponents(string: url)?.host?.lowercased() ?? ""
        try require(
            settings.authorizedDomains.contains(host),
            "UNAUTHORIZED_DOMAIN : Domain not allowlisted by project"
        )
    }
}

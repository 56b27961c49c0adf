// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Basics
import Foundation
import JSON
import Wire

/// The parameters of a call that an identity provider sent by way of the client: of a URL, a form and a fragment together.
struct AssertionParameters {
    private(set) var values: [(name: String, value: String)] = []
    let url: String
    /// The URL with the form, as production quotes it.
    let quoted: String
    /// Whether they are those of a former call, which a pending token has kept.
    let isPending: Bool

    /// Reads the parameters of a call.
    ///
    /// - Parameters:
    ///   - body: The body of the call.
    ///   - pending: The token of a former call, whose parameters count in the place of the call's own.
    /// - Throws: A refusal of a URL that is missing or broken.
    init(_ body: AuthBody, pending: PendingToken? = nil) throws(AuthFailure) {
        let uri = try require(try body.filled("requestUri"), "MISSING_REQUEST_URI")
        try require(AbsoluteURL.isOne(uri), "INVALID_REQUEST_URI")
        let parts = uri.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        url = String(parts[0])
        let query = parts[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
        let form = try body.filled("postBody")
        quoted = form.map { [url] in "\(url)\(query == nil ? "?" : "&")\($0)" } ?? url
        isPending = pending != nil
        if let pending {
            values = pending.parameters
            return
        }
        for form in [query.map(String.init), form, parts.dropFirst().first.map(String.init)] {
            guard let form, let parsed = RequestTarget("?" + form) else { continue }
            for (name, value) in parsed.query {
                values.removeAll { $0.name == name }
                values.append((name, value))
            }
        }
    }

    subscript(name: String) -> String? {
        let value = values.first { $0.name == name }?.value
        return value == "" ? nil : value
    }

    /// The id of the identity provider, in the case of the call.
    var provider: String {
        get throws(AuthFailure) {
            guard let provider = self["providerId"] else {
                throw .bad("INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: \(url)")
            }
            return provider
        }
    }

    /// A refusal of parameters without a credential, in production's words.
    var withoutCredential: AuthFailure {
        .bad("INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: \(quoted)")
    }
}

/// The token with which a client repeats a sign-in with an identity provider, to link it for example.
///
/// Like refresh tokens it holds all that it means.
struct PendingToken {
    let parameters: [(name: String, value: String)]
    let scope: AccountScope

    var text: String {
        let json = JSONText.object(compacting: [
            ("_AuthEmulatorPendingToken", "DO NOT MODIFY"), ("projectId", .string(scope.project)),
            ("tenantId", scope.tenant.map(JSONText.string)),
            ("parameters", .object(parameters.map { ($0.name, .string($0.value)) })),
        ])
        return Data(json.rendered(isIndented: false).utf8).webSafeBase64
    }

    init(_ parameters: AssertionParameters, in scope: AccountScope) {
        (self.parameters, self.scope) = (parameters.values, scope)
    }

    /// Throws for any other text, and for the token of another project or tenant.
    init(_ text: String, in scope: AccountScope) throws(AuthFailure) {
        guard let bytes = Data(webSafeBase64: text), let json = try? JSONValue(parsing: Array(bytes)),
            case .object(let members)? = json["parameters"], json["projectId"]?.string == scope.project,
            json["tenantId"]?.string == scope.tenant
        else { throw .bad("INVALID_IDP_RESPONSE : ((The pendingToken is not one of this project or tenant.))") }
        parameters = members.map { ($0.key, $0.value.string ?? "") }
        self.scope = scope
    }
}

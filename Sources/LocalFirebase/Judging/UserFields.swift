// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import SecurityRules
import Wire

/// The members of `request.auth`: the user, and all claims.
struct UserFields: RulesMapSource {
    let caller: Caller
    /// The claim that names the user.
    let userClaim: String

    func value(of key: String) -> RulesValue? {
        switch key {
        case "uid": caller.claims[userClaim]?.string.map(RulesValue.string) ?? .null
        case "token": .map(RulesMap(ClaimFields(claims: caller.claims)))
        default: nil
        }
    }

    var entries: [String: RulesValue] { ["uid", "token"].reduce(into: [:]) { $0[$1] = value(of: $1) } }

    var keyOrder: [String]? { ["uid", "token"] }
}

/// The claims of a token, or the members of one.
private struct ClaimFields: RulesMapSource {
    let claims: [String: JSONValue]

    func value(of key: String) -> RulesValue? { claims[key].map(RulesValue.init) }

    var entries: [String: RulesValue] { claims.mapValues(RulesValue.init) }
}

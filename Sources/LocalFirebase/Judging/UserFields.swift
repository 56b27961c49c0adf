// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import SecurityRules
import Wire

/// The members of `request.auth`: the user, and all claims.
final class UserFields: RulesMapSource {
    private let caller: Caller
    private let userClaim: String

    /// Takes a caller, and the claim that names the user.
    init(of caller: Caller, userClaim: String) { (self.caller, self.userClaim) = (caller, userClaim) }

    func value(of key: String) -> RulesValue? {
        switch key {
        case "uid": caller.claims[userClaim]?.string.map(RulesValue.string) ?? .null
        case "token": .map(RulesMap(ClaimFields(caller.claims)))
        default: nil
        }
    }

    var entries: [String: RulesValue] { ["uid", "token"].reduce(into: [:]) { $0[$1] = value(of: $1) } }

    var keyOrder: [String]? { ["uid", "token"] }
}

extension Caller {
    /// The claim of which Firestore's rules take the user.
    static let firestoreUserClaim = "sub"

    /// The user as Firestore's rules see it.
    var firestoreUser: RequestFacts.User { self == .anonymous ? .none : .signedIn(id: subject) }
}

/// The claims of a token, or the members of one.
private final class ClaimFields: RulesMapSource {
    private let claims: [String: JSONValue]

    init(_ claims: [String: JSONValue]) { self.claims = claims }

    func value(of key: String) -> RulesValue? { claims[key].map(RulesValue.init) }

    var entries: [String: RulesValue] { claims.mapValues(RulesValue.init) }
}

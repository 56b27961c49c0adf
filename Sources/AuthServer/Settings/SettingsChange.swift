// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

/// A resource of the Admin API: the form of its message, and the demands on it.
struct SettingsResource: Sendable {
    /// The name of the message in refusals.
    let name: String
    let form: MessageForm
    var rules: [SettingsRule] = []

    static let config = Self(name: "config", form: .config, rules: SettingsRule.ofConfig)
    static let tenant = Self(name: "tenant", form: .tenant, rules: SettingsRule.ofTenant)
    private static let oauth = Self(name: "oauth_idp_config", form: .oauthProvider, rules: SettingsRule.ofOAuthProvider)
    private static let saml = Self(name: "inbound_saml_config", form: .samlProvider)
    private static let byDefault = Self(name: "default_supported_idp_config", form: .defaultProvider)

    /// The resources of a collection of providers.
    static func provider(of collection: String) -> Self {
        switch collection {
        case "oauthIdpConfigs": oauth
        case "inboundSamlConfigs": saml
        default: byDefault
        }
    }
}

/// A change of a resource as production makes it.
struct SettingsChange {
    private let resource: SettingsResource
    private let update: JSONValue
    private let mask: FieldMask?

    /// Reads a change.
    ///
    /// - Parameters:
    ///   - resource: The resource that is changed.
    ///   - body: The call's body.
    ///   - mask: The call's `updateMask`.
    /// - Throws: A refusal of members that the resource does not have, and of values that they cannot have.
    init(of resource: SettingsResource, _ body: AuthBody, mask: String? = nil) throws(AuthFailure) {
        self.resource = resource
        update = try resource.form.read(.object(body.members), at: resource.name)
        self.mask = FieldMask(mask)
    }

    /// Makes the change.
    ///
    /// - Parameters:
    ///   - present: The resource as it is; `nil` for a new one.
    ///   - defaults: The members of the resource that a change of everything does not need to name.
    ///   - milliseconds: The time of the change.
    /// - Returns: The resource as it is then.
    /// - Throws: A refusal where a part that has changed does not meet a demand.
    func applied(
        to present: JSONValue?,
        over defaults: JSONValue,
        at milliseconds: Int64
    ) throws(AuthFailure) -> JSONValue {
        let masked = present.flatMap { present in mask?.copy(from: update, into: present, by: resource.form) }
        let result = (masked ?? defaults.merging(update)).stamped(since: present, at: milliseconds)
        for rule in resource.rules {
            let value = result.part(rule.path)
            if masked != nil, value == present?.part(rule.path) { continue }
            if let fault = rule.fault(value) { throw .bad(fault) }
        }
        return result
    }
}

extension JSONValue {
    /// The members of an object.
    var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    /// The members of both; those of the other value count where both have one.
    func merging(_ other: JSONValue) -> JSONValue {
        guard case .object(let mine) = self, case .object(let others) = other else { return other }
        return .object(mine.merging(others) { $0.merging($1) })
    }

    fileprivate func part(_ path: [String]) -> JSONValue? {
        path.reduce(Optional(self)) { value, name in value?[name] }
    }

    /// Adds the times of changes of a password policy and of functions.
    fileprivate func stamped(since present: JSONValue?, at milliseconds: Int64) -> JSONValue {
        guard case .object(var members) = self else { return self }
        let time = JSONValue.string(AccountTime.text(milliseconds: milliseconds))
        if let policy = members["passwordPolicyConfig"], policy != present?["passwordPolicyConfig"] {
            members["passwordPolicyConfig"] = policy.merging(.object(["lastUpdateTime": time]))
        }
        if let functions = members["blockingFunctions"], let triggers = functions["triggers"]?.members {
            let stamped = triggers.mapValues { JSONValue.object(["updateTime": time]).merging($0) }
            members["blockingFunctions"] = functions.merging(.object(["triggers": .object(stamped)]))
        }
        return .object(members)
    }
}

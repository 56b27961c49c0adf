// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON
import Wire

/// The identity providers that a project or tenant has set up (`oauthIdpConfigs` and others, Identity Platform v2).
enum ProviderConfigs {
    static let collections: Set<String> = ["oauthIdpConfigs", "inboundSamlConfigs", "defaultSupportedIdpConfigs"]

    /// The parameter that names a new one, and the beginning that its id must have.
    static func naming(of collection: String) -> (parameter: String, prefix: String) {
        switch collection {
        case "oauthIdpConfigs": ("oauthIdpConfigId", "oidc.")
        case "inboundSamlConfigs": ("inboundSamlConfigId", "saml.")
        default: ("idpId", "")
        }
    }

    /// The refusal in production of an id that a new provider cannot have; `nil` for an id that it can.
    static func fault(of id: String, in collection: String) -> String? {
        let (parameter, prefix) = naming(of: collection)
        guard !prefix.isEmpty else { return nil }
        let rest = id.hasPrefix(prefix) ? id.dropFirst(prefix.count) : ""
        let isValid =
            rest.count >= 2 && rest.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
            && rest.first?.isLowercase == true && rest.last.map { $0.isLetter || $0.isNumber } == true
        let name = parameter.snakeCased
        return isValid
            ? nil
            : "INVALID_CONFIG_ID : \(name.prefix(1).uppercased())\(name.dropFirst()) must start with '\(prefix)' and "
                + "can only have alphanumeric characters, hyphens, underscores or periods. The part after '\(prefix)' "
                + "must also start with a lowercase letter, end with an alphanumeric character, and have at least 2 "
                + "characters."
    }

    /// The refusal of an id that a provider has.
    static func taken(_ id: String, in collection: String, _ profile: AuthProfile) -> AuthFailure {
        guard profile.isProduction else { return .bad("DUPLICATE_CONFIG_ID") }
        let resource =
            collection == "oauthIdpConfigs"
            ? "OAuthIdpConfig" : collection.prefix(1).uppercased() + collection.dropFirst().dropLast()
        return AuthFailure(
            status: 409,
            message: "CONFIGURATION_EXISTS : The \(resource) already exists with config_id: \(id)",
            statusName: "ALREADY_EXISTS",
            reason: "alreadyExists"
        )
    }

    /// The providers that need no set-up of their own (`defaultSupportedIdps`, 2026-11).
    static let defaultProviders: JSONText = {
        let names = [
            "apple.com", "facebook.com", "gc.apple.com", "github.com", "google.com", "linkedin.com", "microsoft.com",
            "playgames.google.com", "twitter.com", "yahoo.com",
        ]
        return .object([("defaultSupportedIdps", .array(names.map { .object([("idpId", .string($0))]) }))])
    }()
}

extension AuthOperations {
    private static let pageCountMax = 100
    private static let missing = AuthFailure(
        status: 404,
        message: "CONFIGURATION_NOT_FOUND",
        statusName: "NOT_FOUND",
        reason: "notFound"
    )

    private var collection: String { call.route.collection ?? "" }

    /// `POST` of a collection.
    func createProvider() throws -> JSONText {
        let (parameter, prefix) = ProviderConfigs.naming(of: collection)
        let id = try require(call.target[parameter] ?? body.filled("name").map { $0.lastSegment }, "MISSING_CONFIG_ID")
        if context.profile.isProduction, let fault = ProviderConfigs.fault(of: id, in: collection) {
            throw AuthFailure.bad(fault)
        }
        try require(id.hasPrefix(prefix) && id.count > prefix.count, "INVALID_CONFIG_ID")
        return try writing { transaction in
            guard try transaction.provider(id, in: collection) == nil else {
                throw ProviderConfigs.taken(id, in: collection, context.profile)
            }
            return try save(changed(nil), id: id, transaction)
        }
    }

    /// `GET` of a collection: a page of it by the ids.
    func listProviders() throws -> JSONText {
        let size = try call.pageSize("pageSize", max: Self.pageCountMax) ?? Self.pageCountMax
        let after = call.target["pageToken"]
        let configs = try reading { try $0.providers(in: collection, after: after, limit: size + 1) }
        let next = configs.count > size ? configs[size - 1].id : nil
        return .object(compacting: [
            (collection, list(configs.prefix(size).map { JSONText($0.config) })),
            ("nextPageToken", next.map(JSONText.string)),
        ])
    }

    /// `GET` of a provider.
    func provider() throws -> JSONText {
        let id = call.route.resource ?? ""
        guard let config = try reading({ try $0.provider(id, in: collection) }) else { throw Self.missing }
        return JSONText(config)
    }

    /// `PATCH` of a provider: the members that a mask names, or everything.
    func updateProvider() throws -> JSONText {
        let id = call.route.resource ?? ""
        return try writing { transaction in
            guard let present = try transaction.provider(id, in: collection) else { throw Self.missing }
            return try save(changed(present), id: id, transaction)
        }
    }

    /// A provider after a call, from how it was before.
    private func changed(_ present: JSONValue?) throws(AuthFailure) -> JSONValue {
        let text = call.target["updateMask"]
        if context.profile.isProduction {
            return try SettingsChange(of: .provider(of: collection), body, mask: text)
                .applied(to: present, over: .object([:]), at: context.clock.milliseconds)
        }
        let update = JSONValue.object(body.members)
        guard let present, let mask = FieldMask(text) else { return update }
        return mask.copy(from: update, into: present)
    }

    /// The elements of an answer; production leaves out an empty list.
    func list(_ elements: [JSONText]) -> JSONText? {
        context.profile.isProduction && elements.isEmpty ? nil : .array(elements)
    }

    /// `DELETE` of a provider.
    func deleteProvider() throws -> JSONText {
        let id = call.route.resource ?? ""
        return try writing { transaction in
            guard try transaction.provider(id, in: collection) != nil else { throw Self.missing }
            try transaction.remove(provider: id, in: collection)
            return .object([])
        }
    }

    private func save(_ config: JSONValue, id: String, _ transaction: AccountTransaction) throws -> JSONText {
        guard case .object(var members) = config else { return .object([]) }
        let parent = "projects/\(scope.project)" + (scope.tenant.map { "/tenants/\($0)" } ?? "")
        members["name"] = .string("\(parent)/\(collection)/\(id)")
        try transaction.save(.object(members), provider: id, in: collection)
        return JSONText(.object(members))
    }
}

extension String {
    fileprivate var lastSegment: String { String(split(separator: "/").last ?? "") }
}

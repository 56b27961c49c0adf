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

    /// The providers that need no set-up of their own (`defaultSupportedIdps`, 2026-11).
    static let defaultProviders: JSONText = {
        let names = [
            "apple.com", "facebook.com", "github.com", "google.com", "linkedin.com", "microsoft.com",
            "playgames.google.com",
            "twitter.com", "yahoo.com",
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
        try require(id.hasPrefix(prefix) && id.count > prefix.count, "INVALID_CONFIG_ID")
        return try writing { transaction in
            try require(try transaction.provider(id, in: collection) == nil, "DUPLICATE_CONFIG_ID")
            return try save(.object(body.members), id: id, transaction)
        }
    }

    /// `GET` of a collection: a page of it by the ids.
    func listProviders() throws -> JSONText {
        let size = try call.pageSize("pageSize", max: Self.pageCountMax) ?? Self.pageCountMax
        let after = call.target["pageToken"]
        let configs = try reading { try $0.providers(in: collection, after: after, limit: size + 1) }
        let next = configs.count > size ? configs[size - 1].id : nil
        return .object(compacting: [
            (collection, .array(configs.prefix(size).map { JSONText($0.config) })),
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
        let mask = FieldMask(call.target["updateMask"])
        return try writing { transaction in
            guard let present = try transaction.provider(id, in: collection) else { throw Self.missing }
            let update = JSONValue.object(body.members)
            return try save(mask?.copy(from: update, into: present) ?? update, id: id, transaction)
        }
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

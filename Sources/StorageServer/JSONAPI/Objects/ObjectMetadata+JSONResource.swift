// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON
package import ObjectStore
import Wire

extension ObjectMetadata {
    /// The object as events have it.
    package func eventResource(origin: String) -> JSONText { resource(origin: origin, hasKey: false) }

    /// The time of the last change, in RFC 3339.
    package var eventTime: String { RFC3339.text(microseconds: updated) }

    /// The object as the JSON API describes it, with links that lead back through the address the client used; `hasKey`
    /// says that the client brought the object's key.
    func resource(origin: String, hasKey: Bool) -> JSONText {
        let place = "b/\(PercentCoding.encode(bucket.description))/o/\(PercentCoding.encode(name.description))"
        let media = "\(origin)/download/storage/v1/\(place)?generation=\(generation)&alt=media"
        let identity: [(String, JSONText?)] = [
            ("kind", "storage#object"),
            ("id", .string("\(path)/\(generation)")),
            ("selfLink", .string("\(origin)/storage/v1/\(place)")),
            ("mediaLink", .string(media)),
        ]
        let own: [(String, JSONText?)] = [
            ("contentEncoding", attributes.contentEncoding.map(JSONText.string)),
            ("timeStorageClassUpdated", .time(microseconds: timeStorageClassUpdated)),
            ("timeFinalized", .time(microseconds: timeCreated)),
            ("metadata", .texts(allCustomMetadata)),
        ]
        return .object(compacting: identity + commonMembers(hasKey: hasKey) + own + rareMembers)
    }

    private var rareMembers: [(String, JSONText?)] {
        let isSoft = retirement?.restorableUntil != nil
        let timeRetired = retirement.map { JSONText.time(microseconds: $0.time) }
        return [
            ("componentCount", componentCount.map { .integer(Int64($0)) }),
            ("customTime", attributes.customTime.map { .string(RFC3339.fineText(microseconds: $0)) }),
            ("temporaryHold", attributes.hasTemporaryHold.map(JSONText.boolean)),
            ("eventBasedHold", attributes.hasEventBasedHold.map(JSONText.boolean)),
            ("retentionExpirationTime", retentionExpiration.map(JSONText.time)),
            ("retention", attributes.retention?.member),
            ("contexts", contextsMember),
            ("kmsKeyName", attributes.keyName.map(Self.keyVersion)),
            ("customerEncryption", customerKeyHash.map(Self.encryption)),
            ("timeDeleted", isSoft ? nil : timeRetired),
            ("softDeleteTime", isSoft ? timeRetired : nil),
            ("hardDeleteTime", retirement?.restorableUntil.map(JSONText.time)),
        ]
    }

    private var contextsMember: JSONText? {
        guard !attributes.contexts.isEmpty else { return nil }
        let labels = attributes.contexts.sorted { $0.key < $1.key }.map { key, context in
            let member = JSONText.object([
                ("value", .string(context.value)),
                ("createTime", .string(RFC3339.fineText(microseconds: context.timeCreated))),
                ("updateTime", .string(RFC3339.fineText(microseconds: context.timeUpdated))),
            ])
            return (key, member)
        }
        return .object([("custom", .object(labels))])
    }

    /// Keys are named by clients, but what encrypts is always a version of one.
    private static func keyVersion(_ name: String) -> JSONText {
        .string(name.contains("/cryptoKeyVersions/") ? name : "\(name)/cryptoKeyVersions/1")
    }

    private static func encryption(_ hash: String) -> JSONText {
        .object([("encryptionAlgorithm", .string(CustomerKey.algorithm)), ("keySha256", .string(hash))])
    }

    /// The custom metadata, among which the JSON API has the download tokens.
    private var allCustomMetadata: [String: String] {
        var custom = attributes.customMetadata
        if !attributes.downloadTokens.isEmpty {
            custom[ObjectChanges.tokenKey] = attributes.downloadTokens.joined(separator: ",")
        }
        return custom
    }
}

extension ObjectRetention {
    fileprivate var member: JSONText {
        .object([("mode", .string(mode)), ("retainUntilTime", .time(microseconds: retainUntil))])
    }
}

extension JSONText {
    /// An object with more members at its end.
    func adding(_ more: [(String, JSONText)]) -> JSONText {
        guard case .object(let members) = self else { return self }
        return .object(members + more)
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import ObjectStore

extension ObjectChanges {
    /// Which members a client may change.
    enum Scope {
        /// Those of the Firebase SDKs.
        case firebase
        /// Those of Google's JSON API, at a time in microseconds since the Unix epoch.
        case json(now: Int64)
    }

    /// The attributes of a new object; `mediaContentType` is what the media part or the request says of its bytes.
    func attributes(_ scope: Scope, mediaContentType: String?) throws(StorageFailure) -> ObjectAttributes {
        var attributes = ObjectAttributes(contentType: mediaContentType ?? ObjectAttributes.contentTypeDefault)
        try apply(to: &attributes, scope: scope)
        return attributes
    }

    /// Changes what the client names.
    func apply(to attributes: inout ObjectAttributes, scope: Scope) throws(StorageFailure) {
        if let type = try text("contentType") { attributes.contentType = type ?? ObjectAttributes.contentTypeDefault }
        try set(&attributes.contentEncoding, key: "contentEncoding")
        try set(&attributes.contentDisposition, key: "contentDisposition")
        try set(&attributes.contentLanguage, key: "contentLanguage")
        try set(&attributes.cacheControl, key: "cacheControl")
        attributes.dropIdentityEncoding()
        try applyCustomMetadata(to: &attributes, scope: scope)
        guard case .json(let now) = scope else { return }
        try set(&attributes.storageClass, key: "storageClass")
        try set(&attributes.keyName, key: "kmsKeyName")
        try set(&attributes.hasTemporaryHold, key: "temporaryHold")
        try set(&attributes.hasEventBasedHold, key: "eventBasedHold")
        try applyCustomTime(to: &attributes)
        try applyRetention(to: &attributes)
        try applyContexts(to: &attributes, now: now)
        if let grants = members["acl"] { attributes.accessControls = try Self.accessControls(grants) }
    }

    private func set(_ attribute: inout String?, key: String) throws(StorageFailure) {
        if let text = try text(key) { attribute = text }
    }

    private func set(_ attribute: inout Bool?, key: String) throws(StorageFailure) {
        if let flag = try flag(key) { attribute = flag }
    }

    private func applyCustomMetadata(
        to attributes: inout ObjectAttributes,
        scope: Scope
    ) throws(StorageFailure) {
        switch members["metadata"] {
        case nil: return
        case .null:
            // The v0 API keeps the tokens apart from the metadata.
            let removesTokens = if case .json = scope { true } else { false }
            attributes.setCustomMetadata([:], removingTokens: removesTokens)
        case .object(let changes):
            var custom = attributes.customMetadata
            for (key, value) in changes {
                guard let text = value == .null ? .some(nil) : value.asText.map(Optional.some) else {
                    throw .invalidMember("metadata.\(key)")
                }
                custom[key] = text
            }
            attributes.setCustomMetadata(custom, removingTokens: changes[Self.tokenKey] == .null)
        default: throw .invalidMember("metadata")
        }
    }

    /// A custom time may be set later but never earlier, and never goes away
    /// (https://cloud.google.com/storage/docs/metadata#custom-time, 2026-11).
    private func applyCustomTime(to attributes: inout ObjectAttributes) throws(StorageFailure) {
        guard let text = try text("customTime") else { return }
        let time = try text.map { text throws(StorageFailure) in
            guard let time = RFC3339.microseconds(text) else { throw .invalidMember("customTime") }
            return time
        }
        if let former = attributes.customTime, (time ?? .min) < former {
            throw .invalid("The customTime of an object can be neither removed nor set to an earlier time.")
        }
        attributes.customTime = time
    }

    private func applyRetention(to attributes: inout ObjectAttributes) throws(StorageFailure) {
        switch members["retention"] {
        case nil: return
        case .null: attributes.retention = nil
        case let requested? where requested["mode"] ?? .null == .null && requested["retainUntilTime"] ?? .null == .null:
            attributes.retention = nil
        case let requested?:
            guard let mode = requested["mode"]?.string, ["Unlocked", "Locked"].contains(mode),
                let end = requested["retainUntilTime"]?.string.flatMap(RFC3339.microseconds)
            else { throw .invalidMember("retention") }
            attributes.retention = ObjectRetention(mode: mode, retainUntil: end)
        }
    }

    /// Reads a list of grants.
    static func accessControls(_ value: JSONValue) throws(StorageFailure) -> [AccessControl]? {
        guard value != .null else { return nil }
        guard let elements = value.array else { throw .invalidMember("acl") }
        var grants: [AccessControl] = []
        for element in elements { grants.append(try AccessControl(element)) }
        return grants
    }
}

extension AccessControl {
    /// Reads a grant.
    init(_ value: JSONValue) throws(StorageFailure) {
        guard let entity = value["entity"]?.string, !entity.isEmpty else { throw .required("entity") }
        guard let role = value["role"]?.string, ["OWNER", "WRITER", "READER"].contains(role) else {
            throw .required("role")
        }
        self.init(entity: entity, role: role)
    }
}

extension ObjectAttributes {
    /// Sets custom metadata; those among them that are the download tokens become the tokens.
    mutating func setCustomMetadata(_ custom: [String: String], removingTokens: Bool = false) {
        var custom = custom
        if let tokens = custom.removeValue(forKey: ObjectChanges.tokenKey) {
            downloadTokens = tokens.split(separator: ",").map(String.init)
        } else if removingTokens {
            downloadTokens = []
        }
        customMetadata = custom
    }

    /// `identity` is how the v0 API spells that bytes are not coded.
    mutating func dropIdentityEncoding() {
        if contentEncoding == "identity" || contentEncoding == "" { contentEncoding = nil }
    }
}

extension ObjectChanges {
    /// Changes the labels that the client names; the server adds since when they are so.
    ///
    /// Source: https://cloud.google.com/storage/docs/object-contexts (2026-11).
    func applyContexts(to attributes: inout ObjectAttributes, now: Int64) throws(StorageFailure) {
        guard let requested = members["contexts"] else { return }
        guard requested != .null, let custom = requested["custom"], custom != .null else {
            attributes.contexts = [:]
            return
        }
        for (key, label) in custom.members {
            guard label != .null, let value = label["value"], value != .null else {
                attributes.contexts[key] = nil
                continue
            }
            guard let text = value.string else { throw .invalidMember("contexts.custom.\(key)") }
            let former = attributes.contexts[key]
            guard former?.value != text else { continue }
            attributes.contexts[key] = ObjectContext(
                value: text,
                timeCreated: former?.timeCreated ?? now,
                timeUpdated: now
            )
        }
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectStore

/// The body of a PATCH: what it names is set, `null` removes, the rest stays.
struct MetadataPatch: Decodable, Sendable {
    private var texts: [Key: String?] = [:]
    private var metadata: [String: String?]??

    private enum Key: String, CodingKey, CaseIterable {
        case contentType, contentEncoding, contentDisposition, contentLanguage, cacheControl, metadata
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        for key in Key.allCases where key != .metadata && members.contains(key) {
            texts.updateValue(try members.decodeIfPresent(String.self, forKey: key), forKey: key)
        }
        if members.contains(.metadata) {
            metadata = .some(try members.decodeIfPresent([String: String?].self, forKey: .metadata))
        }
    }

    /// Reads the JSON.
    static func decode(_ json: [UInt8]) throws(StorageFailure) -> MetadataPatch {
        do {
            return try JSONDecoder().decode(MetadataPatch.self, from: Data(json))
        } catch {
            throw .invalid("The body must be a JSON object; attributes are strings or null.")
        }
    }

    /// Makes the changes.
    func apply(to attributes: inout ObjectAttributes) {
        for (key, text) in texts { Self.set(key, text, in: &attributes) }
        attributes.dropIdentityEncoding()
        switch metadata {
        case .none: break
        case .some(.none): attributes.customMetadata = [:]
        case .some(.some(let changes)): merge(changes, into: &attributes)
        }
    }

    private static func set(_ key: Key, _ text: String?, in attributes: inout ObjectAttributes) {
        switch key {
        case .contentType: attributes.contentType = text ?? ObjectAttributes.contentTypeDefault
        case .contentEncoding: attributes.contentEncoding = text
        case .contentDisposition: attributes.contentDisposition = text
        case .contentLanguage: attributes.contentLanguage = text
        case .cacheControl: attributes.cacheControl = text
        case .metadata: preconditionFailure("custom metadata are merged key by key")
        }
    }

    private func merge(_ changes: [String: String?], into attributes: inout ObjectAttributes) {
        var custom = attributes.customMetadata
        for (key, value) in changes { custom[key] = value }
        if let tokens = changes[UploadMetadata.tokenKey], tokens == nil { attributes.downloadTokens = [] }
        attributes.setCustomMetadata(custom)
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The attributes of an object that a client may set and change.
package struct ObjectAttributes: Hashable, Codable, Sendable {
    /// The content type of an object whose upload names none.
    package static let contentTypeDefault = "application/octet-stream"

    /// The media type.
    package var contentType: String
    /// The stored coding of the bytes, such as `gzip`.
    package var contentEncoding: String?
    /// How a browser should offer the bytes.
    package var contentDisposition: String?
    /// The language of the content.
    package var contentLanguage: String?
    /// How long caches may keep the bytes.
    package var cacheControl: String?
    /// The client's own keys and values.
    package var customMetadata: [String: String]
    /// Tokens that each admit a download without further authorisation; clients use the first.
    package var downloadTokens: [String]
    /// The storage class; `nil` asks for the bucket's, and is `nil` of no stored object.
    package var storageClass: String?
    /// A time of the client's choosing, in microseconds since the Unix epoch.
    package var customTime: Int64?
    /// Whether a hold forbids replacing and deleting the object until it is lifted; `nil` of one that never had any.
    package var hasTemporaryHold: Bool?
    /// Whether an event that has not happened yet forbids replacing and deleting the object; `nil` without any.
    package var hasEventBasedHold: Bool?
    /// How long the object must stay, by its own configuration.
    package var retention: ObjectRetention?
    /// Who may do what with the object; `nil` for what the bucket grants.
    package var accessControls: [AccessControl]?
    /// The entity that stored the object, as access control lists name it; `nil` when it is not known.
    package var owner: String?
    /// The client's labels for finding objects, by their keys.
    package var contexts: [String: ObjectContext] = [:]
    /// The name of the key, kept by Google, that the client asked to have the object encrypted with.
    package var keyName: String?

    /// Creates attributes; what is not named has the default of a plain upload.
    package init(
        contentType: String = Self.contentTypeDefault,
        contentEncoding: String? = nil,
        contentDisposition: String? = nil,
        contentLanguage: String? = nil,
        cacheControl: String? = nil,
        customMetadata: [String: String] = [:],
        downloadTokens: [String] = [],
        storageClass: String? = nil
    ) {
        self.contentType = contentType
        self.contentEncoding = contentEncoding
        self.contentDisposition = contentDisposition
        self.contentLanguage = contentLanguage
        self.cacheControl = cacheControl
        self.customMetadata = customMetadata
        self.downloadTokens = downloadTokens
        self.storageClass = storageClass
    }
}

extension ObjectAttributes {
    /// The most bytes that the keys and values of custom metadata may have together.
    ///
    /// Source: https://cloud.google.com/storage/quotas#objects, "8 KiB" (2026-11).
    static let customMetadataByteCountMax = 8_192

    /// The most bytes that all other attributes, download tokens included, may have together.
    static let fixedMetadataByteCountMax = 65_536

    /// Throws `invalidAttribute` for attributes that are too long or cannot be stored faithfully.
    func validate() throws {
        let custom = customMetadata.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        guard custom <= Self.customMetadataByteCountMax else {
            throw ObjectStoreError.customMetadataTooLong(byteCount: custom)
        }
        let texts = [
            contentType, contentEncoding, contentDisposition, contentLanguage, cacheControl, storageClass, keyName,
        ].compactMap { $0 }
        let fixed = (texts + downloadTokens).reduce(0) { $0 + $1.utf8.count }
        guard fixed <= Self.fixedMetadataByteCountMax else {
            throw ObjectStoreError.attributesTooLong(byteCount: fixed)
        }
        // SQLite text ends at a NUL; custom metadata and tokens are stored as JSON, which escapes it.
        guard !texts.contains(where: { $0.utf8.contains(0) }) else { throw ObjectStoreError.attributeHoldsNUL }
    }
}

/// A grant of an access control list: who may do what.
package struct AccessControl: Hashable, Codable, Sendable {
    /// Who: `allUsers`, `user-EMAIL`, `project-owners-NUMBER` and so on.
    package var entity: String
    /// What: `OWNER`, `WRITER` (of buckets) or `READER`.
    package var role: String

    /// Creates a grant.
    package init(entity: String, role: String) {
        self.entity = entity
        self.role = role
    }
}

/// How long an object must stay, by its own configuration.
package struct ObjectRetention: Hashable, Codable, Sendable {
    /// `Unlocked` or `Locked`.
    package var mode: String
    /// Until when the object can be neither replaced nor deleted, in microseconds since the Unix epoch.
    package var retainUntil: Int64

    /// Creates a configuration.
    package init(mode: String, retainUntil: Int64) {
        self.mode = mode
        self.retainUntil = retainUntil
    }
}

/// A label of an object, by which listings can be filtered.
package struct ObjectContext: Hashable, Codable, Sendable {
    /// The client's message.
    package var value: String
    /// When the label was first set, in microseconds since the Unix epoch.
    package var timeCreated: Int64
    /// When its value was last set, in microseconds since the Unix epoch.
    package var timeUpdated: Int64

    /// Creates a label.
    package init(value: String, timeCreated: Int64, timeUpdated: Int64) {
        self.value = value
        self.timeCreated = timeCreated
        self.timeUpdated = timeUpdated
    }
}

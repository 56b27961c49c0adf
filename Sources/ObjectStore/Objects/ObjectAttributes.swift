// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// What a client may set and change about an object, apart from its bytes.
package struct ObjectAttributes: Hashable, Sendable {
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
    /// The storage class.
    package var storageClass: String

    /// Creates attributes; what is not named has the default of a plain upload.
    package init(
        contentType: String = Self.contentTypeDefault,
        contentEncoding: String? = nil,
        contentDisposition: String? = nil,
        contentLanguage: String? = nil,
        cacheControl: String? = nil,
        customMetadata: [String: String] = [:],
        downloadTokens: [String] = [],
        storageClass: String = "STANDARD"
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

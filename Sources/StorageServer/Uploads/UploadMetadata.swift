// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectStore

/// The JSON part of an upload: what the client wants to be true of the object.
struct UploadMetadata: Decodable {
    var name: String?
    var contentType: String?
    var contentEncoding: String?
    var contentDisposition: String?
    var contentLanguage: String?
    var cacheControl: String?
    var storageClass: String?
    var md5Hash: String?
    var crc32c: String?
    var metadata: [String: String?]?

    /// Where custom metadata carry the download tokens.
    static let tokenKey = "firebaseStorageDownloadTokens"

    init() {}

    /// Reads the JSON; an empty part means no wishes.
    static func decode(_ json: [UInt8]) throws(StorageFailure) -> UploadMetadata {
        guard !json.allSatisfy({ $0 <= 0x20 }) else { return UploadMetadata() }
        do {
            return try JSONDecoder().decode(UploadMetadata.self, from: Data(json))
        } catch {
            throw .invalid("The upload's metadata must be a JSON object of strings.")
        }
    }

    /// The attributes to store; `mediaContentType` is what the media part or the request says of its bytes.
    func attributes(mediaContentType: String?) -> ObjectAttributes {
        var attributes = ObjectAttributes(
            contentType: contentType ?? mediaContentType ?? ObjectAttributes.contentTypeDefault,
            contentEncoding: contentEncoding,
            contentDisposition: contentDisposition,
            contentLanguage: contentLanguage,
            cacheControl: cacheControl
        )
        if let storageClass { attributes.storageClass = storageClass }
        attributes.setCustomMetadata((metadata ?? [:]).compactMapValues { $0 })
        attributes.dropIdentityEncoding()
        return attributes
    }

    /// The checksums that the client computed.
    func expectedDigest() throws(StorageFailure) -> ExpectedDigest {
        var expected = ExpectedDigest.anything
        try expected.expect(md5: md5Hash, from: "md5Hash")
        try expected.expect(crc32c: crc32c, from: "crc32c")
        return expected
    }
}

extension ObjectAttributes {
    /// Sets custom metadata; those among them that are the download tokens become the tokens.
    mutating func setCustomMetadata(_ custom: [String: String]) {
        var custom = custom
        if let tokens = custom.removeValue(forKey: UploadMetadata.tokenKey) {
            downloadTokens = tokens.split(separator: ",").map(String.init)
        }
        customMetadata = custom
    }

    /// `identity` is how the v0 API spells that bytes are not coded.
    mutating func dropIdentityEncoding() {
        if contentEncoding == "identity" || contentEncoding == "" { contentEncoding = nil }
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension ObjectAttributes {
    /// The most bytes that the keys and values of custom metadata may have together.
    ///
    /// Source: https://cloud.google.com/storage/quotas#objects, "8 KiB" (2026-11).
    package static let customMetadataByteCountMax = 8_192

    /// The most bytes that all other attributes, download tokens included, may have together.
    package static let fixedMetadataByteCountMax = 65_536

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

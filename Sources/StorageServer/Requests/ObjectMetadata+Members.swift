// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import ObjectStore
import Wire

extension ObjectMetadata {
    /// The members of an object resource that both APIs share; 64-bit numbers are strings.
    ///
    /// A customer's key encrypts the sums along with the bytes, so they are shown to those alone who bring it:
    /// https://cloud.google.com/storage/docs/encryption/customer-supplied-keys (2026-11), and googleapis/nodejs-storage
    /// 7.19, `system-test/storage.ts`, "should not get the hashes from the unencrypted file".
    func commonMembers(hasKey: Bool) -> [(String, JSONText?)] {
        let showsSums = customerKeyHash == nil || hasKey
        return [
            ("name", .string(name.description)),
            ("bucket", .string(bucket.description)),
            ("generation", .decimal(generation)),
            ("metageneration", .decimal(metageneration)),
            ("contentType", attributes.contentType.isEmpty ? nil : .string(attributes.contentType)),
            ("timeCreated", .time(microseconds: timeCreated)),
            ("updated", .time(microseconds: updated)),
            ("storageClass", attributes.storageClass.map(JSONText.string)),
            ("size", .decimal(byteCount)),
            ("md5Hash", showsSums ? digest.md5Base64.map(JSONText.string) : nil),
            ("crc32c", showsSums ? .string(digest.crc32cBase64) : nil),
            ("etag", .string(etag)),
            ("contentDisposition", attributes.contentDisposition.map(JSONText.string)),
            ("contentLanguage", attributes.contentLanguage.map(JSONText.string)),
            ("cacheControl", attributes.cacheControl.map(JSONText.string)),
        ]
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSONWriting
import ObjectStore
import Wire

extension ObjectMetadata {
    /// What both APIs say of an object, in the same words; 64-bit numbers are strings.
    var commonMembers: [(String, JSONText?)] {
        [
            ("name", .string(name.description)),
            ("bucket", .string(bucket.description)),
            ("generation", .decimal(generation)),
            ("metageneration", .decimal(metageneration)),
            ("contentType", attributes.contentType.isEmpty ? nil : .string(attributes.contentType)),
            ("timeCreated", .time(microseconds: timeCreated)),
            ("updated", .time(microseconds: updated)),
            ("storageClass", attributes.storageClass.map(JSONText.string)),
            ("size", .decimal(byteCount)),
            ("md5Hash", digest.md5Base64.map(JSONText.string)),
            ("crc32c", .string(digest.crc32cBase64)),
            ("etag", .string(etag)),
            ("contentDisposition", attributes.contentDisposition.map(JSONText.string)),
            ("contentLanguage", attributes.contentLanguage.map(JSONText.string)),
            ("cacheControl", attributes.cacheControl.map(JSONText.string)),
        ]
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSONWriting
import ObjectStore
import Wire

extension BucketMetadata {
    /// The bucket as the JSON API describes it; buckets are never changed, so all but name and time is fixed.
    func resource(origin: String) -> JSONText {
        .object([
            ("kind", "storage#bucket"),
            ("id", .string(name.description)),
            ("selfLink", .string("\(origin)/storage/v1/b/\(PercentCoding.encode(name.description))")),
            ("name", .string(name.description)),
            ("projectNumber", "0"),
            ("metageneration", "1"),
            ("location", "US"),
            ("locationType", "multi-region"),
            ("storageClass", "STANDARD"),
            // The entity tag of metageneration 1: base64 of the protobuf {2: 1}.
            ("etag", "EAE="),
            ("timeCreated", .time(microseconds: timeCreated)),
            ("updated", .time(microseconds: timeCreated)),
        ])
    }
}

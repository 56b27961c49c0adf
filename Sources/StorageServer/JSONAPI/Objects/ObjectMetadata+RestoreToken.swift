// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONWriting
import ObjectStore

/// Restore tokens: "used to differentiate deleted objects with the same name and generation. This field is only returned
/// for deleted objects in hierarchical namespace buckets." (the member `restoreToken` of objects in the discovery document
/// of the JSON API, 2026-11).
extension ObjectMetadata {
    /// The token of this version in a bucket; `nil` where it has none.
    func restoreToken(in bucket: BucketMetadata?) -> String? {
        guard let bucket, BucketDocument(bucket.settings).isHierarchical, let retirement,
            retirement.restorableUntil != nil
        else { return nil }
        return Data("\(generation)/\(retirement.time)".utf8).base64EncodedString()
    }

    /// The members that a softly deleted version has because of its bucket.
    func deletionMembers(in bucket: BucketMetadata?) -> [(String, JSONText)] {
        restoreToken(in: bucket).map { [("restoreToken", .string($0))] } ?? []
    }

    /// Whether the version is the one that a client means; tokens mean something in hierarchical buckets only.
    func isMeant(by token: String?, in bucket: BucketMetadata?) -> Bool {
        guard let token, let own = restoreToken(in: bucket) else { return true }
        return token == own
    }
}

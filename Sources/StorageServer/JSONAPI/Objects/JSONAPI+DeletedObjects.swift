// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdCore
import JSON
import ObjectStore
import Wire

/// Objects that were softly deleted and can be restored.
extension JSONAPI {
    /// Answers a get of a version that was softly deleted.
    func describeDeleted(
        _ path: ObjectPath,
        conditions: ObjectConditions,
        for call: StorageCall
    ) async throws -> Response {
        let key = try CustomerKey.read(call)
        let (found, bucket) = try await deletedObject(path, conditions: conditions, for: call)
        switch try conditions.judge(found, at: path) {
        case .answer(let object):
            if let key { try CustomerKey.check(key, opens: object) }
            return try await describeInFull(object, more: object.deletionMembers(in: bucket), for: call)
        case .notModified(let object):
            return .notModified(object)
        }
    }

    /// The softly deleted version that a request means, if there is one, and its bucket.
    private func deletedObject(
        _ path: ObjectPath,
        conditions: ObjectConditions,
        for call: StorageCall
    ) async throws -> (object: ObjectMetadata?, bucket: BucketMetadata?) {
        guard let generation = conditions.generation else { throw StorageFailure.required("generation") }
        let token = call.target.text("restoreToken")
        return try await blockingWork { [store] in
            let bucket = try store.bucket(named: path.bucket)
            let found = try store.softlyDeleted(at: path, generation: generation)
            return (found.flatMap { $0.isMeant(by: token, in: bucket) ? $0 : nil }, bucket)
        }
    }

    /// Makes a softly deleted version live again.
    func restore(_ path: ObjectPath, for call: StorageCall) async throws -> Response {
        let conditions = try ObjectConditions(call)
        let deleted = try await deletedObject(path, conditions: conditions, for: call).object
        guard let generation = deleted?.generation else { throw StorageFailure.noSuchObject(path) }
        let restored = try await blockingWork { [store] in
            try store.restore(at: path, generation: generation, preconditions: conditions.preconditions)
        }
        guard let restored else { throw StorageFailure.noSuchObject(path) }
        return try await describeInFull(restored, for: call)
    }
}

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

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdCore
import JSONWriting
import Metering
import ObjectStore
import Wire

extension StorageServer {
    /// The largest body of a request to create a bucket, in bytes.
    private static let bucketByteCountMax = 1 << 20

    func createBucket(_ call: StorageCall) async throws -> Response {
        let json = try await WholeBody(of: call.request).collected(upTo: Self.bucketByteCountMax)
        guard let wish = try? JSONDecoder().decode(BucketWish.self, from: Data(json)) else {
            throw StorageFailure.invalid("The body must be a JSON object with the bucket's name.")
        }
        guard let name = BucketName(wish.name) else { throw StorageFailure.invalidBucketName }
        call.attribute("storage.buckets.insert", .classA, bucket: name)
        let bucket = try await blockingWork { [store] in try store.createBucket(name) }
        return call.json(bucket.resource(origin: call.origin))
    }

    func describe(_ name: BucketName, _ call: StorageCall) async throws -> Response {
        guard let bucket = try await blockingWork({ [store] in try store.bucket(named: name) }) else {
            throw StorageFailure.noSuchBucket
        }
        return call.json(bucket.resource(origin: call.origin).selecting(call.target["fields"]))
    }

    func delete(_ name: BucketName) async throws -> Response {
        guard try await blockingWork({ [store] in try store.deleteBucket(name) }) else {
            throw StorageFailure.noSuchBucket
        }
        return Response(status: .noContent)
    }

    func listBuckets(_ call: StorageCall) async throws -> Response {
        let count = try call.target.maxResults()
        let (prefix, last) = (call.target["prefix"] ?? "", call.target["pageToken"] ?? "")
        let rest = try await blockingWork { [store] in try store.buckets() }
            .filter { $0.name.description.hasPrefix(prefix) && $0.name.description > last }
        let page = rest.prefix(count)
        let next = rest.count > count ? page.last.map { JSONText.string($0.name.description) } : nil
        return call.json(
            .object(compacting: [
                ("kind", "storage#buckets"),
                ("nextPageToken", next),
                ("items", page.isEmpty ? nil : .array(page.map { $0.resource(origin: call.origin) })),
            ])
        )
    }
}

/// What a client may wish of a new bucket; everything but the name is as the emulator has it.
private struct BucketWish: Decodable {
    let name: String
}

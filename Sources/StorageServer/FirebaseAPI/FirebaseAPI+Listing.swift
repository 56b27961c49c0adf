// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import JSONWriting
import ObjectStore
import Wire

extension FirebaseAPI {
    /// Answers a page of a bucket's names; an absent bucket is empty.
    func list(_ bucket: BucketName, _ call: StorageCall) async throws -> Response {
        let prefix = call.target["prefix"] ?? ""
        guard prefix.isEmpty || prefix.hasSuffix("/") else {
            throw StorageFailure.invalid(
                "The prefix parameter is required to be empty or ends with a single / character."
            )
        }
        // Both texts as recorded from production in 2026.
        guard call.target["maxResults"].map(Int64.init) != 0 else {
            throw StorageFailure.invalid("Expect maxResults to be a positive number.")
        }
        let query = ObjectListQuery(
            prefix: prefix,
            delimiter: call.target["delimiter"],
            pageToken: call.target.text("pageToken"),
            maxResults: try call.target.maxResults()
        )
        let page = try await blockingWork { [store] in try store.list(bucket, query) }
        return call.json(page.firebaseListing(of: bucket))
    }
}

extension ObjectListing {
    fileprivate func firebaseListing(of bucket: BucketName) -> JSONText {
        let names = items.map(\.name.description).filter(Self.isReference)
        let items = names.map { JSONText.object([("name", .string($0)), ("bucket", .string(bucket.description))]) }
        return .object(compacting: [
            ("prefixes", .array(prefixes.filter { !$0.hasPrefix("/") && !$0.contains("//") }.map(JSONText.string))),
            ("items", .array(items)),
            ("nextPageToken", nextPageToken.map(JSONText.string)),
        ])
    }

    /// Whether the Firebase SDKs can refer to a name: v0 listings leave out those with an empty segment, as the SDKs
    /// document for `list` ("The Firebase Storage List API will filter these unsupported objects", 2026).
    private static func isReference(_ name: String) -> Bool {
        name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
    }
}

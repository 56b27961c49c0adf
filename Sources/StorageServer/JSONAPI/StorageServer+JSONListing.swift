// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import JSONWriting
import ObjectStore
import Wire

extension StorageServer {
    /// Answers a page of a bucket's objects; an absent bucket is empty, because uploads create buckets here.
    func listObjects(in bucket: BucketName, _ call: StorageCall) async throws -> Response {
        let query = try ObjectListQuery(call.target)
        let page = try await blockingWork { [store] in try store.list(bucket, query) }
        let items = page.items.map { $0.resource(origin: call.origin) }
        let listing = JSONText.object(compacting: [
            ("kind", "storage#objects"),
            ("nextPageToken", page.nextPageToken.map(JSONText.string)),
            ("prefixes", page.prefixes.isEmpty ? nil : .array(page.prefixes.map(JSONText.string))),
            ("items", items.isEmpty ? nil : .array(items)),
        ])
        return call.json(listing.selecting(call.target["fields"]))
    }
}

extension ObjectListQuery {
    fileprivate init(_ target: RequestTarget) throws(StorageFailure) {
        // A listing that ignored these would be wrong without saying so.
        guard target["matchGlob"] == nil else { throw .notImplemented("the parameter matchGlob yet") }
        guard target["includeTrailingDelimiter"] != "true" else {
            throw .notImplemented("the parameter includeTrailingDelimiter yet")
        }
        self.init(
            prefix: target["prefix"] ?? "",
            delimiter: target["delimiter"],
            startOffset: target.text("startOffset"),
            endOffset: target.text("endOffset"),
            pageToken: target.text("pageToken"),
            maxResults: try target.maxResults()
        )
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import JSON
import ObjectStore
import Wire

extension JSONAPI {
    /// Answers a page of a bucket's objects; an absent bucket is empty, because uploads create buckets here.
    func listObjects(in bucket: BucketName, for call: StorageCall) async throws -> Response {
        let query = try ObjectListQuery(call.target)
        // Production answers such a request with nothing, not even a token (recorded 2026).
        let isNothing = try call.target.number("maxResults") == 0
        let page =
            isNothing ? ObjectListing() : try await blockingWork { [store] in try store.list(bucket, matching: query) }
        context.note(query, listedBy: call)
        let prefixes = try await prefixes(of: page, in: bucket, query: query, for: call)
        let isFull = call.target["projection"] == "full"
        let needsBucket = isFull || query.versions == .softlyDeleted
        let described = needsBucket ? try await blockingWork { [store] in try store.bucket(named: bucket) } : nil
        let items = page.items.map { object in
            let resource = object.resource(origin: call.origin, hasKey: false)
                .adding(object.deletionMembers(in: described))
            return isFull ? resource.adding(Self.accessMembers(of: object, in: described)) : resource
        }
        let listing = JSONText.object(compacting: [
            ("kind", "storage#objects"),
            ("nextPageToken", page.nextPageToken.map(JSONText.string)),
            ("prefixes", prefixes.isEmpty ? nil : .array(prefixes.map(JSONText.string))),
            ("items", items.isEmpty ? nil : .array(items)),
        ])
        return call.json(listing)
    }
}

extension JSONAPI {
    /// The common prefixes of a page, on the first with the managed folders among them if so asked.
    private func prefixes(
        of page: ObjectListing,
        in name: BucketName,
        query: ObjectListQuery,
        for call: StorageCall
    ) async throws -> [String] {
        guard call.target.flag("includeFoldersAsPrefixes"), query.delimiter == "/", query.pageToken == nil,
            let bucket = try await blockingWork({ [store] in try store.bucket(named: name) })
        else { return page.prefixes }
        let folders = BucketDocument(bucket.settings).folders.filter { folder in
            folder.hasPrefix(query.prefix) && !folder.dropFirst(query.prefix.count).dropLast().contains("/")
        }
        return Set(page.prefixes + folders).sorted()
    }
}

extension ObjectListQuery {
    fileprivate init(_ target: RequestTarget) throws(StorageFailure) {
        self.init(
            prefix: target["prefix"] ?? "",
            delimiter: target["delimiter"],
            startOffset: target.text("startOffset"),
            endOffset: target.text("endOffset"),
            pageToken: target.text("pageToken"),
            maxResults: try target.maxResults()
        )
        includesTrailingDelimiter = target.flag("includeTrailingDelimiter")
        if target.flag("versions") { versions = .all }
        if target.flag("softDeleted") { versions = .softlyDeleted }
        glob = try target.text("matchGlob").map { pattern throws(StorageFailure) in
            do {
                return try ObjectGlob(pattern)
            } catch {
                throw StorageFailure(
                    status: 400,
                    message: "Invalid value for matchGlob: \(error).",
                    reason: "invalid",
                    location: .parameter("matchGlob")
                )
            }
        }
        contextFilter = try target.text("filter").map { text throws(StorageFailure) in try ContextFilter(text) }
    }
}

extension ObjectListQuery.ContextFilter {
    /// Reads `contexts."key"="value"` or `contexts."key":*`, with a hyphen before it for all other objects.
    ///
    /// Source: https://cloud.google.com/storage/docs/listing-objects#filter-by-object-contexts (2026-11).
    fileprivate init(_ text: String) throws(StorageFailure) {
        let isNegated = text.hasPrefix("-")
        let parts = text.dropFirst(isNegated ? 1 : 0).split(separator: "\"", omittingEmptySubsequences: false)
        switch (parts.count, parts.first, parts.count > 2 ? parts[2] : "") {
        case (3, "contexts.", ":*"): self.init(key: String(parts[1]), value: nil, isNegated: isNegated)
        case (5, "contexts.", "=") where parts[4].isEmpty:
            self.init(key: String(parts[1]), value: String(parts[3]), isNegated: isNegated)
        default: throw .invalid("Invalid argument: the filter must be of the form contexts.\"KEY\"=\"VALUE\".")
        }
    }
}

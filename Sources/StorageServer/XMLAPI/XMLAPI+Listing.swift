// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import ObjectStore
import Wire

extension XMLAPI {
    /// Answers a page of a bucket's objects.
    func listObjects(in bucket: BucketName, for call: StorageCall) async throws -> Response {
        let query = try XMLListingQuery(call.target)
        try await requireBucket(bucket)
        // The store's pages have one entry at least.
        guard query.entryCountMax > 0 else { return .xml(query.document(ObjectListing(), of: bucket)) }
        let page = try await blockingWork { [store] in try store.list(bucket, matching: query.stored) }
        return .xml(query.document(page, of: bucket))
    }
}

extension XMLListingQuery {
    /// The page as the client wants to read it.
    func document(_ page: ObjectListing, of bucket: BucketName) -> XMLText {
        let start: [XMLText?] = [.element("Name", bucket.description), .element("Prefix", coded(prefix))]
        let frame: [XMLText?] = [
            delimiter.map { .element("Delimiter", coded($0)) },
            encodesNames ? .element("EncodingType", "url") : nil,
            .element("IsTruncated", page.nextPageToken == nil ? "false" : "true"),
        ]
        let entries: [XMLText?] =
            page.items.map(contents)
            + page.prefixes.map { .element("CommonPrefixes", [.element("Prefix", coded($0))]) }
        return .element(
            "ListBucketResult",
            start + place(in: page) + frame + entries,
            attributes: [XMLText.namespace]
        )
    }

    /// Where the page is, and where the next one begins.
    private func place(in page: ObjectListing) -> [XMLText?] {
        switch version {
        case .markers:
            let next = page.nextPageToken == nil ? nil : page.lastEntry
            return [.element("Marker", coded(start ?? "")), next.map { .element("NextMarker", coded($0)) }]
        case .tokens:
            return [
                .element("MaxKeys", String(entryCountMax)),
                .element("KeyCount", String(page.items.count + page.prefixes.count)),
                start.map { .element("StartAfter", coded($0)) },
                token.map { .element("ContinuationToken", $0) },
                page.nextPageToken.map { .element("NextContinuationToken", $0) },
            ]
        }
    }

    private func contents(_ object: ObjectMetadata) -> XMLText {
        .element(
            "Contents",
            [
                .element("Key", coded(object.name.description)),
                .element("Generation", String(object.generation)),
                .element("MetaGeneration", String(object.metageneration)),
                .element("LastModified", RFC3339.text(microseconds: object.updated)),
                .element("ETag", MediaForm.xml(isPublic: true).entityTag(of: object)),
                .element("Size", String(object.byteCount)),
                tellsOwner ? .owner : nil,
            ]
        )
    }

    /// A name as `encoding-type` wants it; slashes stay readable.
    private func coded(_ name: String) -> String {
        guard encodesNames else { return name }
        return name.split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentCoding.encode(String($0)) }
            .joined(separator: "/")
    }
}

extension ObjectListing {
    /// The last entry, an object's name or a prefix, in the order of bytes.
    fileprivate var lastEntry: String? {
        let (item, prefix) = (items.last?.name.description, prefixes.last)
        guard let item, let prefix else { return item ?? prefix }
        return item.utf8.lexicographicallyPrecedes(prefix.utf8) ? prefix : item
    }
}

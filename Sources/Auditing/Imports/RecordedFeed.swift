// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient
import Foundation
import Metering
package import SessionLog

/// A feed as a third-party log shows it: which posts there are, which images they have and how large these are.
package struct RecordedFeed: Sendable {
    /// Where the feed is taken to live; it is in no report.
    static let address = SessionHeader.Feed(
        project: "imported",
        database: "(default)",
        collection: "posts",
        bucket: "imported"
    )

    /// The posts by their name, `owner/feed`, which is their id, too.
    let posts: [String: FeedPost]
    private let byteCounts: [String: Int]

    /// Takes the images of a log.
    package init(of images: [SessionImage]) {
        byteCounts = Dictionary(images.map { ($0.object, Int($0.byteCount)) }, uniquingKeysWith: max)
        var found: [String: [FeedImage]] = [:]
        for (object, byteCount) in byteCounts {
            guard let path = FeedImagePath(objectName: object) else { continue }
            let image = FeedImage(
                index: path.index,
                pixelWidth: 0,
                pixelHeight: 0,
                byteCount: byteCount,
                generation: 1
            )
            found["\(path.owner)/\(path.feed)", default: []].append(image)
        }
        posts = found.reduce(into: [:]) { posts, entry in
            let parts = entry.key.split(separator: "/", maxSplits: 1).map(String.init)
            posts[entry.key] = FeedPost(
                id: entry.key,
                ownerID: parts[0],
                feedID: parts[1],
                title: "",
                likes: 0,
                createdAt: Date(timeIntervalSince1970: 0),
                images: entry.value.sorted { $0.index < $1.index }
            )
        }
    }
}

extension RecordedFeed: FirebaseAnswering {
    package func answer(to request: TransportRequest) async throws -> FirebaseAnswer {
        // The addresses are those that references make: /v0/b/B/o/O, the object percent-encoded in one segment.
        let name = request.url.path(percentEncoded: true).split(separator: "/").last.flatMap {
            $0.removingPercentEncoding
        }
        let isMedia = request.url.query?.contains("alt=media") == true
        guard let name, let byteCount = byteCounts[name] else {
            return FirebaseAnswer(response: TransportResponse(status: 404, body: Data()), byteCount: 0, billed: .zero)
        }
        let headers: HeaderFields = [
            "ETag": "\"\(name)\"", "x-goog-generation": "1", "Cache-Control": "private, max-age=0",
        ]
        // A generation never changes: who asks whether it has gets the answer that it has not.
        let isKnown = request.headers["If-None-Match"] != nil
        let part = request.headers["Range"].flatMap { Self.byteCount(ofRange: $0, of: byteCount) }
        let status = !isMedia ? 200 : isKnown ? 304 : part == nil ? 200 : 206
        let sent = isMedia ? (isKnown ? 0 : part ?? byteCount) : Self.metadataByteCount
        return FirebaseAnswer(
            response: TransportResponse(status: status, headers: headers, body: Data()),
            byteCount: sent,
            billed: BilledUsage(egressBytes: Int64(sent), classB: 1)
        )
    }

    /// The bytes of an object that a range holds, `bytes=0-99` or `bytes=100-`; `nil` where it holds none.
    private static func byteCount(ofRange range: String, of whole: Int) -> Int? {
        let sides = range.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard let start = sides.first.flatMap({ Int($0) }), start < whole else { return nil }
        let end = sides.last.flatMap { Int($0) } ?? whole - 1
        return min(end, whole - 1) - start + 1
    }

    /// The bytes of an object's metadata, about (those of the bundled session's objects, 2026-11-22).
    private static let metadataByteCount = 830
}

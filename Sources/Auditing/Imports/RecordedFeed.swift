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

    /// The posts by their name, which is their id, too.
    let posts: [String: FeedPost]
    /// By `bucket/object`.
    private let byteCounts: [String: Int]

    /// Takes the images of a log.
    package init(of images: [SessionImage]) {
        byteCounts = Dictionary(images.map { (Self.key($0), Int($0.byteCount)) }, uniquingKeysWith: max)
        var found: [String: [Int: FeedImage]] = [:]
        for image in images {
            let path = FeedImagePath(objectName: image.object)
            guard let post = image.place?.post ?? path.map({ "\($0.owner)/\($0.feed)" }) else { continue }
            let index = image.place?.index ?? path?.index ?? 0
            var listed = FeedImage(
                index: index,
                pixelWidth: image.pixels?.uprightWidth ?? 0,
                pixelHeight: image.pixels?.uprightHeight ?? 0,
                byteCount: byteCounts[Self.key(image)],
                generation: 1
            )
            listed.location = image.place.map { .object(bucket: $0.bucket, name: image.object) }
            found[post, default: [:]][index] = listed
        }
        posts = found.reduce(into: [:]) { posts, entry in
            let parts = entry.key.split(separator: "/", maxSplits: 1).map(String.init)
            posts[entry.key] = FeedPost(
                id: entry.key,
                ownerID: parts.first ?? "",
                feedID: parts.dropFirst().first ?? "",
                title: "",
                likes: 0,
                createdAt: Date(timeIntervalSince1970: 0),
                images: entry.value.values.sorted { $0.index < $1.index }
            )
        }
    }

    private static func key(_ image: SessionImage) -> String {
        "\(image.place?.bucket ?? address.bucket)/\(image.object)"
    }
}

extension RecordedFeed: FirebaseAnswering {
    package func answer(to request: TransportRequest) async throws -> FirebaseAnswer {
        // The addresses are those that references make: /v0/b/B/o/O, the object percent-encoded in one segment.
        let segments = request.url.path(percentEncoded: true).split(separator: "/").compactMap(
            \.removingPercentEncoding
        )
        let name = segments.count == 5 ? "\(segments[2])/\(segments[4])" : nil
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

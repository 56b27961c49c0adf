// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient
import Foundation
import Metering
import SessionLog

extension RecordedFeed: FirebaseAnswering {
    package func answer(to request: TransportRequest) async throws -> FirebaseAnswer {
        // The addresses are those that references make: /v0/b/B/o/O, the object percent-encoded in one segment.
        let segments = request.url.path(percentEncoded: true).split(separator: "/").compactMap(
            \.removingPercentEncoding
        )
        let object = segments.count == 5 ? ObjectName(bucket: segments[2], name: segments[4]) : nil
        guard let object, let byteCount = byteCount(of: object) else {
            return FirebaseAnswer(response: TransportResponse(status: 404, body: Data()), byteCount: 0, billed: .zero)
        }
        let headers: HeaderFields = [
            "ETag": "\"\(object.bucket)/\(object.name)\"", "x-goog-generation": "1",
            "Cache-Control": "private, max-age=0",
        ]
        let isMedia = request.url.query?.contains("alt=media") == true
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

    /// The bytes of an object, or of a smaller copy that the log does not have; `nil` where neither is known.
    private func byteCount(of object: ObjectName) -> Int? {
        if let content = contents[object] { return content.byteCount }
        guard let (original, variant) = ResizedVariant.original(ofCopy: object.name) else { return nil }
        return byteCount(of: ObjectName(bucket: object.bucket, name: original), resizedTo: variant)
    }

    /// The bytes that a smaller copy of an object is taken to have: its share of the pixels, as in ``DisplaySizes``.
    ///
    /// Where the pixels are not known, a copy has all bytes.
    func byteCount(of original: ObjectName, resizedTo variant: ResizedVariant) -> Int? {
        guard let byteCount = contents[original]?.byteCount else { return nil }
        guard let pixels = pixelSizes[original] else { return byteCount }
        let width = variant.fittedWidth(pixelWidth: pixels.uprightWidth, pixelHeight: pixels.uprightHeight)
        let share = Double(width) / Double(pixels.uprightWidth)
        return Int((Double(byteCount) * share * share).rounded(.up))
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

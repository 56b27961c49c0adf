// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The frame of a `multipart/byteranges` answer around the ranges of an object (RFC 9110 section 14.6).
struct MultipartRanges: Sendable {
    /// A range and what precedes it.
    struct Part: Sendable {
        let heading: String
        let range: Range<Int64>
    }

    private static let boundaryDigitCount = 24

    /// The media type of the answer.
    let contentType: String
    /// The ranges in the order of the answer.
    let parts: [Part]
    /// The end after the last range.
    let ending: String

    /// Frames ranges of an object of a media type and a size.
    init(_ ranges: [Range<Int64>], of objectByteCount: Int64, contentType: String, boundary: String = makeBoundary()) {
        self.contentType = "multipart/byteranges; boundary=\(boundary)"
        parts = ranges.enumerated().map { index, range in
            let lines = [
                index == 0 ? "--\(boundary)" : "\r\n--\(boundary)",
                "Content-Type: \(contentType)",
                "Content-Range: \(range.contentRange(of: objectByteCount))",
                "", "",
            ]
            return Part(heading: lines.joined(separator: "\r\n"), range: range)
        }
        ending = "\r\n--\(boundary)--\r\n"
    }

    /// The length of the whole body in bytes.
    var byteCount: Int {
        parts.reduce(ending.utf8.count) { $0 + $1.heading.utf8.count + $1.range.count }
    }

    /// Random, so that no object can hold it on purpose.
    private static func makeBoundary() -> String {
        String((0..<boundaryDigitCount).map { _ in "0123456789abcdef".randomElement() ?? "0" })
    }
}

extension Range<Int64> {
    /// The range as `Content-Range` says it.
    func contentRange(of objectByteCount: Int64) -> String {
        "bytes \(lowerBound)-\(upperBound - 1)/\(objectByteCount)"
    }
}

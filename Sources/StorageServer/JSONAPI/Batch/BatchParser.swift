// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Takes the body of a batch apart: `multipart/mixed` of parts that each hold an HTTP request.
///
/// Lines may end with CR LF or, as Python's client sends them, with LF alone. The closing boundary is required, so that a
/// body that was cut is never taken for a shorter batch.
struct BatchParser {
    /// The most calls of a batch.
    ///
    /// Google's documentation asks for at most 100, but its own clients send up to 1,000 (`_MAX_BATCH_SIZE` of
    /// google-cloud-storage 3.17.1), so that is what a server must take. Source:
    /// https://cloud.google.com/storage/docs/batch (2026-11).
    static let callCountMax = 1_000
    /// The largest body, in bytes: "the total batch request payload must be less than 10 MB".
    static let byteCountMax = 10_000_000

    /// Why a body is not a batch.
    enum Failure: Error, Equatable {
        case noBoundary
        case noCalls
        case tooManyCalls
        case unclosed
        /// The part of this number, counted from 1, is not a part with an HTTP request.
        case malformed(part: Int, BatchPartParser.Failure)
    }

    private let delimiter: [UInt8]
    private let body: [UInt8]
    private var parts: [ArraySlice<UInt8>] = []

    private init(_ body: [UInt8], boundary: String) {
        self.body = body
        delimiter = Array("--\(boundary)".utf8)
    }

    /// Returns the calls in their order.
    static func parse(_ body: [UInt8], contentType: String?) throws(Failure) -> [BatchCall] {
        guard let contentType, contentType.lowercased().hasPrefix("multipart/mixed"),
            let boundary = MultipartHeader.boundary(of: contentType)
        else { throw .noBoundary }
        var parser = Self(body, boundary: boundary)
        try parser.findParts()
        guard !parser.parts.isEmpty else { throw .noCalls }
        var calls: [BatchCall] = []
        for (index, part) in parser.parts.enumerated() {
            do {
                calls.append(try BatchPartParser.parse(part))
            } catch {
                throw .malformed(part: index + 1, error)
            }
        }
        return calls
    }

    /// The meaning of a line for the parts.
    private enum Line {
        case content
        case boundary
        case closingBoundary
    }

    private mutating func findParts() throws(Failure) {
        var partStart: Int?
        var lineStart = 0
        while lineStart < body.count {
            let lineEnd = body[lineStart...].firstIndex(of: UInt8(ascii: "\n")) ?? body.count
            let line = meaning(of: body[lineStart..<lineEnd])
            if line != .content {
                if let partStart { try addPart(from: partStart, boundaryAt: lineStart) }
                if line == .closingBoundary { return }
                partStart = min(lineEnd + 1, body.count)
            }
            lineStart = lineEnd + 1
        }
        throw .unclosed
    }

    private func meaning(of line: ArraySlice<UInt8>) -> Line {
        guard line.starts(with: delimiter) else { return .content }
        var rest = line.dropFirst(delimiter.count)
        while let last = rest.last, last == 0x0D || last == 0x20 || last == 0x09 { rest.removeLast() }
        if rest.isEmpty { return .boundary }
        return rest.elementsEqual("--".utf8) ? .closingBoundary : .content
    }

    /// Adds a part; the line end before a boundary belongs to the boundary.
    private mutating func addPart(from start: Int, boundaryAt end: Int) throws(Failure) {
        guard parts.count < Self.callCountMax else { throw .tooManyCalls }
        var part = body[start..<end]
        if part.last == UInt8(ascii: "\n") { part.removeLast() }
        if part.last == UInt8(ascii: "\r") { part.removeLast() }
        parts.append(part)
    }
}

extension StorageFailure {
    /// The problem of a batch, and how to remedy it.
    init(_ failure: BatchParser.Failure) {
        let detail =
            switch failure {
            case .noBoundary: "it needs the content type multipart/mixed with a boundary"
            case .noCalls: "it holds no calls"
            case .tooManyCalls: "it holds more than \(BatchParser.callCountMax) calls; send several batches"
            case .unclosed: "its closing boundary is missing"
            case .malformed(let part, let failure): "part \(part) \(failure.message)"
            }
        self = .invalid("Failed to parse batch request: \(detail).")
    }

    static let batchTooLarge = Self(
        status: 413,
        message: "Request Entity Too Large: a batch may have at most \(BatchParser.byteCountMax) bytes.",
        reason: "uploadTooLarge"
    )
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Takes a `multipart/related` upload apart as it streams in: first a JSON part, then the object's bytes.
///
/// Boundaries may be split over any number of pieces; only the JSON part and a boundary's length are ever held. Lines
/// end with CR LF or, throughout, with LF alone (as gcloud sends them): the first boundary's line decides.
struct MultipartRelatedParser {
    /// The largest JSON part, in bytes.
    static let metadataByteCountMax = ObjectChanges.byteCountMax
    /// The largest header block of a part, in bytes.
    static let partHeaderByteCountMax = 16 << 10

    /// Why a body is not an upload.
    enum Failure: Error, Equatable {
        case noBoundary
        case metadataTooLarge
        case partHeaderTooLarge
        /// The body has another number of parts than two.
        case partCount(Int)
        /// The body ends before its closing boundary.
        case unfinished
    }

    private enum State {
        case preamble
        case firstBoundary
        case headers(part: Int)
        case bodyStart(part: Int)
        case body(part: Int)
        case epilogue
    }

    private static let lineFeed: [UInt8] = [0x0A]
    private static let carriageReturn: UInt8 = 0x0D

    private let boundary: [UInt8]
    private var lineEnd = lineFeed
    private var state = State.preamble
    private var held = lineFeed  // the first boundary may stand at the very start, without a line before it
    /// The JSON part, complete once the object's bytes begin.
    private(set) var metadata: [UInt8] = []
    /// The media type that the second part declares.
    private(set) var mediaContentType: String?

    /// Creates a parser for the value of a `Content-Type` header; throws when that names no boundary.
    init(contentType: String?) throws(Failure) {
        guard let name = contentType.flatMap(MultipartHeader.boundary(of:)) else { throw .noBoundary }
        boundary = Array("--\(name)".utf8)
    }

    /// Whether the closing boundary has been read.
    var isComplete: Bool {
        if case .epilogue = state { true } else { false }
    }

    /// Bytes of the JSON part, and of what may be a boundary.
    var heldByteCount: Int { held.count + metadata.count }

    /// Takes bytes in and gives out those that belong to the object.
    mutating func consume(_ bytes: some Collection<UInt8>, object: ([UInt8]) throws -> Void) throws {
        held.append(contentsOf: bytes)
        while try advance(object) {}
    }

    /// Takes one step; returns whether another may be possible with the bytes held.
    private mutating func advance(_ object: ([UInt8]) throws -> Void) throws -> Bool {
        switch state {
        case .preamble: return skipThroughBoundary()
        case .firstBoundary: return try readFirstBoundaryLine()
        case .headers(let part): return try readHeaders(of: part)
        case .bodyStart(let part): return startBody(of: part)
        case .body(let part): return try readBody(of: part, object: object)
        case .epilogue:
            held.removeAll()
            return false
        }
    }

    private mutating func skipThroughBoundary() -> Bool {
        let delimiter = Self.lineFeed + boundary
        guard let start = held.firstIndex(ofBytes: delimiter) else {
            held.removeFirst(max(0, held.count - delimiter.count + 1))
            return false
        }
        held.removeFirst(start + delimiter.count)
        state = .firstBoundary
        return true
    }

    private mutating func readFirstBoundaryLine() throws -> Bool {
        guard !held.starts(with: Array("--".utf8)) else { throw Failure.partCount(0) }
        guard let end = held.firstIndex(of: 0x0A) else { return try awaitMoreHeaders() }
        try requireShortHeader(byteCount: end + 1)
        if end > 0, held[end - 1] == Self.carriageReturn { lineEnd = [Self.carriageReturn] + Self.lineFeed }
        state = .headers(part: 0)
        return true
    }

    /// Reads from just behind a boundary through the empty line that ends the part's headers.
    private mutating func readHeaders(of part: Int) throws -> Bool {
        guard held.count >= 2 else { return false }
        if held.starts(with: Array("--".utf8)) {
            guard part == 2 else { throw Failure.partCount(part) }
            state = .epilogue
            return true
        }
        guard part < 2 else { throw Failure.partCount(part + 1) }
        guard let end = held.firstIndex(ofBytes: lineEnd + lineEnd) else { return try awaitMoreHeaders() }
        try requireShortHeader(byteCount: end + 2 * lineEnd.count)
        if part == 1 { mediaContentType = MultipartHeader.contentType(in: held[..<end]) }
        // The last line end stays: it may be the one before the boundary that ends an empty part.
        held.removeFirst(end + lineEnd.count)
        state = .bodyStart(part: part)
        return true
    }

    private func awaitMoreHeaders() throws -> Bool {
        try requireShortHeader(byteCount: held.count)
        return false
    }

    private func requireShortHeader(byteCount: Int) throws {
        guard byteCount <= Self.partHeaderByteCountMax else { throw Failure.partHeaderTooLarge }
    }

    private mutating func startBody(of part: Int) -> Bool {
        let delimiter = lineEnd + boundary
        if held.count < delimiter.count, delimiter.starts(with: held) { return false }
        if !held.starts(with: delimiter) { held.removeFirst(lineEnd.count) }
        state = .body(part: part)
        return true
    }

    private mutating func readBody(of part: Int, object: ([UInt8]) throws -> Void) throws -> Bool {
        let delimiter = lineEnd + boundary
        let end = held.firstIndex(ofBytes: delimiter)
        let available = end ?? max(0, held.count - delimiter.count + 1)
        if available > 0 {
            try deliver(held[..<available], of: part, object: object)
            held.removeFirst(available)
        }
        guard end != nil else { return false }
        held.removeFirst(delimiter.count)
        state = .headers(part: part + 1)
        return true
    }

    private mutating func deliver(_ bytes: ArraySlice<UInt8>, of part: Int, object: ([UInt8]) throws -> Void) throws {
        if part == 1 { return try object(Array(bytes)) }
        guard metadata.count + bytes.count <= Self.metadataByteCountMax else { throw Failure.metadataTooLarge }
        metadata.append(contentsOf: bytes)
    }
}

extension StorageFailure {
    /// Why a multipart upload is none; the words about the number of parts were recorded from production in 2026, the bare
    /// ones about large metadata are quoted in infinitered/apisauce#92 (2017) and expected by googleapis/nodejs-storage 7.19
    /// (`system-test/storage.ts`, "should throw original error message on non JSON response on large metadata").
    init(_ failure: MultipartRelatedParser.Failure) {
        switch failure {
        case .noBoundary:
            self = .invalid("A multipart upload needs the content type multipart/related with a boundary.")
        case .metadataTooLarge:
            self = .invalid("Metadata part is too large.")
            isBare = true
        case .partHeaderTooLarge: self = .invalid("The header of a part of the multipart body is too large.")
        case .unfinished: self = .invalid("The multipart body ends before its closing boundary.")
        case .partCount(let count):
            self.init(
                status: 400,
                message: "Payload size invalid. Expected 2-3 payloads. Actual size: \(count)",
                reason: "invalidPayloadSize"
            )
            firebaseMessage = "Multipart body does not contain 2 or 3 parts."
            uploadServerForm = .firebase
        }
    }
}

/// The header fields around a multipart body.
enum MultipartHeader {
    /// The boundary that a content type names: bare, or between double or single quotes; clients use all three.
    static func boundary(of contentType: String) -> String? {
        for parameter in contentType.split(separator: ";").dropFirst() {
            let sides = parameter.split(separator: "=", maxSplits: 1).map(trimmed)
            guard sides.count == 2, sides[0].lowercased() == "boundary" else { continue }
            let value = unquoted(sides[1])
            return value.isEmpty ? nil : String(value)
        }
        return nil
    }

    /// The content type among the header lines of a part, which may come in any order and case.
    static func contentType(in headers: ArraySlice<UInt8>) -> String? {
        for line in headers.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A }) {
            let sides = String(decoding: line, as: UTF8.self).split(separator: ":", maxSplits: 1).map(trimmed)
            guard sides.count == 2, sides[0].lowercased() == "content-type" else { continue }
            return String(sides[1])
        }
        return nil
    }

    private static func unquoted(_ value: Substring) -> Substring {
        guard value.count > 1, let quote = value.first, quote == "\"" || quote == "'", value.last == quote else {
            return value
        }
        return value.dropFirst().dropLast()
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

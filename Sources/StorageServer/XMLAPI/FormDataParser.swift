// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Takes a `multipart/form-data` body apart as it streams in: fields, then the part `file`, whose bytes are passed on.
///
/// Boundaries may be split over any number of pieces; what is held are the fields and a boundary's length. What follows
/// the file is ignored, as in production (RFC 7578, and "The file or content must be the last field in the form" of
/// https://cloud.google.com/storage/docs/xml-api/post-object-forms, 2026-11).
struct FormDataParser {
    /// The most fields before the file.
    static let fieldCountMax = 200
    /// The most bytes that the fields may have together.
    static let fieldsByteCountMax = 64 << 10
    /// The largest header block of a part, in bytes.
    static let headerByteCountMax = 8 << 10

    /// Why a body is not a form.
    enum Failure: Error, Equatable {
        case noBoundary
        case malformed
        case headerTooLarge
        case fieldsTooLarge
        case noFile
    }

    private enum State {
        case preamble
        case boundaryEnd
        case header
        case bodyStart(FormPartHeader)
        case field(FormPartHeader)
        case file
        case epilogue
    }

    private static let lineEnd: [UInt8] = [0x0D, 0x0A]
    private static let fileName = "file"

    private let delimiter: [UInt8]
    private var state = State.preamble
    private var held = lineEnd  // the first boundary may stand at the very start, without a line before it
    private var fieldCount = 0
    private var fieldsByteCount = 0
    private var value: [UInt8] = []
    /// The fields that have arrived whole.
    private(set) var fields = FormFields()
    /// The header of the file, once its bytes begin.
    private(set) var file: FormPartHeader?
    /// Whether the file has arrived whole.
    private(set) var isFileComplete = false

    /// Whether the value of a `Content-Type` header is that of a form.
    static func isForm(_ contentType: String?) -> Bool {
        contentType?.lowercased().hasPrefix("multipart/form-data") ?? false
    }

    /// Creates a parser for the value of a `Content-Type` header.
    init(contentType: String?) throws(Failure) {
        guard let contentType, Self.isForm(contentType),
            let boundary = MultipartHeader.boundary(of: contentType)
        else { throw .noBoundary }
        delimiter = Self.lineEnd + Array("--\(boundary)".utf8)
    }

    /// Takes bytes in and gives out those that belong to the file.
    mutating func consume(_ bytes: some Collection<UInt8>, file: ([UInt8]) throws -> Void) throws {
        if case .epilogue = state { return }
        held.append(contentsOf: bytes)
        while try advance(file) {}
    }

    /// Throws unless the file has arrived whole.
    func finish() throws(Failure) {
        if isFileComplete { return }
        throw file == nil ? .noFile : .malformed
    }

    /// Takes one step; returns whether another may be possible with the bytes held.
    private mutating func advance(_ file: ([UInt8]) throws -> Void) throws -> Bool {
        switch state {
        case .preamble: return try takeThroughDelimiter { _ in }
        case .boundaryEnd: return try readBoundaryEnd()
        case .header: return try readHeader()
        case .bodyStart(let header): return try startBody(of: header)
        case .field(let header): return try readField(header)
        case .file:
            guard try takeThroughDelimiter({ try file(Array($0)) }) else { return false }
            isFileComplete = true
            state = .epilogue
            return true
        case .epilogue:
            held.removeAll()
            return false
        }
    }

    /// Gives out what precedes the next boundary; returns whether that boundary is there.
    private mutating func takeThroughDelimiter(_ take: (ArraySlice<UInt8>) throws -> Void) throws -> Bool {
        let end = held.firstIndex(ofBytes: delimiter)
        let available = end ?? max(0, held.count - delimiter.count + 1)
        if available > 0 { try take(held[..<available]) }
        held.removeFirst(end.map { $0 + delimiter.count } ?? available)
        if end != nil { state = .boundaryEnd }
        return end != nil
    }

    private mutating func readField(_ header: FormPartHeader) throws -> Bool {
        var arrived: [UInt8] = []
        let isComplete = try takeThroughDelimiter { arrived += $0 }
        fieldsByteCount += arrived.count
        guard fieldsByteCount <= Self.fieldsByteCountMax else { throw Failure.fieldsTooLarge }
        value += arrived
        guard isComplete else { return false }
        guard let text = String(validating: value, as: UTF8.self) else { throw Failure.malformed }
        fields.set(header.name, to: text)
        value = []
        return true
    }

    /// Reads what follows a boundary on its line: nothing but spaces, or the two hyphens that end the form.
    private mutating func readBoundaryEnd() throws -> Bool {
        guard held.count >= 2 else { return false }
        if held.starts(with: Array("--".utf8)) { throw Failure.noFile }
        guard let end = held.firstIndex(ofBytes: Self.lineEnd) else { return try awaitMoreHeader() }
        try requireShortHeader(byteCount: end + Self.lineEnd.count)
        guard held[..<end].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { throw Failure.malformed }
        held.removeFirst(end + Self.lineEnd.count)
        state = .header
        return true
    }

    private mutating func readHeader() throws -> Bool {
        guard let end = held.firstIndex(ofBytes: Self.lineEnd + Self.lineEnd) else { return try awaitMoreHeader() }
        try requireShortHeader(byteCount: end + 2 * Self.lineEnd.count)
        guard let header = FormPartHeader(held[..<end]) else { throw Failure.malformed }
        // The last line end stays: it may be the one before the boundary that ends an empty part.
        held.removeFirst(end + Self.lineEnd.count)
        state = .bodyStart(header)
        return true
    }

    private func awaitMoreHeader() throws -> Bool {
        try requireShortHeader(byteCount: held.count)
        return false
    }

    private func requireShortHeader(byteCount: Int) throws {
        guard byteCount <= Self.headerByteCountMax else { throw Failure.headerTooLarge }
    }

    private mutating func startBody(of header: FormPartHeader) throws -> Bool {
        if held.count < delimiter.count, delimiter.starts(with: held) { return false }
        if !held.starts(with: delimiter) { held.removeFirst(Self.lineEnd.count) }
        if header.name.lowercased() == Self.fileName {
            file = header
            state = .file
        } else {
            fieldCount += 1
            guard fieldCount <= Self.fieldCountMax else { throw Failure.fieldsTooLarge }
            state = .field(header)
        }
        return true
    }
}

extension XMLFailure {
    /// Says what is wrong with a form.
    init(_ failure: FormDataParser.Failure) {
        switch failure {
        case .noBoundary:
            self.init(
                400,
                code: "RequestIsNotMultiPartContent",
                message: "Bucket POST must be of the enclosure-type multipart/form-data."
            )
        case .malformed: self = .malformedForm("The body is not well-formed multipart/form-data, or is cut short.")
        case .headerTooLarge:
            self = .malformedForm("A part's header may have at most \(FormDataParser.headerByteCountMax) bytes.")
        case .fieldsTooLarge:
            self.init(
                400,
                code: "MaxPostPreDataLengthExceededError",
                message: "Your POST request fields preceding the upload file were too large.",
                details: "The limits are \(FormDataParser.fieldCountMax) fields and"
                    + " \(FormDataParser.fieldsByteCountMax) bytes."
            )
        case .noFile:
            self.init(
                400,
                code: "IncorrectNumberOfFilesInPostRequest",
                message: "POST requires exactly one file upload per request."
            )
        }
    }

    private static func malformedForm(_ details: String) -> Self {
        Self(
            400,
            code: "MalformedPOSTRequest",
            message: "The body of your POST request is not well-formed.",
            details: details
        )
    }
}

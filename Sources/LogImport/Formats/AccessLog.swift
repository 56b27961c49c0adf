// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Access logs of nginx, Apache, and others that write like them.
///
/// Lines that are not requests of HTTP (`"\x16\x03…" 400`) count as others.
struct AccessLog {
    private let path: String
    private let format: AccessLogFormat
    private let lines: AccessLogLine
    private var lineNumber = 0

    private let skipsUnreadableLines: Bool

    init(_ path: String, format: AccessLogFormat, skipsUnreadableLines: Bool = false) {
        self.path = path
        self.skipsUnreadableLines = skipsUnreadableLines
        self.format = format
        lines = AccessLogLine(format)
    }

    mutating func read(_ block: UnsafeBufferPointer<UInt8>, into sink: inout some RequestSink) throws {
        var start = 0
        while start < block.count {
            let lineBreak = ByteSearch.first(0x0A, in: block, at: start..<block.count) ?? block.count
            lineNumber += 1
            let end = lineBreak > start && block[lineBreak - 1] == 0x0D ? lineBreak - 1 : lineBreak
            if end > start { try take(UnsafeBufferPointer(rebasing: block[start..<end]), to: &sink) }
            start = lineBreak + 1
        }
    }

    private func take(_ line: UnsafeBufferPointer<UInt8>, to sink: inout some RequestSink) throws {
        let read: LoggedRequest
        do {
            read = try request(line)
        } catch  where skipsUnreadableLines {
            return sink.takeUnreadable(UnreadableLine(line))
        }
        try sink.take(read)
    }

    private func request(_ line: UnsafeBufferPointer<UInt8>) throws -> LoggedRequest {
        guard let fields = lines.fields(of: line) else { throw wrong("expected a line of the format \(format.name)") }
        var request = LoggedRequest(of: line)
        let (when, form) = fields.time
        guard let time = form.microseconds(in: line, at: when) else {
            throw wrong("'\(request.string(when).prefix(40))' is no time such as \(form.example)")
        }
        request.time = time
        request.status = fields.status.flatMap { Self.number(in: line, at: $0) }.map { Int($0) } ?? 0
        if let size = fields.byteCount {
            // Apache writes - for nothing.
            guard let count = ByteSearch.isEqual(line, at: size, to: "-") ? 0 : Self.number(in: line, at: size) else {
                throw wrong("'\(request.string(size).prefix(40))' is no number of bytes")
            }
            request.byteCount = count
        }
        if let place = Self.place(fields, in: line) { request.take(place) }
        request.setClient(address: fields.address, agent: fields.agent)
        request.setID(fields.requestID)
        return request
    }

    /// The object that the request is about; `nil` for a line that is not one of HTTP's.
    private static func place(_ fields: AccessLogFields, in line: UnsafeBufferPointer<UInt8>) -> ObjectAddress? {
        var (method, target) = (fields.method, fields.target)
        if let request = fields.request {
            guard let first = word(in: line, at: request),
                let second = word(in: line, at: first.upperBound..<request.upperBound)
            else { return nil }
            (method, target) = (first, second)
        }
        guard let target else { return nil }
        guard let host = fields.host, !ByteSearch.isEqual(line, at: host, to: "-"),
            ByteSearch.starts(line, at: target, with: "/")
        else { return ObjectAddress(method: method, address: target, in: line) }
        return ObjectAddress(method: method, host: host, target: target, in: line)
    }

    /// The next bytes without a space; `nil` where there are none.
    private static func word(in line: UnsafeBufferPointer<UInt8>, at range: Range<Int>) -> Range<Int>? {
        guard let start = range.first(where: { line[$0] != UInt8(ascii: " ") }) else { return nil }
        return start..<(ByteSearch.first(UInt8(ascii: " "), in: line, at: start..<range.upperBound) ?? range.upperBound)
    }

    private static func number(in line: UnsafeBufferPointer<UInt8>, at field: Range<Int>) -> Int64? {
        DigitWord.number(in: UnsafeRawBufferPointer(line), at: field)
            // With a sign, or of more digits.
            ?? Int64(String(decoding: line[field], as: UTF8.self))
    }

    private func wrong(_ problem: String) -> LogImportError {
        LogImportError(path: path, line: lineNumber, problem: problem)
    }
}

extension AccessLogTime {
    fileprivate var example: String {
        switch self {
        case .local: "10/Oct/2000:13:55:36 -0700"
        case .iso8601: "2000-10-10T13:55:36-07:00"
        case .seconds: "971211336.000"
        case .milliseconds: "971211336000"
        case .microseconds: "971211336000000"
        }
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Access logs of nginx, Apache, and whoever writes like them.
///
/// Lines that are no requests of HTTP (`"\x16\x03…" 400`) count as others.
struct AccessLog {
    private let path: String
    private let format: AccessLogFormat
    private var lineNumber = 0
    private var fields: AccessLogLine
    private var text = RequestText()
    private var clock = AccessLogClock()

    init(_ path: String, _ format: AccessLogFormat) {
        self.path = path
        self.format = format
        fields = AccessLogLine(format)
    }

    mutating func read(_ block: UnsafeBufferPointer<UInt8>, into sink: inout some RequestSink) throws {
        var start = 0
        while start < block.count {
            let lineBreak = block[start...].firstIndex(of: 0x0A) ?? block.count
            lineNumber += 1
            let end = lineBreak > start && block[lineBreak - 1] == 0x0D ? lineBreak - 1 : lineBreak
            if end > start { try take(UnsafeBufferPointer(rebasing: block[start..<end]), into: &sink) }
            start = lineBreak + 1
        }
    }

    private mutating func take(_ line: UnsafeBufferPointer<UInt8>, into sink: inout some RequestSink) throws {
        guard fields.match(line) else { throw wrong("expected a line of the format \(format.name)") }
        let when = fields.time
        guard let time = clock.microseconds(of: when.text, when.form) else {
            throw wrong("'\(when.text.prefix(40))' is no time such as \(when.form.example)")
        }
        let status = fields.text(.status)
        let size = fields.text(.byteCount)
        // Apache writes - for nothing.
        guard let byteCount = size == nil || size == "-" ? 0 : size.flatMap({ Int64($0) }) else {
            throw wrong("'\((size ?? "").prefix(40))' is no number of bytes")
        }
        let place = place
        text.removeAll()
        let ranges = (text.append(place?.bucket ?? ""), text.append(place?.object ?? ""))
        let client = (text.append(fields.text(.address) ?? ""), text.append(fields.text(.agent) ?? ""))
        let id = text.append(fields.text(.requestID) ?? "")
        try text.withRequest { logged in
            logged.time = time
            logged.operation = place?.operation ?? .other
            logged.status = status.flatMap { Int($0) } ?? 0
            logged.byteCount = size == nil ? nil : byteCount
            (logged.bucket, logged.object) = ranges
            (logged.address, logged.agent) = client
            logged.requestID = id
            try sink.take(logged)
        }
    }

    /// What the request is about; `nil` for what is none of HTTP's.
    private var place: ObjectAddress? {
        var (method, target) = (fields.text(.method) ?? "GET", fields.text(.target))
        if let request = fields.text(.request) {
            let parts = request.split(separator: " ")
            guard parts.count >= 2 else { return nil }
            (method, target) = (String(parts[0]), String(parts[1]))
        }
        guard let target else { return nil }
        guard let host = fields.text(.host), host != "-", target.hasPrefix("/") else {
            return ObjectAddress(method: method, address: target)
        }
        return ObjectAddress(method: method, address: "https://\(host)\(target)")
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

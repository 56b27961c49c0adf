// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Access logs of nginx and Apache in the format `combined`; what comes behind it is passed over.
///
/// Bytes are those of bodies. Lines that are no requests of HTTP (`"\x16\x03…" 400`) count as others.
struct CombinedLog {
    private let path: String
    private var lineNumber = 0
    private var text = RequestText()
    private var clock = ZonedClock()

    init(_ path: String) { self.path = path }

    mutating func read(_ block: UnsafeBufferPointer<UInt8>, into sink: inout some RequestSink) throws {
        var start = 0
        while start < block.count {
            let end = block[start...].firstIndex(of: 0x0A) ?? block.count
            lineNumber += 1
            if end > start, !(end == start + 1 && block[start] == 0x0D) {
                try take(String(decoding: block[start..<end], as: UTF8.self), into: &sink)
            }
            start = end + 1
        }
    }

    private mutating func take(_ line: String, into sink: inout some RequestSink) throws {
        var scanner = FieldScanner(line)
        guard let address = scanner.word(), scanner.word() != nil, scanner.word() != nil,
            let when = scanner.bracketed(),
            let request = scanner.quoted(), let status = scanner.word(), let size = scanner.word()
        else { throw wrong("expected a line of the format combined") }
        guard let time = clock.microseconds(of: when) else {
            throw wrong("'\(when.prefix(40))' is no time such as 10/Oct/2000:13:55:36 -0700")
        }
        _ = scanner.quoted()
        let agent = scanner.quoted() ?? ""
        let parts = request.split(separator: " ")
        let place = parts.count >= 2 ? ObjectAddress(method: String(parts[0]), address: String(parts[1])) : nil
        text.removeAll()
        let ranges = (text.append(place?.bucket ?? ""), text.append(place?.object ?? ""))
        let client = (text.append(address), text.append(agent))
        try text.withRequest { logged in
            logged.time = time
            logged.operation = place?.operation ?? .other
            logged.status = Int(status) ?? 0
            // Apache writes - for nothing.
            logged.byteCount = size == "-" ? 0 : Int64(size)
            (logged.bucket, logged.object) = ranges
            (logged.address, logged.agent) = client
            try sink.take(logged)
        }
    }

    private func wrong(_ problem: String) -> LogImportError {
        LogImportError(path: path, line: lineNumber, problem: problem)
    }
}

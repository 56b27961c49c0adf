// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Usage logs of Cloud Storage: comma-separated values, all of them quoted, with a line of headings.
///
/// Fields as of `cloud_storage_usage_schema_v0.json`. Of a request, its size is known; the caller is known by address and program.
struct UsageCSV {
    /// The columns that are read.
    private enum Column: Int, CaseIterable {
        case time, address, uri, status, byteCount, agent, requestID, operation, bucket, object
    }

    /// The last microsecond of the year 9999.
    private static let timeMax: Int64 = 253_402_300_799_999_999

    /// The columns' headings, in the same order.
    private static let headings = [
        "time_micros", "c_ip", "cs_uri", "sc_status", "sc_bytes", "cs_user_agent", "s_request_id", "cs_operation",
        "cs_bucket", "cs_object",
    ]

    // Computed: stored ones would be asked for by way of a lock, some hundred million times.
    private static var quote: UInt8 { 0x22 }
    private static var comma: UInt8 { 0x2C }
    private static var lineBreak: UInt8 { 0x0A }
    private static var carriageReturn: UInt8 { 0x0D }

    private let path: String
    /// Which of the columns that are read each field of a line is; -1 for none.
    private var columns: [Int] = []
    private var fields = [Range<Int>](repeating: 0..<0, count: Column.allCases.count)
    private var lineNumber = 0
    private var operation = CachedOperation()

    /// Operations follow each other: of most rows, the last one's name is the same.
    private struct CachedOperation {
        var hash: UInt64?
        var media = LoggedOperation.other
        var metadata = LoggedOperation.other
    }

    private let skipsUnreadableLines: Bool

    init(_ path: String, skipsUnreadableLines: Bool = false) {
        (self.path, self.skipsUnreadableLines) = (path, skipsUnreadableLines)
    }

    /// Takes the lines of a block to a sink.
    mutating func read(_ block: UnsafeBufferPointer<UInt8>, into sink: inout some RequestSink) throws {
        var offset = 0
        while offset < block.count {
            if block[offset] == Self.carriageReturn {
                offset += 1
                continue
            }
            lineNumber += 1
            if block[offset] == Self.lineBreak {
                offset += 1
                continue
            }
            if columns.isEmpty {
                offset = try readHeading(block, from: offset)
                continue
            }
            let start = offset
            let read: LoggedRequest?
            do {
                offset = try readFields(block, from: start)
                // Several files in one have several headings, each for the rows that follow.
                let isHeading = fields[0].count == 11 && block[fields[0].lowerBound] == UInt8(ascii: "t")
                if isHeading { offset = try readHeading(block, from: start) }
                read = isHeading ? nil : try request(block, from: start)
            } catch  where skipsUnreadableLines {
                // A quote that is not closed may have taken the next lines with it.
                let end = block[start...].firstIndex(of: Self.lineBreak) ?? block.count
                sink.takeUnreadable(UnreadableLine(UnsafeBufferPointer(rebasing: block[start..<end])))
                offset = end + 1
                continue
            }
            if let read { try sink.take(read) }
        }
    }

    private mutating func readHeading(_ block: UnsafeBufferPointer<UInt8>, from offset: Int) throws -> Int {
        let end = block[offset...].firstIndex(of: Self.lineBreak) ?? block.count
        let line = String(decoding: block[offset..<end], as: UTF8.self)
        let names = line.split(separator: ",").map { $0.filter { $0 != "\"" && $0 != "\r" && $0 != "\u{FEFF}" } }
        columns = names.map { Self.headings.firstIndex(of: $0) ?? -1 }
        guard columns.contains(Column.time.rawValue), columns.contains(Column.byteCount.rawValue) else {
            throw wrong("expected the headings of a usage log, such as \"time_micros\" and \"sc_bytes\"")
        }
        return end + 1
    }

    /// Finds the fields of a line; returns where the next line begins.
    private mutating func readFields(_ block: UnsafeBufferPointer<UInt8>, from start: Int) throws -> Int {
        let bytes = UnsafeRawBufferPointer(block)
        var offset = start
        let count = columns.withUnsafeBufferPointer { columns in
            fields.withUnsafeMutableBufferPointer { fields in
                Self.find(fields, columns: columns, in: bytes, from: &offset)
            }
        }
        guard let count else { throw wrong("a quote is not closed") }
        if offset < block.count, block[offset] == Self.carriageReturn { offset += 1 }
        guard count == columns.count, offset >= block.count || block[offset] == Self.lineBreak else {
            throw wrong("expected \(columns.count) fields")
        }
        return offset + 1
    }

    /// Goes over the fields of a line and counts them; `nil` when the last one's quote is not closed.
    private static func find(
        _ fields: UnsafeMutableBufferPointer<Range<Int>>,
        columns: UnsafeBufferPointer<Int>,
        in bytes: UnsafeRawBufferPointer,
        from place: inout Int
    ) -> Int? {
        var offset = place
        defer { place = offset }
        for (number, column) in columns.enumerated() {
            var (start, end) = (offset, offset)
            if offset < bytes.count, bytes[offset] == quote {
                start += 1
                end = quote(in: bytes, from: start)
                // Two quotes are one of the text.
                while end + 1 < bytes.count, bytes[end + 1] == quote { end = quote(in: bytes, from: end + 2) }
                guard end < bytes.count else { return nil }
                offset = end + 1
            } else {
                while end < bytes.count, bytes[end] != comma, bytes[end] != lineBreak, bytes[end] != carriageReturn {
                    end += 1
                }
                offset = end
            }
            if column >= 0 { fields[column] = start..<end }
            guard number + 1 < columns.count else { break }
            guard offset < bytes.count, bytes[offset] == comma else { return number + 1 }
            offset += 1
        }
        return columns.count
    }

    /// The next quote, or the end: eight bytes at a time, of which those that are quotes become zero (Hacker's Delight, 6-1).
    @inline(__always)
    private static func quote(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var offset = start
        while offset + 8 <= bytes.count {
            let word =
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                ^ 0x2222_2222_2222_2222
            let zeros = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
            if zeros != 0 { return offset + zeros.trailingZeroBitCount / 8 }
            offset += 8
        }
        while offset < bytes.count, bytes[offset] != quote { offset += 1 }
        return offset
    }

    private mutating func request(_ block: UnsafeBufferPointer<UInt8>, from start: Int) throws -> LoggedRequest {
        var request = LoggedRequest(of: block)
        guard let time = number(block, column: .time), time <= Self.timeMax else {
            throw wrong("'time_micros' is no number of microseconds since 1970")
        }
        request.time = time
        request.status = Int(number(block, column: .status) ?? 0)
        request.byteCount = number(block, column: .byteCount)
        request.setClient(address: fields[Column.address.rawValue], agent: fields[Column.agent.rawValue])
        request.bucket = fields[Column.bucket.rawValue]
        request.object = fields[Column.object.rawValue]
        request.setID(fields[Column.requestID.rawValue])
        request.operation = operation(block)
        return request
    }

    private mutating func operation(_ block: UnsafeBufferPointer<UInt8>) -> LoggedOperation {
        let name = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: block[fields[Column.operation.rawValue]]))
        let hash = ByteHash.hash(name)
        if operation.hash != hash {
            operation.hash = hash
            operation.media = LoggedOperation(usageLog: name, isMedia: true)
            operation.metadata = LoggedOperation(usageLog: name, isMedia: false)
        }
        guard operation.media != operation.metadata else { return operation.media }
        let isMedia = block[fields[Column.uri.rawValue]].contains(Array("alt=media".utf8))
        return isMedia ? operation.media : operation.metadata
    }

    /// A whole number; `nil` for an empty field, and for anything else.
    private func number(_ block: UnsafeBufferPointer<UInt8>, column: Column) -> Int64? {
        DigitWord.number(in: UnsafeRawBufferPointer(block), at: fields[column.rawValue])
    }

    private func wrong(_ problem: String) -> LogImportError {
        LogImportError(path: path, line: lineNumber, problem: problem)
    }
}

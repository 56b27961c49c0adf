// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
package import SessionLog

/// Writes the requests of logs as a table in CSV (RFC 4180), for people who have a database of their own.
///
/// The columns are those of ``columns``; their sums are the totals.
package struct RequestTable: RequestSink {
    /// A column, as BigQuery's schemas name its type.
    package struct Column: Sendable, Codable {
        /// The heading.
        package let name: String
        /// `INTEGER`, `STRING`, `BOOLEAN`.
        package let type: String
        /// `REQUIRED`, or `NULLABLE` where the field may be empty.
        package let mode: String
    }

    /// The columns, in their order.
    package static let columns = [
        ("time_micros", "INTEGER", "REQUIRED"), ("service", "STRING", "REQUIRED"), ("operation", "STRING", "REQUIRED"),
        ("status", "INTEGER", "NULLABLE"), ("requests", "INTEGER", "REQUIRED"), ("bytes", "INTEGER", "NULLABLE"),
        ("is_cached", "BOOLEAN", "REQUIRED"), ("bucket", "STRING", "NULLABLE"), ("object", "STRING", "NULLABLE"),
        ("caller", "STRING", "NULLABLE"), ("egress_bytes", "INTEGER", "REQUIRED"), ("class_a", "INTEGER", "REQUIRED"),
        ("class_b", "INTEGER", "REQUIRED"), ("document_reads", "INTEGER", "REQUIRED"),
        ("document_writes", "INTEGER", "REQUIRED"), ("document_deletes", "INTEGER", "REQUIRED"),
    ].map { Column(name: $0, type: $1, mode: $2) }

    private static let blockByteCount = 256 << 10
    /// Further callers are one, so that memory does not grow with a log.
    private static let callerCountMax = 1_000_000

    /// The rows that were written.
    package private(set) var rowCount: Int64 = 0
    /// The requests that are in no row: named twice, or to servers that have nothing to do with Firebase.
    package private(set) var passedOver = LoggedDownloads.PassedOver()
    private let write: ([UInt8]) throws -> Void
    private var block: [UInt8] = []
    /// The numbers of callers, in place of their addresses, which are not shown.
    private var callers: [UInt64: Int] = [:]

    /// Creates a table, whose bytes are handed to `write`.
    package init(_ write: @escaping ([UInt8]) throws -> Void) {
        self.write = write
        block += Self.columns.map(\.name).joined(separator: ",").utf8
        block.append(0x0A)
    }

    package static var isSlow: Bool { true }

    package mutating func take(_ request: borrowing LoggedRequest) throws {
        guard request.server != .otherHost else {
            passedOver.otherHostCount += 1
            return
        }
        let isFirestore = request.operation == .documents
        field("\(request.time)", isFirst: true)
        field(isFirestore ? "firestore" : "storage")
        field(request.operation.rawValue)
        field(request.status == 0 ? "" : "\(request.status)")
        field("1")
        field(request.byteCount.map { "\($0)" } ?? "")
        field(request.isFromCache ? "true" : "false")
        field(request.bucketName)
        field(request.objectName)
        field(caller(request.clientHash))
        bill(
            request.isFromCache
                ? .zero : request.operation.billed(status: request.status, byteCount: request.byteCount ?? 0)
        )
        try endRow()
    }

    package mutating func takeDuplicate() { passedOver.duplicateCount += 1 }

    package mutating func takeUnreadable(_ line: UnreadableLine) { passedOver.unreadable.add(line) }

    /// Takes in a line of a session log: requests, and what is taken back of them in rows whose sums are negative.
    package mutating func take(_ entry: SessionEntry) throws {
        switch entry {
        case .request(let request), .part(let request): try take(request.record)
        case .retraction(let request): try take(request.record.reversed)
        case .header, .view, .image, .downloads, .recording, .document, .object, .unknown: break
        }
    }

    private mutating func take(_ record: UsageRecord) throws {
        let attribution = record.attribution
        field("\(record.startMicroseconds)", isFirst: true)
        field(attribution.service.rawValue)
        field(attribution.operation)
        field("\(record.status)")
        field("\(record.requestCount)")
        field("\(record.sent.body)")
        field("false")
        field(attribution.bucket ?? "")
        field(attribution.object ?? "")
        field(attribution.user ?? attribution.client ?? "")
        bill(record.billed)
        try endRow()
    }

    /// Writes what waits.
    package mutating func finish() throws {
        try write(block)
        block.removeAll(keepingCapacity: true)
    }

    private mutating func bill(_ billed: BilledUsage) {
        for count in [
            billed.egressBytes, billed.classA, billed.classB, billed.documentReads, billed.documentWrites,
            billed.documentDeletes,
        ] { field("\(count)") }
    }

    private mutating func caller(_ hash: UInt64) -> String {
        if let number = callers[hash] { return "c\(number)" }
        guard callers.count < Self.callerCountMax else { return LogGrouping.rest }
        callers[hash] = callers.count + 1
        return "c\(callers.count)"
    }

    /// Appends a field, in quotes where it has a character that would end it.
    private mutating func field(_ text: String, isFirst: Bool = false) {
        if !isFirst { block.append(UInt8(ascii: ",")) }
        guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else {
            block += text.utf8
            return
        }
        block.append(0x22)
        for byte in text.utf8 {
            if byte == 0x22 { block.append(byte) }
            block.append(byte)
        }
        block.append(0x22)
    }

    private mutating func endRow() throws {
        block.append(0x0A)
        rowCount += 1
        if block.count >= Self.blockByteCount { try finish() }
    }
}

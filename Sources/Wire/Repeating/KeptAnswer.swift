// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Metering
import NIOCore

/// An answer that a server gave, as it left for the socket.
final class KeptAnswer: Sendable {
    /// What an entry of the memory takes beside its bytes, roughly: objects, tables and the texts of the record.
    private static let overheadByteCount = 2_048

    /// The head of the request.
    let head: ByteBuffer
    /// The record of every request that gets the whole answer, but for its times.
    let record: UsageRecord
    private let billing: BillingRule
    private let message: ByteBuffer
    /// Where the date of the answer stands in it.
    private let dateOffsets: [Int]
    private let isCurrent: @Sendable () -> Bool

    /// Takes over what was recorded; `nil` where it cannot be dated anew.
    ///
    /// - Parameters:
    ///   - head: The head of the request.
    ///   - exchange: The exchange, which is over.
    ///   - status: The status of the answer.
    ///   - message: The answer, with its body from `headerByteCount` on.
    ///   - headerByteCount: The bytes of the answer's head.
    ///   - isCurrent: Whether the answer is still true.
    init?(
        head: ByteBuffer,
        exchange: Exchange,
        status: Int,
        message: ByteBuffer,
        headerByteCount: Int,
        isCurrent: @escaping @Sendable () -> Bool
    ) {
        let fields = message.getSlice(at: message.readerIndex, length: headerByteCount) ?? ByteBuffer()
        guard let dateOffsets = DateFields.offsets(of: exchange.date, in: fields) else { return nil }
        // A copy of its own: the bytes it came with may be a small part of a large buffer.
        self.head = ByteBuffer(bytes: head.readableBytesView)
        self.message = message.slice()
        self.dateOffsets = dateOffsets
        self.isCurrent = isCurrent
        let filing = exchange.settled()
        billing = filing.billing
        let sent = TransferredBytes(header: headerByteCount, body: message.readableBytes - headerByteCount)
        record = UsageRecord(
            startMicroseconds: 0,
            durationMicroseconds: 0,
            method: HTTPRequest.Method.get.rawValue,
            status: status,
            outcome: .complete,
            attribution: filing.attribution,
            received: TransferredBytes(header: head.readableBytes, body: 0),
            sent: sent,
            billed: filing.billing.billed(status: status, sentBodyBytes: sent.body)
        )
    }

    /// The bytes of the answer.
    var byteCount: Int { message.readableBytes }

    /// The bytes that the memory holds for it: the head, and the answer as it was given and as it is dated now, which
    /// may lie in a file too.
    var heldByteCount: Int {
        let file = byteCount >= MemoryFile.byteCountMin ? byteCount : 0
        return head.storageCapacity + 2 * message.storageCapacity + file + Self.overheadByteCount
    }

    /// Makes a record one of an answer that broke off.
    func cut(_ record: inout UsageRecord, toSentByteCount count: Int64) {
        let header = min(count, record.sent.header)
        let body = min(count - header, record.sent.body)
        record.sent = TransferredBytes(header: header, body: body, wire: header + body)
        record.billed = billing.billed(status: record.status, sentBodyBytes: body)
        record.outcome = .aborted
    }

    /// Whether this is the answer to a request of this head, still.
    func answers(_ head: ByteBuffer) -> Bool {
        self.head == head && isCurrent()
    }

    /// The answer as it is given in a second since the Unix epoch.
    func bytes(atSecond second: Int64) -> ByteBuffer {
        var bytes = message
        let date = HTTPDate.text(secondsSinceEpoch: second)
        for offset in dateOffsets { bytes.setString(date, at: bytes.readerIndex + offset) }
        return bytes
    }
}

/// The fields of an answer's head that tell when it was given.
private enum DateFields {
    private static let names: Set<String> = ["date", "expires"]

    /// Returns where the values of the fields `Date` and `Expires` begin that are `date`; `nil` without a `Date`.
    static func offsets(of date: String, in head: ByteBuffer) -> [Int]? {
        var offsets: [Int] = []
        var lineStart = 0
        for line in head.readableBytesView.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            defer { lineStart += line.count + 1 }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let value = line[colon...].dropFirst().drop { $0 == UInt8(ascii: " ") }
            guard names.contains(name), value.starts(with: date.utf8) else { continue }
            offsets.append(lineStart + line.distance(from: line.startIndex, to: value.startIndex))
        }
        return offsets.isEmpty ? nil : offsets
    }
}

extension TransferredBytes {
    /// What HTTP/1.1 moves: a head, and a body behind it.
    fileprivate init(header: Int, body: Int) {
        self.init(header: Int64(header), body: Int64(body), wire: Int64(header + body))
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Metering
import NIOCore

/// An answer that a server gave, but for its bytes: what it answers, and its record.
final class KeptAnswer: Sendable {
    /// The overhead of an entry in memory, roughly: objects, tables and the texts of the record.
    private static let overheadByteCount = 2_048

    /// The head of the request.
    let head: ByteBuffer
    /// The record of every request that gets the whole answer, but for its times.
    let record: UsageRecord
    /// The bytes of the request, all of them head.
    let receivedByteCount: Int64
    /// The bytes of the answer.
    let byteCount: Int64
    private let isCurrent: @Sendable () -> Bool

    /// Takes over what was recorded.
    ///
    /// - Parameters:
    ///   - head: The head of the request.
    ///   - exchange: The exchange, which is over.
    ///   - status: The status of the answer.
    ///   - sent: The bytes of the answer.
    ///   - isCurrent: Whether the answer is still true.
    init(
        head: ByteBuffer,
        exchange: Exchange,
        status: Int,
        sent: TransferredBytes,
        isCurrent: @escaping @Sendable () -> Bool
    ) {
        // A copy of its own: the bytes it came with may be a small part of a large buffer.
        self.head = ByteBuffer(bytes: head.readableBytesView)
        self.isCurrent = isCurrent
        receivedByteCount = Int64(head.readableBytes)
        byteCount = sent.wire
        let filing = exchange.settled()
        record = UsageRecord(
            startMicroseconds: 0,
            durationMicroseconds: 0,
            method: HTTPRequest.Method.get.rawValue,
            status: status,
            outcome: .complete,
            attribution: filing.attribution,
            received: TransferredBytes(header: head.readableBytes, body: 0),
            sent: sent,
            billed: filing.billing.billed(status: status, sentBodyBytes: sent.body),
            notes: filing.notes
        )
    }

    /// The record of a request that got the whole answer.
    func record(at times: UsageRun.Times) -> UsageRecord { record.at(times) }

    /// Its memory without the bytes of the answer, in bytes.
    var heldByteCount: Int { head.storageCapacity + Self.overheadByteCount }

    /// Whether this is the answer to a request of this head, still.
    func answers(_ head: ByteBuffer) -> Bool {
        self.head == head && isCurrent()
    }
}

extension TransferredBytes {
    /// A message of HTTP/1.1: a head, and a body behind it.
    init(header: Int, body: Int) {
        self.init(header: Int64(header), body: Int64(body), wire: Int64(header + body))
    }
}

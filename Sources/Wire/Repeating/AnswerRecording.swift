// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Metering
import NIOCore

/// An answer on its way to the socket that may be given again.
struct AnswerRecording {
    private static let statuses: Set<HTTPResponse.Status> = [.ok, .partialContent, .notModified]

    private let head: ByteBuffer
    private let exchange: Exchange
    private let status: Int
    private let isCurrent: @Sendable () -> Bool
    private var message = ByteBuffer()
    private var headerByteCount = 0

    /// Begins with the answer's head; `nil` unless the server lets the answer be repeated, and its length is known.
    init?(of response: HTTPResponse, to head: ByteBuffer, in exchange: Exchange) {
        guard let isCurrent = exchange.repetition, Self.statuses.contains(response.status),
            response.headerFields[.contentLength] != nil || response.status == .notModified
        else { return nil }
        self.head = head
        self.exchange = exchange
        status = response.status.code
        self.isCurrent = isCurrent
    }

    /// Takes bytes; `false` when they are too many to be kept.
    mutating func append(_ data: IOData) -> Bool {
        guard case .byteBuffer(var bytes) = data,
            message.readableBytes + bytes.readableBytes <= AnswerMemory.answerByteCountMax
        else { return false }
        message.writeBuffer(&bytes)
        return true
    }

    /// The bytes that follow are the body.
    mutating func headEnded() {
        headerByteCount = message.readableBytes
    }

    /// The answer, whose last byte has passed, and its bytes; `nil` where it cannot be given again.
    var answer: (KeptAnswer, DatedBytes)? {
        guard let bytes = DatedBytes(message, headerByteCount: headerByteCount, date: exchange.date) else { return nil }
        let sent = TransferredBytes(header: headerByteCount, body: message.readableBytes - headerByteCount)
        let answer = KeptAnswer(head: head, exchange: exchange, status: status, sent: sent, isCurrent: isCurrent)
        return (answer, bytes)
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Metering

/// The cost of a request and its answer, without their contents.
struct ExchangeCost: Sendable, Hashable {
    /// Bytes of heads: of a request's besides its target, as URLSession sends it on Linux, and of a response's besides the
    /// fields of the servers.
    ///
    /// Measured 2026-11-22. Heads differ between clients: these bytes are an estimate.
    private static let requestHeadByteCount = 163
    private static let responseHeadByteCount = 68

    /// The status of the answer.
    let status: Int
    /// The bytes of the answer's body.
    let byteCount: Int
    /// The bytes of the answer with its head.
    let answerByteCount: Int
    /// The usage of one request.
    let usage: UsageTotals
    let service: UsageAttribution.Service
    /// Whether it is asked only if the server has another image than the known one.
    let isConditional: Bool

    init(_ exchange: FeedCatalog.Exchange) {
        let request = exchange.request
        (status, byteCount) = (exchange.status, exchange.byteCount)
        answerByteCount = Self.responseHeadByteCount + exchange.headers.byteCount + byteCount
        let head = Self.requestHeadByteCount + exchange.line.utf8.count + HeaderFields(request.headers).byteCount
        usage = UsageTotals(
            requests: 1,
            received: Self.bytes(head: head, body: request.body?.count ?? 0),
            sent: Self.bytes(head: answerByteCount - byteCount, body: byteCount),
            billed: exchange.billed
        )
        service = request.url.host == SimulatedEndpoint.firestore.host ? .firestore : .storage
        isConditional = request.headers["If-None-Match"] != nil
    }

    private static func bytes(head: Int, body: Int) -> TransferredBytes {
        TransferredBytes(header: Int64(head), body: Int64(body), wire: Int64(head + body))
    }
}

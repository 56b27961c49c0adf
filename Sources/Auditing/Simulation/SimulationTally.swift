// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Metering

/// Adds up what the steps of a simulation led to.
struct SimulationTally: Sendable {
    /// Bytes of heads: of a request's besides its target, as URLSession sends it on Linux, and of a response's besides the
    /// fields of the servers.
    ///
    /// Measured 2026-11-22. Heads differ between clients: these bytes are an estimate.
    private static let requestHeadByteCount = 163
    private static let responseHeadByteCount = 68

    private(set) var usage = UsageTotals.zero
    private(set) var billed = ServiceUsage()
    private(set) var counts = ClientCounts()
    /// The requests that a live client makes, too.
    private(set) var tape: [[TapedRequest]] = []

    /// Begins with usage that is the same whatever the strategy.
    init(other: [UsageAttribution.Service: UsageTotals] = [:]) {
        for (service, totals) in other {
            usage.add(totals)
            billed.add(totals.billed, to: service)
        }
    }

    mutating func add(_ step: SimulatedClient.Step) {
        tape.append([])
        for answer in [step.query, step.changes].compactMap(\.self) { add(answer) }
        for lookup in step.lookups { add(lookup.exchange) }
        for delivery in step.shown + step.prefetched { add(delivery) }
    }

    /// The bytes of a response's head.
    static func responseHeadByteCount(of exchange: FeedCatalog.Exchange) -> Int {
        responseHeadByteCount + exchange.headers.byteCount
    }

    private mutating func add(_ delivery: SimulatedPipeline.Delivery) {
        if let exchange = delivery.exchange { add(exchange) }
        switch delivery.source {
        case .memory, .disk, .revalidation:
            counts.cacheHits += 1
            counts.cacheHitBytes += Int64(delivery.byteCount)
        case .network:
            counts.cacheMisses += 1
            counts.cacheMissBytes += Int64(delivery.byteCount)
        case .joined, .failed: break
        }
    }

    private mutating func add(_ exchange: FeedCatalog.Exchange) {
        var taped = TapedRequest(exchange.request)
        taped.status = exchange.status
        taped.byteCount = exchange.byteCount
        if !exchange.isRecorded { tape[tape.count - 1].append(taped) }
        let received = Self.bytes(
            head: Self.requestHeadByteCount + taped.line.utf8.count
                + HeaderFields(exchange.request.headers).byteCount,
            body: exchange.request.body?.count ?? 0
        )
        let sent = Self.bytes(head: Self.responseHeadByteCount(of: exchange), body: exchange.byteCount)
        usage.add(UsageTotals(requests: 1, received: received, sent: sent, billed: exchange.billed))
        let isFirestore = exchange.request.url.host == SimulatedEndpoint.firestore.host
        billed.add(exchange.billed, to: isFirestore ? .firestore : .storage)
        counts.requests += 1
        counts.bodyBytes += Int64(exchange.byteCount)
    }

    private static func bytes(head: Int, body: Int) -> TransferredBytes {
        TransferredBytes(header: Int64(head), body: Int64(body), wire: Int64(head + body))
    }
}

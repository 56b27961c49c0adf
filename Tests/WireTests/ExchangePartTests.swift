// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import NIOConcurrencyHelpers
import Testing

@testable import Wire

struct ExchangePartTests {
    /// Notes the parts that an exchange files.
    private final class Parts: ExchangePartFiling {
        let filed = NIOLockedValueBox<[(streamID: Int32, reads: Int64, collection: String?)]>([])

        func file(_ part: Exchange.Filing, of streamID: Int32) {
            let billed = part.billing.billed(status: 200, sentBodyBytes: 0)
            filed.withLockedValue { $0.append((streamID, billed.documentReads, part.attribution.collection)) }
        }

        var reads: [Int64] { filed.withLockedValue { $0.map(\.reads) } }
    }

    private let parts = Parts()
    private let attribution = UsageAttribution(service: .firestore, operation: "firestore.listen")

    private func makeExchange() -> Exchange {
        Exchange(attribution: attribution, streamID: 7, parts: parts)
    }

    @Test func `files what was billed since the last part`() {
        let exchange = makeExchange()
        exchange.bill(BilledUsage(documentReads: 2))
        exchange.bill(BilledUsage(documentReads: 3))
        exchange.flush()
        exchange.flush(billed: BilledUsage(documentReads: 4))
        exchange.flush()
        #expect(parts.reads == [5, 4, 0])
        #expect(parts.filed.withLockedValue { $0.map(\.streamID) } == [7, 7, 7])
        #expect(exchange.settled().billing == .firestore(.zero))
    }

    @Test func `files each bill under its own attribution`() {
        let exchange = makeExchange()
        for (collection, reads) in [("cities", 2), ("cafes", 3)] {
            var attribution = attribution
            attribution.collection = collection
            exchange.flush(billed: BilledUsage(documentReads: Int64(reads)), about: attribution)
        }
        exchange.flush(billed: BilledUsage(documentReads: 4))
        #expect(parts.reads == [2, 3, 4])
        #expect(parts.filed.withLockedValue { $0.map(\.collection) } == ["cities", "cafes", "cafes"])
    }

    @Test func `keeps the bill for the end where there are no parts`() {
        let exchange = Exchange(attribution: attribution)
        exchange.flush(billed: BilledUsage(documentReads: 4))
        #expect(exchange.settled().billing == .firestore(BilledUsage(documentReads: 4)))
    }

    @Test func `files a bill that comes after the last record by itself`() {
        let exchange = makeExchange()
        _ = exchange.settled()
        exchange.attribute(to: attribution, billing: .firestore(BilledUsage(documentReads: 1)))
        exchange.bill(BilledUsage(documentReads: 2))
        #expect(parts.reads == [1, 2])
    }

    @Test func `files late what was not in the last record, and no more`() {
        let exchange = makeExchange()
        exchange.attribute(to: attribution, billing: .firestore(BilledUsage(documentReads: 8)))
        #expect(exchange.settled().billing == .firestore(BilledUsage(documentReads: 8)))
        exchange.bill(BilledUsage(documentReads: 2))
        #expect(parts.reads == [2])
    }
}

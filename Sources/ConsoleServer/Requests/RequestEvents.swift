// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Wire

/// Requests as they end, as server-sent events (the HTML standard, section 9.2).
struct RequestEvents: AsyncSequence, AsyncIteratorProtocol {
    /// How often the log is looked at.
    static let interval = Duration.milliseconds(250)
    /// The most requests of an event: six thousand a second.
    static let requestCountMax = 1_500

    private let log: RequestLog
    private let prices: UnitPrices
    private let clock: any Clock<Duration>
    private var last: Int64
    private var isFirst = true

    /// - Parameters:
    ///   - log: The last requests.
    ///   - number: The number of the last request that is known.
    ///   - prices: What they cost.
    ///   - clock: Gives the time between looks.
    init(of log: RequestLog, after number: Int64, pricedBy prices: UnitPrices, clock: any Clock<Duration>) {
        (self.log, self.prices, self.clock, last) = (log, prices, clock, number)
    }

    func makeAsyncIterator() -> Self { self }

    /// Returns the next event: at first what there is, then what is new, or a comment that shows that both sides are there.
    mutating func next() async -> ByteBuffer? {
        do {
            if isFirst {
                isFirst = false
                return event(try await page())
            }
            for _ in 0..<UsageEvents.quietLookCountMax {
                try await clock.sleep(for: Self.interval)
                let page = try await page()
                if !page.rows.isEmpty || page.droppedCount > 0 { return event(page) }
            }
            return ByteBuffer(string: ": nothing new\n\n")
        } catch {
            return nil
        }
    }

    private mutating func page() async throws -> RequestLog.Page {
        try await WireServer.settleExchanges()
        let page = log.page(after: last, limit: Self.requestCountMax, .newest)
        last = page.next
        return page
    }

    private func event(_ page: RequestLog.Page) -> ByteBuffer {
        let json = page.json(pricedBy: prices)
        var event = ByteBuffer()
        event.reserveCapacity(json.count + 32)
        event.writeString("event: requests\ndata: ")
        event.writeBytes(json)
        event.writeString("\n\n")
        return event
    }
}

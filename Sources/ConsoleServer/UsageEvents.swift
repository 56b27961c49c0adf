// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import MeterLedger
import NIOCore
import ServiceLifecycle
import Wire

/// The present usage, and every change of it, as server-sent events (the HTML standard, section 9.2).
struct UsageEvents: AsyncSequence, AsyncIteratorProtocol {
    /// How often the usage is looked at.
    static let interval = Duration.milliseconds(500)
    /// Without a change for this many looks a comment is sent, by which those who pass it on, and we, see that the other
    /// side is still there.
    static let quietLookCountMax = 30

    private let report: @Sendable () async throws -> UsageReport
    private let clock: any Clock<Duration>
    private var last: UsageReport?

    /// - Parameters:
    ///   - clock: Gives the time between looks.
    ///   - report: Looks at the usage.
    init(clock: any Clock<Duration>, _ report: @escaping @Sendable () async throws -> UsageReport) {
        self.clock = clock
        self.report = report
    }

    func makeAsyncIterator() -> Self { self }

    /// Returns the next event; ends when the usage can no longer be reported.
    mutating func next() async -> ByteBuffer? {
        do {
            if last == nil { return try await changed() }
            for _ in 0..<Self.quietLookCountMax {
                try await clock.sleep(for: Self.interval)
                if let event = try await changed() { return event }
            }
            return ByteBuffer(string: ": nothing new\n\n")
        } catch {
            return nil
        }
    }

    private mutating func changed() async throws -> ByteBuffer? {
        let report = try await report()
        guard report != last else { return nil }
        last = report
        return ByteBuffer(string: "event: usage\ndata: \(report.json)\n\n")
    }
}

extension Response {
    /// An answer that continues until the client or the server ends.
    static func events<Events: AsyncSequence<ByteBuffer, Never> & Sendable>(_ events: Events) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                for await event in events.cancelOnGracefulShutdown() { try await writer.write(event) }
                try await writer.finish(nil)
            }
        )
    }
}

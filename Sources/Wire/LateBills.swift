// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import NIOCore

/// Records what is billed for exchanges of an HTTP/1.1 connection after their records: a store finishes what a client
/// that has gone had asked for.
final class LateBills: ExchangePartFiling {
    private let sink: any UsageRecording
    private let eventLoop: any EventLoop
    private let now: @Sendable () -> Int64

    init(_ sink: any UsageRecording, on eventLoop: any EventLoop, now: @escaping @Sendable () -> Int64) {
        self.sink = sink
        self.eventLoop = eventLoop
        self.now = now
    }

    func file(_ part: Exchange.Filing, of streamID: Int32) {
        let record = UsageRecord.late(part, at: now())
        guard record.billed != .zero else { return }
        eventLoop.execute { [sink] in sink.record(record) }
    }
}

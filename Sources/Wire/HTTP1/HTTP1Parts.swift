// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Brings the parts of long exchanges, and bills that come late, to the meter of their HTTP/1.1 connection.
final class HTTP1Parts: ExchangePartFiling {
    private let channel: any Channel
    private let meter: NIOLoopBound<ConnectionMeter>

    /// Called on the channel's event loop.
    init(_ meter: ConnectionMeter, of channel: any Channel) {
        self.channel = channel
        self.meter = NIOLoopBound(meter, eventLoop: channel.eventLoop)
    }

    func file(_ part: Exchange.Filing, of exchangeNumber: Int32) {
        channel.eventLoop.execute { [channel, meter] in
            let pending = try? channel.syncOptions?.getOption(.bufferedWritableBytes)
            meter.value.filePart(part, of: exchangeNumber, pendingByteCount: Int64(pending ?? 0))
        }
    }
}

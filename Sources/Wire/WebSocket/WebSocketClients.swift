// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import NIOCore

/// The connections of a port, of which there are few.
final class WebSocketClients: Sendable {
    /// Each may have texts waiting; the rest is closed at once.
    static let countMax = 16

    /// The event by which a connection learns that the server stops.
    struct Stop: Sendable {}

    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosed = false
    }

    private let state = NIOLockedValueBox(State())

    /// Whether there is room for a connection, which is then counted until it is closed.
    func admit(_ channel: any Channel) -> Bool {
        let key = ObjectIdentifier(channel)
        let isAdmitted = state.withLockedValue { state in
            guard !state.isClosed, state.channels.count < Self.countMax else { return false }
            state.channels[key] = channel
            return true
        }
        guard isAdmitted else { return false }
        channel.closeFuture.whenComplete { [self] _ in
            state.withLockedValue { _ = $0.channels.removeValue(forKey: key) }
        }
        return true
    }

    /// Closes all connections, and admits none.
    func close() async {
        let channels = state.withLockedValue { state in
            state.isClosed = true
            return Array(state.channels.values)
        }
        for channel in channels {
            channel.pipeline.fireUserInboundEventTriggered(Stop())
        }
        for channel in channels { try? await channel.closeFuture.get() }
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// Holds what was recorded of connections against what the kernel counted on their sockets, once they have ended.
///
/// Where the kernel cannot be asked, nothing is compared.
package final class KernelAudit: Sendable {
    /// Bytes of ended connections.
    package struct Sums: Sendable, Hashable {
        /// The connections that have ended.
        package var connections: Int64 = 0
        /// Bytes that the kernel received.
        package var kernelReceived: Int64 = 0
        /// Bytes that the kernel sent, or will.
        package var kernelSent: Int64 = 0
        /// Bytes that records say were received.
        package var recordedReceived: Int64 = 0
        /// Bytes that records say were sent.
        package var recordedSent: Int64 = 0
        /// The sum of the differences of each connection, so that one does not make up for another.
        package var difference: Int64 = 0
    }

    private let state = NIOLockedValueBox(Sums())

    /// Creates an audit of no connections.
    package init() {}

    /// The comparisons so far.
    package var sums: Sums { state.withLockedValue { $0 } }

    func ended(kernel: SocketCount, recorded: SocketCount) {
        state.withLockedValue { sums in
            sums.connections += 1
            sums.kernelReceived += kernel.received
            sums.kernelSent += kernel.sent
            sums.recordedReceived += recorded.received
            sums.recordedSent += recorded.sent
            sums.difference += abs(kernel.received - recorded.received) + abs(kernel.sent - recorded.sent)
        }
    }
}

/// Bytes in both directions of a connection.
struct SocketCount {
    var received: Int64 = 0
    var sent: Int64 = 0
}

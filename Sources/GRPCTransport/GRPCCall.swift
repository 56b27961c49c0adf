// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import GRPCCore
package import Wire

/// What a handler may know of its call beyond gRPC.
package final class GRPCCall: ServerContext.TransportSpecific {
    /// Where the handler says what the call is about and what it is billed as.
    package let exchange: Exchange
    /// Who calls, by the call's `authorization`.
    package let caller: Caller
    /// When the client stops waiting; the call is then cancelled.
    package let deadline: ContinuousClock.Instant?

    init(exchange: Exchange, caller: Caller, deadline: ContinuousClock.Instant?) {
        self.exchange = exchange
        self.caller = caller
        self.deadline = deadline
    }
}

extension ServerContext {
    /// The metered call; `nil` over a transport of another room.
    package var call: GRPCCall? { transportSpecific as? GRPCCall }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import GRPCCore
package import Wire

/// The properties of a call beyond gRPC.
package final class GRPCCall: ServerContext.TransportSpecific {
    /// Where the handler says what the call is about and what it is billed as.
    package let exchange: Exchange
    /// Who calls, by the call's `authorization`.
    package let caller: Caller
    /// When the client stops waiting; the call is then cancelled.
    package let deadline: ContinuousClock.Instant?

    private let connection: StreamConnection
    private let executor: BlockingExecutor

    init(
        exchange: Exchange,
        caller: Caller,
        deadline: ContinuousClock.Instant?,
        connection: StreamConnection,
        executor: BlockingExecutor
    ) {
        self.exchange = exchange
        self.caller = caller
        self.deadline = deadline
        self.connection = connection
        self.executor = executor
    }

    /// Lets the next ordered call of the connection begin, before this one is answered.
    package func passTurn() {
        connection.passTurn(of: ObjectIdentifier(self), on: executor)
    }
}

extension ServerContext {
    /// The metered call; `nil` over a transport of another room.
    package var call: GRPCCall? { transportSpecific as? GRPCCall }
}

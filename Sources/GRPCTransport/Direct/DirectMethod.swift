// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import GRPCCore

/// A method that is answered by a plain function, on a thread that may block.
///
/// GRPCCore runs a handler as a task with streams on both sides, which costs more than a small read of a store. A method
/// that takes one message and needs to wait for nothing but the store is answered without any of it; the client sees no
/// difference.
package final class DirectMethod: Sendable {
    /// Answers a request; called on a thread of the executor, or for a light one on the event loop.
    package typealias Handler = @Sendable (_ request: GRPCBytes, _ call: GRPCCall) throws -> DirectAnswer

    /// The resources of answering a request.
    package enum Weight: Sendable {
        /// Some ten microseconds. Waking a thread, and the event loop again, would cost more: a few that come together
        /// are answered on the connection's event loop, of many the others one after the other on threads.
        case light
        /// Some ten microseconds, perhaps after a wait: done on a thread, which it shares with the like that comes
        /// together with it.
        case waiting
        /// Perhaps long; it gets a thread of its own.
        case heavy
    }

    /// Weighs a request; called on the event loop.
    ///
    /// One that is compressed counts as heavy.
    package typealias Estimate = @Sendable (_ request: GRPCBytes) -> Weight

    /// The estimate of what may take long.
    package static func heavy(request: GRPCBytes) -> Weight { .heavy }

    let descriptor: MethodDescriptor
    /// Whether calls of one connection begin in the order in which they came.
    let isOrdered: Bool
    private let estimate: Estimate
    let handler: Handler

    /// Creates a method.
    ///
    /// - Parameters:
    ///   - descriptor: Its name; the kind of the method follows from its answers.
    ///   - weight: What it takes to answer a request.
    ///   - isOrdered: Whether a call begins only when those of ordered methods that came before it on its connection have
    ///     been answered, wait without holding a thread, or have passed their turn on (``GRPCCall/passTurn()``).
    ///   - handler: Answers a request; throws `RPCError` to answer an error.
    package init(
        _ descriptor: MethodDescriptor,
        weight: @escaping Estimate = DirectMethod.heavy,
        isOrdered: Bool = false,
        handler: @escaping Handler
    ) {
        self.descriptor = descriptor
        estimate = weight
        self.isOrdered = isOrdered
        self.handler = handler
    }

    func weight(of request: MessageReader.Message) -> Weight {
        request.isCompressed ? .heavy : estimate(GRPCBytes(frame: request.frame))
    }
}

/// The answer of a direct method.
package enum DirectAnswer {
    /// One message.
    case message(GRPCBytes)
    /// One message that has to be waited for, without holding a thread.
    ///
    /// Always called, in a task on the executor; cancelled when the client has gone.
    case later(_ answer: @Sendable () async throws -> GRPCBytes)
    /// The messages of a stream, made one by one as the client takes them, until `nil`.
    ///
    /// Called by one thread at a time, also after the handler has returned, and no more when the client has gone.
    case messages(_ next: () throws -> GRPCBytes?)
}

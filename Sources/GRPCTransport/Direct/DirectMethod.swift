// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import GRPCCore

/// A method that is answered by a plain function, on a thread that may block.
///
/// GRPCCore runs a handler as a task with streams on both sides, which costs more than a small read of a store. A method
/// that takes one message and needs to wait for nothing but the store is answered without any of it; the client sees no
/// difference.
package struct DirectMethod: Sendable {
    /// Answers a request; called on a thread of the executor, or for a brief one on the event loop.
    package typealias Handler = @Sendable (_ request: GRPCBytes, _ call: GRPCCall) throws -> DirectAnswer

    /// Whether a request of so many bytes, compressed or not, is answered in some ten microseconds.
    package typealias Estimate = @Sendable (_ requestByteCount: Int) -> Bool

    /// The estimate of what may take longer.
    package static func isNeverBrief(requestByteCount: Int) -> Bool { false }

    let descriptor: MethodDescriptor
    let isBrief: Estimate
    let handler: Handler

    /// Creates a method.
    ///
    /// - Parameters:
    ///   - descriptor: Its name; the kind of the method is told by its answers.
    ///   - isBrief: Brief requests that come alone are answered on the connection's event loop: waking a thread, and the
    ///     loop again, costs more than the answer. Called there too.
    ///   - handler: Answers a request; throws `RPCError` to answer an error.
    package init(
        _ descriptor: MethodDescriptor,
        isBrief: @escaping Estimate = Self.isNeverBrief,
        handler: @escaping Handler
    ) {
        self.descriptor = descriptor
        self.isBrief = isBrief
        self.handler = handler
    }
}

/// What a direct method answers.
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

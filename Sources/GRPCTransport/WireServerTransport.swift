// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import GRPCCore
import NIOConcurrencyHelpers

/// Carries calls from the streams of a Wire server to a `GRPCServer`.
///
/// It opens no port: streams come to it through ``GRPCStreamService``.
package final class WireServerTransport: ServerTransport {
    package typealias Bytes = GRPCBytes
    typealias CallHandler = @Sendable (RPCStream<Inbound, Outbound>, ServerContext) async -> Void

    private enum State {
        case waiting([UnsafeContinuation<CallHandler?, Never>])
        case listening(CallHandler)
        case stopped
    }

    private let state = NIOLockedValueBox(State.waiting([]))
    private let shutdown = AsyncStream.makeStream(of: Never.self)

    /// Creates a transport that has no handler yet.
    package init() {}

    package func listen(
        streamHandler:
            @escaping @Sendable (_ stream: RPCStream<Inbound, Outbound>, _ context: ServerContext) async -> Void
    ) async throws {
        for waiter in begin(streamHandler) { waiter.resume(returning: streamHandler) }
        for await _ in shutdown.stream {}
        for waiter in stop() { waiter.resume(returning: nil) }
    }

    package func beginGracefulShutdown() {
        shutdown.continuation.finish()
    }

    /// The handler of calls, once the server runs; `nil` when it has stopped.
    func handler() async -> CallHandler? {
        if case .listening(let handler) = state.withLockedValue(\.self) { return handler }
        return await withUnsafeContinuation { continuation in
            let handler: CallHandler?? = state.withLockedValue { state in
                switch state {
                case .listening(let handler): return .some(handler)
                case .stopped: return .some(nil)
                case .waiting(let waiters):
                    state = .waiting(waiters + [continuation])
                    return nil
                }
            }
            if let handler { continuation.resume(returning: handler) }
        }
    }

    private func begin(_ handler: @escaping CallHandler) -> [UnsafeContinuation<CallHandler?, Never>] {
        replaceState(with: .listening(handler))
    }

    private func stop() -> [UnsafeContinuation<CallHandler?, Never>] {
        replaceState(with: .stopped)
    }

    private func replaceState(with next: State) -> [UnsafeContinuation<CallHandler?, Never>] {
        state.withLockedValue { state in
            defer { state = next }
            if case .waiting(let waiters) = state { return waiters }
            return []
        }
    }
}

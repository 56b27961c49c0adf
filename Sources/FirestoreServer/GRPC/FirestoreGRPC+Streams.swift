// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import GRPCCore

@available(macOS 15, iOS 18, *)
extension FirestoreGRPC {
    func registerStreams<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        streaming("Write", &router) { requests, scope, writer, context in
            try await endingAtShutdown(context) { try await write(requests, scope, writer) }
        }
        streaming("Listen", &router) { requests, scope, writer, context in
            try await endingAtShutdown(context) { try await listen(requests, scope, writer) }
        }
    }

    /// Ends a stream without end when the server shuts down; clients then connect anew.
    private func endingAtShutdown(
        _ context: ServerContext,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(operation: body)
            group.addTask {
                try await context.cancellation.cancelled
                throw RPCError(code: .unavailable, message: "The server is shutting down.")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func write(
        _ requests: RPCAsyncSequence<Proto.WriteRequest, any Error>,
        _ scope: CallScope,
        _ writer: RPCWriter<Proto.WriteResponse>
    ) async throws {
        var scope = scope
        var stream = WriteStream(calls: calls, id: calls.makeDocumentID())
        for try await request in requests {
            defer { scope.flush() }
            try await writer.write(try await stream.answer(request, usage: &scope.usage))
        }
    }

    /// Takes requests and sends answers at the same time, until the client ends the stream or either fails.
    ///
    /// A failure ends the call at once, also while the client could still send, and cancels the other.
    func listen(
        _ requests: RPCAsyncSequence<Proto.ListenRequest, any Error>,
        _ scope: CallScope,
        _ writer: RPCWriter<Proto.ListenResponse>
    ) async throws {
        let session = ListenSession(calls: calls)
        defer { session.close() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while let answers = try await session.next(usage: scope.usage) {
                    // Also where the client has gone meanwhile: the reads were made.
                    defer { scope.flush(answers.usages) }
                    try await writer.write(contentsOf: answers.responses)
                }
            }
            group.addTask {
                var scope = scope
                for try await request in requests {
                    try session.take(request, usage: &scope.usage)
                    scope.flush()
                }
                session.close()
            }
            // Not `waitForAll`: it would wait for the one although the other has failed.
            for try await _ in group {}
        }
    }
}

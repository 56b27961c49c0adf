// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import GRPCCore
import GRPCTransport
import Wire

@available(macOS 15, iOS 18, *)
extension FirestoreGRPC {
    func registerStreams<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        streaming("Write", on: &router) { requests, context, writer, server in
            try await endingAtShutdown(server) {
                try await write(requests, context: context, exchange: server.call?.exchange, writer: writer)
            }
        }
        streaming("Listen", on: &router) { requests, context, writer, server in
            try await endingAtShutdown(server) {
                try await listen(requests, context: context, exchange: server.call?.exchange, writer: writer)
            }
        }
    }

    /// Ends a stream without end when the server shuts down; clients then connect again.
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
        context: CallContext,
        exchange: Exchange?,
        writer: RPCWriter<Proto.WriteResponse>
    ) async throws {
        var stream = WriteStream(calls: calls, id: calls.makeDocumentID())
        for try await request in requests {
            defer { context.flush(to: exchange) }
            try await writer.write(try await stream.answer(request, in: context))
        }
    }

    /// Takes requests and sends answers at the same time, until the client ends the stream or either fails.
    ///
    /// A failure ends the call at once, also while the client could still send, and cancels the other.
    func listen(
        _ requests: RPCAsyncSequence<Proto.ListenRequest, any Error>,
        context: CallContext,
        exchange: Exchange?,
        writer: RPCWriter<Proto.ListenResponse>
    ) async throws {
        let call = ListenCall(calls: calls, context: context)
        defer { call.close() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while let answers = try await call.next() {
                    // Also where the client has gone meanwhile: the reads were made.
                    defer { exchange?.flush(answers.usages) }
                    try await writer.write(contentsOf: try answers.responses())
                }
            }
            group.addTask {
                for try await request in requests {
                    try call.take(request)
                    context.flush(to: exchange)
                }
                call.close()
            }
            // Not `waitForAll`: it would wait for the one although the other has failed.
            for try await _ in group {}
        }
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import GRPCTransport
import SwiftProtobuf
import Wire

@available(macOS 15, iOS 18, *)
extension FirestoreGRPC {
    /// Registers a call whose requests and answers come as they may.
    func streaming<Request: Message, Response: Message, Transport: ServerTransport>(
        _ method: String,
        _ router: inout RPCRouter<Transport>,
        _ call:
            @escaping @Sendable (
                RPCAsyncSequence<Request, any Error>, CallContext, RPCWriter<Response>, ServerContext
            ) async throws -> Void
    ) {
        let usage = CallUsage(method: method)
        router.registerHandler(
            forMethod: MethodDescriptor(service: Self.service, method: method, type: .bidirectionalStreaming),
            deserializer: ProtobufDeserializer<Request>(),
            serializer: ProtobufSerializer<Response>()
        ) { stream, context in
            StreamingServerResponse { writer in
                do {
                    let callContext = calls.context(usage, caller: context.call?.caller ?? .anonymous)
                    try await call(stream.messages, callContext, writer, context)
                    return [:]
                } catch {
                    throw RPCError(failure: error)
                }
            }
        }
    }
}

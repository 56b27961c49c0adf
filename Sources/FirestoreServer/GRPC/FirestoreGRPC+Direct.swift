// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import GRPCTransport
import SwiftProtobuf

@available(macOS 15, iOS 18, *)
extension FirestoreGRPC {
    /// A call with one request and one answer.
    func direct<Request: Message, Response: Message>(
        _ method: String,
        _ call: @escaping @Sendable (Request, inout CallScope) throws -> Response
    ) -> DirectMethod {
        directMethod(method) { request, scope in
            .message(try ProtobufSerializer<Response>().serialize(try call(request, &scope)))
        }
    }

    /// A call with one request and any number of answers.
    func directStream<Request: Message, Response: Message>(
        _ method: String,
        _ call: @escaping @Sendable (Request, inout CallScope) throws -> [Response]
    ) -> DirectMethod {
        directMethod(method) { request, scope in
            var responses = try call(request, &scope).makeIterator()
            return .messages {
                try responses.next().map { try ProtobufSerializer<Response>().serialize($0) }
            }
        }
    }

    /// A call whose answers carry documents.
    func documentStream<Request: Message, Response: DocumentCarrying>(
        _ method: String,
        _ call: @escaping @Sendable (Request, inout CallScope) throws -> [DocumentAnswer<Response>]
    ) -> DirectMethod {
        directMethod(method) { request, scope in
            var answers = try call(request, &scope).makeIterator()
            return .messages {
                try answers.next().map { GRPCBytes(try $0.serialized()) }
            }
        }
    }

    /// The call that answers with a document itself.
    var getDocument: DirectMethod {
        directMethod("GetDocument") { (request: Proto.GetDocumentRequest, scope) in
            let (document, database) = try calls.getDocument(request, usage: &scope.usage)
            return .message(GRPCBytes(document.encoded(in: database)))
        }
    }

    private func directMethod<Request: Message>(
        _ method: String,
        _ answer: @escaping @Sendable (Request, inout CallScope) throws -> DirectAnswer
    ) -> DirectMethod {
        DirectMethod(MethodDescriptor(service: Self.service, method: method)) { bytes, call in
            var scope = CallScope(method: method, call: call)
            defer { scope.file() }
            do {
                return try answer(try ProtobufDeserializer<Request>().deserialize(bytes), &scope)
            } catch {
                throw RPCError(failure: error)
            }
        }
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol
import GRPCCore
import GRPCTransport
import SwiftProtobuf
import Wire

@available(macOS 15, iOS 18, *)
extension FirestoreGRPC {
    /// A call with one request and one answer.
    func direct<Request: Message, Response: Message>(
        _ method: String,
        weight: @escaping DirectMethod.Estimate = DirectMethod.heavy,
        _ call: @escaping @Sendable (Request, CallContext) throws -> Response
    ) -> DirectMethod {
        directMethod(method, weight: weight) { request, context in
            .message(try ProtobufSerializer<Response>().serialize(try call(request, context)))
        }
    }

    /// A call with one request and any number of answers.
    func directStream<Request: Message, Response: Message>(
        _ method: String,
        _ call: @escaping @Sendable (Request, CallContext) throws -> [Response]
    ) -> DirectMethod {
        directMethod(method) { request, context in
            var responses = try call(request, context).makeIterator()
            return .messages {
                try responses.next().map { try ProtobufSerializer<Response>().serialize($0) }
            }
        }
    }

    /// A call whose answers carry documents; they are read as the client takes them.
    func documentStream<Request: Message, Response: DocumentCarrying>(
        _ method: String,
        weight: @escaping DirectMethod.Estimate = DirectMethod.heavy,
        reading read: @escaping @Sendable (GRPCBytes) throws -> Request = ProtobufDeserializer<Request>().deserialize,
        _ call: @escaping @Sendable (Request, CallContext) throws -> AnswerStream<DocumentAnswer<Response>>
    ) -> DirectMethod {
        directMethod(method, weight: weight, reading: read) { request, context, exchange in
            let answers = try call(request, context)
            return .messages {
                defer { context.settleRest(with: exchange) }
                do {
                    return try answers.next().map { GRPCBytes(try $0.serialized()) }
                } catch {
                    throw RPCError(failure: error)
                }
            }
        }
    }

    /// The call that answers with a document itself.
    var getDocument: DirectMethod {
        directMethod("GetDocument", weight: weightOfLookUp, reading: Self.getRequest) { request, context, _ in
            let (document, database) = try calls.getDocument(request, in: context)
            return .message(GRPCBytes(try document.encoded(in: database)))
        }
    }

    /// A call that writes, and may have to wait for transactions.
    func writing<Request: Message, Response: Message>(
        _ method: String,
        _ call: @escaping @Sendable (Request, CallContext) throws -> WriteAnswer<Response>
    ) -> DirectMethod {
        writing(method, reading: ProtobufDeserializer<Request>().deserialize) { request, context in
            try call(request, context).map(ProtobufSerializer().serialize)
        }
    }

    /// A call that writes, whose request is read, and whose answer is written, in its own way.
    ///
    /// The writes of one connection are made in the order in which they came, as by the official emulator (1.19.9): a
    /// `BulkWriter` sends two writes of a document one after the other, without waiting for the first.
    func writing<Request>(
        _ method: String,
        reading read: @escaping @Sendable (GRPCBytes) throws -> Request,
        _ call: @escaping @Sendable (Request, CallContext) throws -> WriteAnswer<GRPCBytes>
    ) -> DirectMethod {
        directMethod(method, weight: weightOfWrite, isOrdered: true, reading: read) { request, context, exchange in
            switch try call(request, context) {
            case .ready(let response): .message(response)
            case .waiting(let finish): .later { try await Self.finished(finish, context: context, in: exchange) }
            }
        }
    }

    private static func finished(
        _ finish: @Sendable () async throws -> GRPCBytes,
        context: CallContext,
        in exchange: Exchange
    ) async throws -> GRPCBytes {
        defer { context.settleRest(with: exchange) }
        do {
            return try await finish()
        } catch {
            throw RPCError(failure: error)
        }
    }

    /// A request of a kilobyte names about ten documents; some reads wait for the commit that is being made.
    func weightOfLookUp(request: GRPCBytes) -> DirectMethod.Weight {
        guard request.count <= 1_024 else { return .heavy }
        return calls.store.isWriting ? .waiting : .light
    }

    /// As other lookups, but several documents are read from the file, once it has all commits.
    func weightOfBatchGet(request: GRPCBytes) -> DirectMethod.Weight {
        guard calls.store.isFileBehind, Self.documentCount(request) > 1 else { return weightOfLookUp(request: request) }
        return request.count <= 1_024 ? .waiting : .heavy
    }

    /// How many documents a BatchGetDocumentsRequest names.
    private static func documentCount(_ request: GRPCBytes) -> Int {
        request.withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            var count = 0
            // Only an estimate: a request that cannot be read is refused with its reason where it is decoded.
            while let tag = try? reader.nextTag(), (try? reader.skip(tag)) != nil {
                if tag == WireTag.batchGetDocument { count += 1 }
            }
            return count
        }
    }

    /// Some ten typical documents are written at once, unless that means to wait for others, or for the disk: commits
    /// that wait for it at the same time share a transaction.
    private func weightOfWrite(request: GRPCBytes) -> DirectMethod.Weight {
        guard request.count <= 8_192, !calls.store.waitsForDisk else { return .heavy }
        return calls.store.isWriting ? .waiting : .light
    }

    /// A request that has only a name, under the same number as a document, is read without the message's own reader.
    private static func getRequest(_ bytes: GRPCBytes) throws -> Proto.GetDocumentRequest {
        let name = try? bytes.withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            guard try reader.nextTag() == WireTag.documentName else { return String?.none }
            let name = try reader.nextValidText()
            return try reader.nextTag() == nil ? name : nil
        }
        guard let name else { return try ProtobufDeserializer().deserialize(bytes) }
        return .with { $0.name = name }
    }

    /// A request that names documents, and asks for nothing else, is read without the message's own reader.
    static func batchGetRequest(_ bytes: GRPCBytes) throws -> Proto.BatchGetDocumentsRequest {
        let plain = try? bytes.withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            var request = Proto.BatchGetDocumentsRequest()
            while let tag = try reader.nextTag() {
                switch tag {
                case WireTag.batchGetDatabase: request.database = try reader.nextValidText()
                case WireTag.batchGetDocument: request.documents.append(try reader.nextValidText())
                default: return Proto.BatchGetDocumentsRequest?.none
                }
            }
            return request
        }
        return try plain ?? ProtobufDeserializer().deserialize(bytes)
    }

    static func commit(_ bytes: GRPCBytes) throws -> ReceivedCommit {
        do {
            return try bytes.withUnsafeBytes { try ReceivedCommit(serializedBytes: $0) }
        } catch {
            throw RPCError(undecodable: Proto.CommitRequest.self)
        }
    }

    /// Lets the next ordered call of the connection begin as soon as the writes of this one have their place: commits that
    /// wait for the disk at the same time share a transaction.
    private func turn(of call: GRPCCall) -> @Sendable () -> Void {
        guard calls.store.waitsForDisk else { return {} }
        return { call.passTurn() }
    }

    private func directMethod<Request: Message>(
        _ method: String,
        weight: @escaping DirectMethod.Estimate = DirectMethod.heavy,
        _ answer: @escaping @Sendable (Request, CallContext) throws -> DirectAnswer
    ) -> DirectMethod {
        directMethod(method, weight: weight, reading: ProtobufDeserializer<Request>().deserialize) {
            request,
            context,
            _ in
            try answer(request, context)
        }
    }

    private func directMethod<Request>(
        _ method: String,
        weight: @escaping DirectMethod.Estimate,
        isOrdered: Bool = false,
        reading read: @escaping @Sendable (GRPCBytes) throws -> Request,
        _ answer: @escaping @Sendable (Request, CallContext, Exchange) throws -> DirectAnswer
    ) -> DirectMethod {
        let usage = CallUsage(method: method)
        let descriptor = MethodDescriptor(service: Self.service, method: method)
        return DirectMethod(descriptor, weight: weight, isOrdered: isOrdered) { bytes, call in
            let context = calls.context(
                usage,
                caller: call.caller,
                writesQueued: turn(of: call)
            )
            defer { context.settle(with: call.exchange) }
            do {
                try calls.meetPlannedFault(in: context)
                return try answer(try read(bytes), context, call.exchange)
            } catch {
                throw RPCError(failure: error)
            }
        }
    }
}

extension CallUsage {
    /// Starts the usage of a gRPC method, such as `RunQuery`.
    init(method: String) {
        self.init(call: method.prefix(1).lowercased() + method.dropFirst())
    }
}

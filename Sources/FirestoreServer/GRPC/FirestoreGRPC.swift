// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol
import GRPCCore
import GRPCTransport
import SwiftProtobuf
import Wire

/// The gRPC face of the calls: `google.firestore.v1.Firestore`.
///
/// Calls with one request are answered directly, as far as they need not wait for a transaction; those that last as long as
/// the client likes are tasks.
@available(macOS 15, iOS 18, *)
struct FirestoreGRPC: RegistrableRPCService {
    static let service = ServiceDescriptor(fullyQualifiedService: "google.firestore.v1.Firestore")

    let calls: FirestoreCalls

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        registerStreams(with: &router)
    }

    var directMethods: [DirectMethod] {
        [
            getDocument,
            writing("CreateDocument") { try calls.createDocument($0, in: $1) },
            writing("UpdateDocument") { try calls.updateDocument($0, in: $1) },
            writing("DeleteDocument") { try calls.deleteDocument($0, in: $1) },
            writing("Commit", reading: Self.commit) { request, context in
                try calls.commit(request, in: context).map { GRPCBytes(try $0.serialized()) }
            },
            writing("BatchWrite") { try calls.batchWrite($0, in: $1) },
            direct("ListDocuments") { try calls.listDocuments($0, in: $1) },
            direct("ListCollectionIds") { try calls.listCollectionIDs($0, in: $1) },
            direct("BeginTransaction", weight: weightOfLookUp) { try calls.beginTransaction($0, in: $1) },
            direct("Rollback", weight: weightOfLookUp) { try calls.rollback($0, in: $1) },
            direct("PartitionQuery") { try calls.partitionQuery($0, in: $1) },
            documentStream("BatchGetDocuments", weight: weightOfBatchGet, reading: Self.batchGetRequest) {
                try calls.batchGetDocuments($0, in: $1)
            },
            documentStream("RunQuery") { try calls.runQuery($0, in: $1) },
            directStream("RunAggregationQuery") { try calls.runAggregationQuery($0, in: $1) },
            directStream("ExecutePipeline") { (_: Google_Protobuf_Empty, _) -> [Google_Protobuf_Empty] in
                throw CallError.pipelineUnimplemented
            },
        ]
    }
}

@available(macOS 15, iOS 18, *)
extension FirestoreGRPC {
    /// Registers a call whose requests and answers come as they may.
    func streaming<Request: Message, Response: Message, Transport: ServerTransport>(
        _ method: String,
        on router: inout RPCRouter<Transport>,
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
                    try calls.meetPlannedFault(in: callContext)
                    try await call(stream.messages, callContext, writer, context)
                    return [:]
                } catch {
                    throw RPCError(failure: error)
                }
            }
        }
    }
}

@available(macOS 15, iOS 18, *)
extension RPCError {
    /// Puts a refusal in gRPC's form; the code has the same number in both.
    init(_ error: CallError) {
        let status = Status.Code(rawValue: Int(error.code.rawValue))
        var metadata = Metadata()
        if let details = error.statusDetails {
            metadata.addBinary(details, forKey: "grpc-status-details-bin")
        }
        self.init(code: status.flatMap { Code($0) } ?? .unknown, message: error.message, metadata: metadata)
    }

    /// Puts whatever a call threw in gRPC's form.
    init(failure: any Error) {
        switch failure {
        case let error as RPCError: self = error
        case is CancellationError: self.init(code: .cancelled, message: "The call was cancelled.")
        default: self.init(CallError(anything: failure))
        }
    }
}

/// Writes a message in the protobuf wire format.
@available(macOS 15, iOS 18, *)
struct ProtobufSerializer<Message: SwiftProtobuf.Message>: MessageSerializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: Message) throws -> Bytes {
        do {
            return Bytes(try message.serializedBytes() as [UInt8])
        } catch {
            throw RPCError(code: .internalError, message: "The answer could not be encoded.")
        }
    }
}

/// Reads a message in the protobuf wire format.
@available(macOS 15, iOS 18, *)
struct ProtobufDeserializer<Message: SwiftProtobuf.Message>: MessageDeserializer {
    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> Message {
        do {
            return try bytes.withUnsafeBytes { try Message(serializedBytes: Array($0)) }
        } catch {
            throw RPCError(undecodable: Message.self)
        }
    }
}

@available(macOS 15, iOS 18, *)
extension RPCError {
    /// Refuses bytes that are not such a message.
    init<Message: SwiftProtobuf.Message>(undecodable type: Message.Type) {
        self.init(code: .internalError, message: "The request is no \(Message.protoMessageName).")
    }
}

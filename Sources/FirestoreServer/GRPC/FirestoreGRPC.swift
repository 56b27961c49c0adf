// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol
import GRPCCore
import GRPCTransport
import SwiftProtobuf

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
            writing("CreateDocument") { try $0.createDocument($1, usage: &$2.usage) },
            writing("UpdateDocument") { try $0.updateDocument($1, usage: &$2.usage) },
            writing("DeleteDocument") { try $0.deleteDocument($1, usage: &$2.usage) },
            writing("Commit", reading: Self.commit) { calls, request, scope in
                try calls.commit(request, usage: &scope.usage).map { GRPCBytes(try $0.serialized()) }
            },
            writing("BatchWrite") { try $0.batchWrite($1, usage: &$2.usage) },
            direct("ListDocuments") { try calls.listDocuments($0, caller: $1.caller, usage: &$1.usage) },
            direct("ListCollectionIds") { try calls.listCollectionIDs($0, usage: &$1.usage) },
            direct("BeginTransaction", weight: weightOfLookUp) { try calls.beginTransaction($0, usage: &$1.usage) },
            direct("Rollback", weight: weightOfLookUp) { try calls.rollback($0, usage: &$1.usage) },
            direct("PartitionQuery") { try calls.partitionQuery($0, usage: &$1.usage) },
            documentStream("BatchGetDocuments", weight: weightOfBatchGet, reading: Self.batchGetRequest) {
                try calls.batchGetDocuments($0, usage: &$1.usage)
            },
            documentStream("RunQuery") { try calls.runQuery($0, usage: &$1.usage) },
            directStream("RunAggregationQuery") { try calls.runAggregationQuery($0, usage: &$1.usage) },
            directStream("ExecutePipeline") { (_: Google_Protobuf_Empty, _) -> [Google_Protobuf_Empty] in
                throw CallError.pipelineUnimplemented
            },
        ]
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import Metering
import SwiftProtobuf

extension FirestoreCalls {
    /// Makes all writes at one moment, or none, and ends the transaction if there is one.
    ///
    /// Outside a transaction no writes have the empty answer.
    package func commit(
        _ received: ReceivedCommit,
        usage: inout CallUsage
    ) throws -> WriteAnswer<CommitAnswer> {
        let database = try DatabaseID(parsing: received.database)
        usage.attribute(to: database)
        let writes = try [Write](received.writes, in: database)
        usage.attribute(to: writes.map(\.path))
        let transaction = received.transaction.isEmpty ? nil : TransactionID(received.transaction)
        if writes.isEmpty, transaction == nil { return .ready(CommitAnswer(result: nil)) }
        return try commit(writes, in: database, transaction: transaction, usage: &usage) { CommitAnswer(result: $0) }
    }

    /// Makes each write on its own; one that fails does not keep the others from happening.
    ///
    /// A request that cannot be understood, or writes a document twice, fails as a whole.
    package func batchWrite(
        _ request: Proto.BatchWriteRequest,
        usage: inout CallUsage
    ) async throws -> Proto.BatchWriteResponse {
        let database = try DatabaseID(parsing: request.database)
        usage.attribute(to: database)
        let names = request.writes.compactMap { $0.documentName.map { Array($0.utf8) } }
        guard Set(names).count == names.count else { throw CallError.documentWrittenTwice }
        let writes = try [Write](request.writes.map { ReceivedWrite($0) }, in: database)
        usage.attribute(to: writes.map(\.path))
        for write in writes { try write.validate(in: database) }
        var response = Proto.BatchWriteResponse()
        for write in writes {
            do {
                let result = try await commit([write], in: database, usage: &usage)
                response.writeResults += result.results.map { Proto.WriteResult($0) }
                response.status.append(Proto.Status())
            } catch let error as DocumentStoreError {
                response.writeResults.append(Proto.WriteResult())
                response.status.append(Proto.Status(CallError(error)))
            } catch let error as CallError {
                response.writeResults.append(Proto.WriteResult())
                response.status.append(Proto.Status(error))
            }
        }
        return response
    }
}

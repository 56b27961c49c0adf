// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
package import SwiftProtobuf

extension FirestoreCalls {
    /// Begins a transaction; not billed.
    package func beginTransaction(
        _ request: Proto.BeginTransactionRequest,
        in context: CallContext
    ) throws -> Proto.BeginTransactionResponse {
        let database = try DatabaseID(parsing: request.database)
        context.attribute(to: database)
        let options = try TransactionOptions(request.options, withoutMode: .readWrite(retrying: nil))
        let id = try transactions.begin(options, in: database)
        var response = Proto.BeginTransactionResponse()
        response.transaction = id.data
        return response
    }

    /// Ends a transaction without its writes; not billed.
    package func rollback(_ request: Proto.RollbackRequest, in context: CallContext) throws -> Google_Protobuf_Empty {
        let database = try DatabaseID(parsing: request.database)
        context.attribute(to: database)
        guard !request.transaction.isEmpty else { throw CallError.transactionMissing }
        try transactions.rollback(TransactionID(request.transaction), in: database)
        return Google_Protobuf_Empty()
    }
}

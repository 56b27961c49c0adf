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
        in context: CallContext
    ) throws -> WriteAnswer<CommitAnswer> {
        let database = try DatabaseID(parsing: received.database)
        context.attribute(to: database)
        let writes = try [Write](received.writes, in: database)
        context.attribute(to: writes.map(\.path))
        let transaction = received.transaction.isEmpty ? nil : TransactionID(received.transaction)
        if writes.isEmpty, transaction == nil { return .ready(CommitAnswer(result: nil)) }
        return try commit(writes, in: database, transaction: transaction, in: context) { CommitAnswer(result: $0) }
    }
}

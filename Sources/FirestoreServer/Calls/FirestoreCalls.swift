// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import DocumentStore
import FirestoreModel
import FirestoreProtocol
package import Metering
package import SwiftProtobuf
package import Wire

/// The calls of `google.firestore.v1.Firestore` on a store: messages in, messages out.
///
/// Knows neither HTTP nor gRPC. Every call bills its context as far as it gets, also when it throws; it throws
/// `CallError` or `FirestoreError`.
package struct FirestoreCalls: Sendable {
    let store: SQLiteDocumentStore
    let transactions: TransactionManager
    let listening: ListenHub
    let indexes: IndexAdvisor
    let quota: (any QuotaGate)?
    let judge: CurrentJudge
    let projects: ProjectWatch?
    /// Whether calls note which documents they read.
    let recording: RecordingSwitch
    /// The calls that are to fail.
    let faults: PlannedFaults
    let makeDocumentID: @Sendable () -> String

    /// Creates the calls on a store; `makeDocumentID` gives the id of a document that is created without one.
    ///
    /// `projects` takes the project of each call.
    package init(
        store: SQLiteDocumentStore,
        transactions: TransactionManager,
        listening: ListenHub,
        indexes: IndexAdvisor = IndexAdvisor(),
        quota: (any QuotaGate)? = nil,
        judge: CurrentJudge = CurrentJudge(),
        projects: ProjectWatch? = nil,
        recording: RecordingSwitch = RecordingSwitch(),
        faults: PlannedFaults = PlannedFaults(),
        makeDocumentID: @escaping @Sendable () -> String = { DocumentIDGenerator.randomID() }
    ) {
        self.store = store
        self.transactions = transactions
        self.listening = listening
        self.indexes = indexes
        self.quota = quota
        self.judge = judge
        self.projects = projects
        self.recording = recording
        self.faults = faults
        self.makeDocumentID = makeDocumentID
    }

    /// Creates the context of a call, judged by the judge in force.
    func context(
        _ usage: consuming CallUsage,
        caller: Caller,
        writesQueued: @escaping @Sendable () -> Void = {}
    ) -> CallContext {
        if recording.isOn { usage.reads = ReadDocuments() }
        return CallContext(usage, caller: caller, judge: judge.judge, projects: projects, writesQueued: writesQueued)
    }
}

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

/// The calls refused before they are carried out: those that are to fail, and others when a quota is used up.
extension FirestoreCalls {
    /// Refuses a call that is to fail; asked once, before anything of it is carried out.
    func meetPlannedFault(in context: CallContext) throws(CallError) {
        if let status = faults.status(of: context.usage.attribution.operation, service: .firestore) {
            throw .planned(status)
        }
    }

    /// Refuses a call that reads.
    func admitReading() throws(CallError) { try admit([.documentReads, .firestoreEgressBytes]) }

    /// Refuses a call that writes or deletes, as far as either is used up.
    func admit(_ writes: [Write]) throws(CallError) {
        guard quota != nil else { return }
        let deletes = writes.count { $0.operation == .delete }
        if deletes < writes.count { try admit([.documentWrites]) }
        if deletes > 0 { try admit([.documentDeletes]) }
    }

    private func admit(_ items: [BillableItem]) throws(CallError) {
        if quota?.isOver(items) == true { throw .quotaExceeded }
    }
}

extension CallError {
    /// The answer to a project whose quota is used up (quoted in firebase-js-sdk#8318, 2024-06).
    fileprivate static let quotaExceeded = Self(code: .resourceExhausted, message: "Quota exceeded.")

    fileprivate static func planned(_ status: Int) -> Self {
        Self(code: StatusCode(httpStatus: status), message: "A planned fault: \(status).")
    }
}

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

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import DocumentStore
package import Metering
import Wire

/// The calls of `google.firestore.v1.Firestore` on a store: messages in, messages out.
///
/// Knows neither HTTP nor gRPC. Every call bills its context as far as it gets, also when it throws; it throws
/// `CallError` or `DocumentStoreError`.
package struct FirestoreCalls: Sendable {
    let store: SQLiteDocumentStore
    let transactions: TransactionManager
    let listening: ListenHub
    let indexes: IndexAdvisor
    let quota: (any QuotaGate)?
    let judge: CurrentJudge
    let makeDocumentID: @Sendable () -> String

    /// Creates the calls on a store; `makeDocumentID` gives the id of a document that is created without one.
    package init(
        store: SQLiteDocumentStore,
        transactions: TransactionManager,
        listening: ListenHub,
        indexes: IndexAdvisor = IndexAdvisor(),
        quota: (any QuotaGate)? = nil,
        judge: CurrentJudge = CurrentJudge(),
        makeDocumentID: @escaping @Sendable () -> String = { DocumentIDGenerator.randomID() }
    ) {
        self.store = store
        self.transactions = transactions
        self.listening = listening
        self.indexes = indexes
        self.quota = quota
        self.judge = judge
        self.makeDocumentID = makeDocumentID
    }

    /// Creates the context of a call, judged by the judge in force.
    func context(
        _ usage: consuming CallUsage,
        caller: Caller,
        writesQueued: @escaping @Sendable () -> Void = {}
    ) -> CallContext {
        CallContext(usage, caller: caller, judge: judge.judge, writesQueued: writesQueued)
    }
}

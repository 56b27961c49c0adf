// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import DocumentStore
package import Metering

/// The calls of `google.firestore.v1.Firestore` on a store: messages in, messages out.
///
/// Knows neither HTTP nor gRPC. Every call fills in its usage as far as it gets, also when it throws; it throws
/// `CallError` or `DocumentStoreError`.
package struct FirestoreCalls: Sendable {
    let store: SQLiteDocumentStore
    let transactions: TransactionManager
    let listening: ListenHub
    let indexes: IndexAdvisor
    let quota: (any QuotaGate)?
    let makeDocumentID: @Sendable () -> String
    /// Called when writes of later calls are sure to be made later than those of this one.
    private(set) var writesQueued: @Sendable () -> Void = {}

    /// Creates the calls on a store; `makeDocumentID` gives the id of a document that is created without one.
    package init(
        store: SQLiteDocumentStore,
        transactions: TransactionManager,
        listening: ListenHub,
        indexes: IndexAdvisor = IndexAdvisor(),
        quota: (any QuotaGate)? = nil,
        makeDocumentID: @escaping @Sendable () -> String = { DocumentIDGenerator.randomID() }
    ) {
        self.store = store
        self.transactions = transactions
        self.listening = listening
        self.indexes = indexes
        self.quota = quota
        self.makeDocumentID = makeDocumentID
    }

    /// The same calls, for one whose place among others is to be reported.
    func reporting(writesQueued: @escaping @Sendable () -> Void) -> FirestoreCalls {
        var calls = self
        calls.writesQueued = writesQueued
        return calls
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import Metering

/// The calls refused when a quota is used up, before they are carried out.
extension FirestoreCalls {
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
}

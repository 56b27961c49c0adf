// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol
import NIOConcurrencyHelpers

/// The lists that the targets of a stream show, and which of them are complete: what is read afterwards are changes.
final class ListenedLists: Sendable {
    private struct State {
        var lists: [Int32: ReadDocuments.List] = [:]
        var complete: Set<Int32> = []
    }

    private let state = NIOLockedValueBox(State())

    /// Notes a target that is added.
    func add(_ target: Proto.Target, in database: DatabaseID) {
        let list: ReadDocuments.List? =
            if case .query(let query) = target.targetType {
                // A parent that is wrong is refused by the call itself.
                ReadDocuments.List(
                    query.structuredQuery,
                    under: (try? ResourceParent(parsing: query.parent))?.document
                )
            } else {
                nil
            }
        state.withLockedValue { state in
            state.lists[target.targetID] = list
            state.complete.remove(target.targetID)
        }
    }

    /// The documents that a batch brings to targets.
    func reads(of targets: [Int32], in batch: ListenBatch, from database: DatabaseID) -> ReadDocuments {
        let reads = ReadDocuments()
        let (list, areChanges) = state.withLockedValue { state in
            let areChanges = targets.allSatisfy(state.complete.contains)
            for case .targetCurrent(let id, _, _) in batch.events { state.complete.insert(id) }
            return (targets.lazy.compactMap { [lists = state.lists] in lists[$0] }.first, areChanges)
        }
        reads.change { contents in
            if areChanges { contents.changed() } else if let list { contents.listed(list) }
            for case .documentChanged(let document, let changed, _) in batch.events
            where changed.contains(where: targets.contains) {
                contents.append(CollectionOfOne(document), in: database)
            }
        }
        return reads
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The changes to the documents of a stream's targets between two snapshots, one message for each document.
///
/// Of several changes only the outcome counts: a document that entered and left again is not mentioned.
struct StreamChanges {
    /// Targets that leave out fields get messages of their own.
    private struct Key: Hashable {
        let path: DocumentPath
        let mask: [FieldPath]?
    }

    fileprivate struct Membership {
        let target: Int32
        let wasIn: Bool
        var isIn: Bool
    }

    fileprivate struct Item {
        var document: Document?
        var time: Timestamp
        var hasChanged = false
        fileprivate var memberships: [Membership] = []
    }

    private var items: [Key: Item] = [:]
    /// In the order first mentioned.
    private var keys: [Key] = []
    private(set) var resetTargets: [Int32] = []

    var isEmpty: Bool { keys.isEmpty && resetTargets.isEmpty }

    mutating func add(_ delta: ResultDelta, to target: Int32, mask: DocumentMask?) {
        if delta.isReset {
            reset(target)
        }
        for change in delta.changes {
            add(change, at: delta.time, to: target, mask: mask)
        }
    }

    private mutating func reset(_ target: Int32) {
        for key in keys {
            items[key]?.memberships.removeAll { $0.target == target }
        }
        if !resetTargets.contains(target) {
            resetTargets.append(target)
        }
    }

    private mutating func add(_ change: ResultChange, at time: Timestamp, to target: Int32, mask: DocumentMask?) {
        let key = Key(path: change.path, mask: mask?.fieldPaths)
        if items[key] == nil {
            keys.append(key)
        }
        var item = items.removeValue(forKey: key) ?? Item(document: change.document, time: time)
        if time >= item.time {
            item.document = change.document
            item.time = time
        }
        item.hasChanged = item.hasChanged || change.hasChanged
        if let index = item.memberships.firstIndex(where: { $0.target == target }) {
            item.memberships[index].isIn = change.isIn
        } else {
            item.memberships.append(Membership(target: target, wasIn: change.wasIn, isIn: change.isIn))
        }
        items[key] = item
    }

    /// Appends the messages and bills what they cost.
    func append(to batch: inout ListenBatch, readTime: Timestamp) {
        batch.append(contentsOf: resetTargets.lazy.map { .targetReset($0) })
        for (event, billedTargets) in events(readTime: readTime) {
            batch.append(event)
            for target in billedTargets {
                batch.bill(1, to: target)
            }
        }
    }

    /// The messages about documents, each with the targets to which it costs a read.
    ///
    /// Those the document is in or left by changing; a deletion costs nothing.
    ///
    /// Source: Firestore pricing, firebase.google.com/docs/firestore/pricing (2026-11).
    func events(readTime: Timestamp) -> [(event: ListenEvent, billedTargets: [Int32])] {
        keys.compactMap { key in
            guard let item = items[key] else { return nil }
            // One that was pushed out and came back, unchanged, was never away.
            let targets = item.memberships.filter { $0.isIn && (!$0.wasIn || item.hasChanged) }.map(\.target)
            let removed = item.memberships.filter { $0.wasIn && !$0.isIn }.map(\.target)
            guard !targets.isEmpty || !removed.isEmpty else { return nil }
            let event = item.event(key.path, targets: targets, removed: removed, readTime: readTime)
            return (event, targets + (item.isBilledOnLeaving ? removed : []))
        }
    }
}

extension StreamChanges.Item {
    fileprivate var isBilledOnLeaving: Bool { document != nil && hasChanged }

    fileprivate func event(
        _ path: DocumentPath,
        targets: [Int32],
        removed: [Int32],
        readTime: Timestamp
    ) -> ListenEvent {
        guard let document else { return .documentDeleted(path, readTime: readTime, removedTargets: removed) }
        guard !targets.isEmpty || hasChanged else {
            return .documentRemoved(path, readTime: readTime, removedTargets: removed)
        }
        return .documentChanged(document, targets: targets, removedTargets: removed)
    }
}

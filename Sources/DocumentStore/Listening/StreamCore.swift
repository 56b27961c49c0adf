// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// A stream's targets and how far its client is; belongs to the puller.
struct StreamCore: Sendable {
    /// The surroundings of a stream.
    struct Context: Sendable {
        let database: DatabaseID
        let registry: LiveResults
        let reader: ListenReader
        let signal: StreamSignal
    }

    /// A target the client hears about.
    struct Target: Sendable, Identifiable {
        let id: Int32
        let liveResult: LiveResult
        let subscriber: Int
        let once: Bool
        let label: TargetLabel
        let authorization: ListenTarget.Authorization?
        /// How long its last verdict holds.
        var term = VerdictTerm.lasting
        /// The snapshot time of the last results sent to the client.
        var position = Timestamp(microseconds: .min)
        /// How much of a long initial result was given out.
        var filling: TargetFilling?
        /// How much of what was missed was given out.
        var catchingUp: CatchingUp?
        /// Has all its documents, of which the client knows; a target that ends with that waits for the snapshot.
        var isCurrent = false
    }

    var ids = TargetIDs()
    var targets = TargetTable<Target>()
    /// The target whose documents are given out in parts; the others wait for it.
    var fillingID: Int32?
    /// No snapshot before this commit was sent: some target has seen it.
    var neededCommit = Timestamp(microseconds: .min)
    /// The latest time some target was read at.
    var readThrough = Timestamp(microseconds: .min)
    /// The time of the last snapshot.
    var sentThrough = Timestamp(microseconds: .min)
    /// Whether the client received something that is not yet part of a snapshot.
    var owesSnapshot = false

    /// Does the next thing there is to do; without `mayBlock`, as far as it cannot block.
    ///
    /// - Throws: `FirestoreError`, which ends the stream.
    mutating func step(
        heartbeat: Timestamp?,
        mustReauthorize: Bool,
        mayBlock: Bool,
        in context: Context
    ) throws -> ListenBatch {
        var batch = ListenBatch()
        if mustReauthorize { try reauthorize(&batch, in: context) }
        let isFilling = fillingID != nil
        let request = context.signal.nextRequest { request in
            guard mayBlock else { return false }
            if case .remove = request { return true }
            return !isFilling
        }
        switch request {
        case .add(let target):
            batch.addedLabel = target.label
            try add(target, to: &batch, in: context)
        case .remove(let id): remove(id, from: &batch, in: context)
        case nil: break
        }
        if let fillingID, isFilling {
            try fill(fillingID, into: &batch, in: context)
        }
        if fillingID == nil {
            try advance(heartbeat: heartbeat, mayBlock: mayBlock, into: &batch, in: context)
        }
        label(&batch)
        if !owesSnapshot, !isReading, batch.continuation == .atOnce { batch.continuation = .whenWoken }
        return batch
    }

    /// Whether documents are given out in parts.
    var isReading: Bool { fillingID != nil || targets.ordered.contains { $0.catchingUp != nil } }

    /// Whether changes are reported only once some target has been judged again.
    var isJudgedAtChanges: Bool { targets.ordered.contains { $0.term == .untilNextChange } }

    /// Says what the billed reads are about; a step answers one request, so no id has stood for two targets.
    func label(_ batch: inout ListenBatch) {
        batch.label { targets[$0]?.label }
    }

    private mutating func remove(_ id: Int32, from batch: inout ListenBatch, in context: Context) {
        // A target that ended by itself was perhaps removed before the client knew: no second answer.
        guard ids.release(id) else { return }
        release(id, in: context)
        batch.append(.targetRemoved(id, cause: nil))
    }

    mutating func release(_ id: Int32, in context: Context) {
        if fillingID == id {
            fillingID = nil
        }
        guard let target = targets.remove(id) else { return }
        target.liveResult.unsubscribe(target.subscriber)
        context.registry.release(target.liveResult, by: context.signal)
    }

    /// Lets go of all live results.
    mutating func releaseAll(in context: Context) {
        for target in targets.ordered { release(target.id, in: context) }
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension StreamCore {
    /// Gives out what was read of a target, and declares it current when that was all.
    mutating func give(
        _ reading: TargetReading,
        to id: Int32,
        filter: ListenEvent? = nil,
        into batch: inout ListenBatch,
        in context: Context
    ) {
        guard var target = targets[id] else { return }
        if reading.isReset {
            target.isCurrent = false
            batch.events.append(.targetReset(id))
        }
        tell(reading, to: target, into: &batch)
        target.position = reading.readTime
        target.filling = reading.filling
        neededCommit = max(neededCommit, reading.lastCommit)
        readThrough = max(readThrough, reading.readTime)
        owesSnapshot = true
        fillingID = reading.filling == nil ? nil : id
        targets[id] = target
        if let window = reading.window {
            target.liveResult.provide(window, readAt: reading.readTime)
        }
        guard reading.filling == nil, !target.isCurrent else { return }
        batch.events += [filter].compactMap(\.self)
        makeCurrent(id, at: reading.readTime, into: &batch, in: context)
    }

    private func tell(_ reading: TargetReading, to target: Target, into batch: inout ListenBatch) {
        var changes = StreamChanges()
        let delta = ResultDelta(time: reading.readTime, changes: reading.changes)
        changes.add(delta, to: target.id, mask: target.liveResult.subject.mask)
        batch.bill(reading.indexEntryReads, to: target.id)
        guard reading.isInitial else {
            changes.append(to: &batch, readTime: reading.readTime)
            return
        }
        // Missing documents cost a read too, and a result without documents costs one.
        batch.events += changes.events(readTime: reading.readTime).map(\.event)
        batch.bill(max(1, reading.changes.count), to: target.id)
    }

    private mutating func makeCurrent(
        _ id: Int32,
        at time: Timestamp,
        into batch: inout ListenBatch,
        in context: Context
    ) {
        targets[id]?.isCurrent = true
        let token = ResumeToken(time: time).bytes(of: context.database)
        batch.events.append(.targetCurrent(id, token: token, readTime: time))
    }

    /// Gives out the next part of a long initial result.
    mutating func fill(_ id: Int32, into batch: inout ListenBatch, in context: Context) throws {
        guard let target = targets[id], let filling = target.filling, case .query(let query) = target.liveResult.subject
        else { return }
        let reading = try context.reader.read { snapshot in
            try snapshot.nextPart(of: query, after: filling)
        }
        give(reading, to: id, into: &batch, in: context)
    }

    /// Sends the effect of the commits, and closes it with a snapshot when all targets are as of one time.
    mutating func advance(heartbeat: Timestamp?, into batch: inout ListenBatch, in context: Context) throws {
        guard context.registry.hasTold(neededCommit, to: context.signal) else { return }
        // Read before the live results are asked: they have all commits up to here.
        let told = context.registry.toldThrough
        if let heartbeat, !targets.isEmpty {
            readThrough = max(readThrough, heartbeat)
        }
        for id in tell(through: told, into: &batch, in: context) where fillingID == nil {
            // A client that reads slowly is given part after part, and the snapshot only behind them.
            guard try catchUp(id, into: &batch, in: context) else { return }
        }
        guard fillingID == nil, neededCommit <= told else { return }
        let time = max(told, readThrough)
        let isHeartbeatDue = heartbeat.map { $0 > sentThrough } ?? false
        guard !targets.isEmpty, owesSnapshot || isHeartbeatDue else { return }
        appendSnapshot(at: time, into: &batch, in: context)
        owesSnapshot = false
        // Those that end now are billed, too.
        label(&batch)
        endSatisfiedTargets(&batch, in: context)
    }

    /// Sends the contents of the live results; returns the targets for which they do not have it all.
    private mutating func tell(through time: Timestamp, into batch: inout ListenBatch, in context: Context) -> [Int32] {
        var changes = StreamChanges()
        var lost: [Int32] = []
        for (id, target) in targets.sorted(by: { $0.key < $1.key }) {
            switch target.liveResult.take(target.subscriber, after: target.position, through: time) {
            case .lost:
                lost.append(id)
            case .deltas where target.catchingUp != nil:
                // Earlier changes of this live result were left out, and are among the missed ones.
                lost.append(id)
            case .deltas(let deltas):
                for delta in deltas {
                    changes.add(delta, to: id, mask: target.liveResult.subject.mask)
                }
                targets[id]?.position = max(target.position, time)
            }
        }
        guard !changes.isEmpty else { return lost }
        let readTime = max(time, readThrough)
        changes.append(to: &batch, readTime: readTime)
        for id in changes.resetTargets {
            makeCurrent(id, at: readTime, into: &batch, in: context)
        }
        owesSnapshot = true
        return lost
    }

    /// Sends a target what it missed, as if the client returned; false when the rest follows in the next batch.
    private mutating func catchUp(_ id: Int32, into batch: inout ListenBatch, in context: Context) throws -> Bool {
        while let target = targets[id], fillingID == nil {
            let reading = try context.reader.read { snapshot in
                try snapshot.missedChanges(
                    of: target.liveResult.subject,
                    in: context.database,
                    since: target.position,
                    behind: target.catchingUp
                )
            }
            give(reading, to: id, into: &batch, in: context)
            targets[id]?.catchingUp = reading.missedThrough.map { CatchingUp(time: reading.readTime, path: $0) }
            if reading.missedThrough != nil {
                targets[id]?.position = target.position
            } else if reading.isReset || target.catchingUp == nil {
                // As of the reading; after several parts there is another round.
                return batch.heldByteCount < context.reader.limits.partByteCountMax
            }
            if batch.heldByteCount >= context.reader.limits.partByteCountMax { return false }
        }
        return true
    }

    mutating func appendSnapshot(at time: Timestamp, into batch: inout ListenBatch, in context: Context) {
        let token = ResumeToken(time: time).bytes(of: context.database)
        batch.events.append(.snapshot(token: token, readTime: time))
        sentThrough = max(sentThrough, time)
    }

    private mutating func endSatisfiedTargets(_ batch: inout ListenBatch, in context: Context) {
        for id in targets.values.filter({ $0.once && $0.isCurrent }).map(\.id).sorted() {
            _ = ids.release(id)
            release(id, in: context)
            batch.events.append(.targetRemoved(id, cause: nil))
        }
    }
}

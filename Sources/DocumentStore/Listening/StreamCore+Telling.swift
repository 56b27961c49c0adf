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
            batch.append(.targetReset(id))
        }
        tell(reading, to: target, into: &batch)
        target.position = reading.readTime
        target.filling = reading.filling
        neededCommit = max(neededCommit, reading.lastCommit)
        readThrough = max(readThrough, reading.readTime)
        owesSnapshot = true
        fillingID = reading.filling == nil ? nil : id
        targets.put(target)
        if let window = reading.window {
            target.liveResult.provide(window, readAt: reading.readTime)
        }
        guard reading.filling == nil, !target.isCurrent else { return }
        batch.append(contentsOf: [filter].compactMap(\.self))
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
        batch.append(contentsOf: changes.events(readTime: reading.readTime).map(\.event))
        batch.bill(max(1, reading.changes.count), to: target.id)
    }

    private mutating func makeCurrent(
        _ id: Int32,
        at time: Timestamp,
        into batch: inout ListenBatch,
        in context: Context
    ) {
        targets.update(id) { $0.isCurrent = true }
        let token = ResumeToken(time: time).bytes(of: context.database)
        batch.append(.targetCurrent(id, token: token, readTime: time))
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
    mutating func advance(
        heartbeat: Timestamp?,
        mayBlock: Bool,
        into batch: inout ListenBatch,
        in context: Context
    ) throws {
        // Read before the live results are asked: they have all commits up to here.
        guard let told = context.registry.toldThrough(atLeast: neededCommit, for: context.signal) else {
            batch.continuation = .whenWoken
            return
        }
        if let heartbeat, !targets.isEmpty {
            readThrough = max(readThrough, heartbeat)
        }
        let time = max(told, readThrough)
        var (changed, lost) = takeChanges(through: told, mayBlock: mayBlock)
        if mayBlock {
            try judgeChanges(of: changed.map(\.id) + lost, &batch, in: context)
            changed.removeAll { targets[$0.id] == nil }
            lost.removeAll { targets[$0] == nil }
        }
        if lost.isEmpty, fillingID == nil, changed.count == 1, let only = changed.first, !only.span.isReset {
            tellNews(only, through: time, into: &batch, in: context)
        } else {
            tell(changed, readTime: time, into: &batch, in: context)
            let isHeartbeatDue = heartbeat.map { $0 > sentThrough } ?? false
            guard mayBlock || lost.isEmpty else {
                owesSnapshot = owesSnapshot || isHeartbeatDue
                batch.continuation = .blocking
                return
            }
            for id in lost where fillingID == nil {
                // A client that reads slowly is given part after part, and the snapshot only behind them.
                guard try catchUp(id, into: &batch, in: context) else { return }
            }
            guard fillingID == nil, neededCommit <= told else { return }
            guard !targets.isEmpty, owesSnapshot || isHeartbeatDue else { return }
            appendSnapshot(at: max(told, readThrough), into: &batch, in: context)
        }
        owesSnapshot = false
        endSatisfiedTargets(&batch, in: context)
    }

    /// The changes of a target.
    private struct Changed {
        let id: Int32
        let mask: DocumentMask?
        let span: ResultSpan
    }

    /// Takes the contents of the live results, and the targets for which they do not have it all, or not without blocking.
    private mutating func takeChanges(
        through time: Timestamp,
        mayBlock: Bool
    ) -> (changed: [Changed], lost: [Int32]) {
        var changed: [Changed] = []
        var lost: [Int32] = []
        targets.updateEach { target in
            switch target.take(through: time, mayBlock: mayBlock) {
            case .lost: lost.append(target.id)
            case .changes(let span) where !span.deltas.isEmpty:
                changed.append(Changed(id: target.id, mask: target.liveResult.subject.mask, span: span))
            case .changes: break
            }
        }
        return (changed, lost)
    }

    /// Sends the changes of one target, and the snapshot: the same to all streams that have no others.
    private mutating func tellNews(
        _ changed: Changed,
        through time: Timestamp,
        into batch: inout ListenBatch,
        in context: Context
    ) {
        let news = changed.span.news(
            for: changed.id,
            mask: changed.mask,
            through: time,
            snapshot: .snapshot(token: ResumeToken(time: time).bytes(of: context.database), readTime: time)
        )
        batch.append(news.events)
        batch.bill(news.billedCount, to: changed.id)
        sentThrough = max(sentThrough, time)
    }

    private mutating func tell(
        _ changed: [Changed],
        readTime: Timestamp,
        into batch: inout ListenBatch,
        in context: Context
    ) {
        guard !changed.isEmpty else { return }
        var changes = StreamChanges()
        for target in changed {
            for delta in target.span.deltas { changes.add(delta, to: target.id, mask: target.mask) }
        }
        changes.append(to: &batch, readTime: readTime)
        for id in changes.resetTargets {
            makeCurrent(id, at: readTime, into: &batch, in: context)
        }
        owesSnapshot = true
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
            let catchingUp = reading.missedThrough.map { CatchingUp(time: reading.readTime, path: $0) }
            targets.update(id) { $0.catchingUp = catchingUp }
            if catchingUp != nil {
                targets.update(id) { $0.position = target.position }
            } else if reading.isReset || target.catchingUp == nil {
                // As of the reading; after several parts there is another round.
                return batch.heldByteCount < context.reader.limits.partByteCountMax
            }
            if batch.heldByteCount >= context.reader.limits.partByteCountMax { return false }
        }
        return true
    }

    mutating func appendSnapshot(at time: Timestamp, into batch: inout ListenBatch, in context: Context) {
        batch.append(context.registry.snapshot(at: time, of: context.database))
        sentThrough = max(sentThrough, time)
    }

    private mutating func endSatisfiedTargets(_ batch: inout ListenBatch, in context: Context) {
        let satisfied = targets.ordered.lazy.filter { $0.once && $0.isCurrent }.map(\.id)
        guard !satisfied.isEmpty else { return }
        // Those that end now are billed, too.
        label(&batch)
        for id in Array(satisfied) {
            _ = ids.release(id)
            release(id, in: context)
            batch.append(.targetRemoved(id, cause: nil))
        }
    }
}

extension StreamCore.Target {
    /// Takes its changes up to a time.
    fileprivate mutating func take(through time: Timestamp, mayBlock: Bool) -> LiveResult.Taken {
        let taken = liveResult.take(subscriber, after: position, through: time, mayBlock: mayBlock)
        guard case .changes = taken else { return .lost }
        // Earlier changes of this live result were left out, and are among the missed ones.
        guard catchingUp == nil else { return .lost }
        position = max(position, time)
        return taken
    }
}

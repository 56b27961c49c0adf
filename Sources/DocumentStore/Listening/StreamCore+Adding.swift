// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension StreamCore {
    /// Takes up a target, with an answer to the client in any case.
    mutating func add(_ request: ListenTarget, to batch: inout ListenBatch, in context: Context) throws {
        guard let id = try ids.take(request.id) else {
            batch.append(.targetRemoved(request.id, cause: .targetExists(request.id)))
            return
        }
        var resumption: Resumption?
        switch request.start {
        case .fresh: break
        case .readTime(let time): resumption = Resumption(request, since: time, isByToken: false)
        case .token(let bytes):
            guard let token = ResumeToken(bytes, of: context.database) else {
                // Production says nothing of such a target before (recorded 2026-10).
                refuse(id, because: .badResumeToken, into: &batch, in: context)
                return
            }
            resumption = Resumption(request, since: token.time, isByToken: true)
        }
        batch.append(.targetAdded(id))
        do {
            try start(id, request: request, resumption: resumption, into: &batch, in: context)
        } catch let error as FirestoreError where error.isAboutTarget {
            refuse(id, because: error, into: &batch, in: context)
        }
    }

    /// Ends the targets that their authorizations refuse now.
    mutating func reauthorize(_ batch: inout ListenBatch, in context: Context) throws {
        for target in targets.ordered { try reauthorize(target, &batch, in: context) }
    }

    /// Has the targets judged again, before their changes are reported, whose verdicts may have changed with them.
    ///
    /// As the official emulator does, which ends a listener at the first such change (1.19.9, 2026-11).
    mutating func judgeChanges(of ids: some Sequence<Int32>, _ batch: inout ListenBatch, in context: Context) throws {
        for id in ids {
            guard let target = targets[id], target.term == .untilNextChange else { continue }
            try reauthorize(target, &batch, in: context)
        }
    }

    private mutating func reauthorize(_ target: Target, _ batch: inout ListenBatch, in context: Context) throws {
        guard let authorization = target.authorization else { return }
        do {
            let verdict = try authorization()
            batch.bill(ruleReads: verdict.ruleReads, to: target.id)
            if let refusal = verdict.refusal { throw refusal }
            targets.update(target.id) { $0.term = verdict.term }
        } catch let error as FirestoreError where error.isAboutTarget {
            // Its label goes with the target.
            label(&batch)
            refuse(target.id, because: error, into: &batch, in: context)
        }
    }

    private mutating func refuse(
        _ id: Int32,
        because cause: FirestoreError,
        into batch: inout ListenBatch,
        in context: Context
    ) {
        _ = ids.release(id)
        release(id, in: context)
        batch.append(.targetRemoved(id, cause: cause))
    }

    private mutating func start(
        _ id: Int32,
        request: ListenTarget,
        resumption: Resumption?,
        into batch: inout ListenBatch,
        in context: Context
    ) throws {
        guard targets.count < ListenLimits.targetMax else { throw FirestoreError.tooManyTargets }
        let verdict = try request.authorization?() ?? ListenVerdict()
        batch.bill(ruleReads: verdict.ruleReads, to: id)
        if let refusal = verdict.refusal { throw refusal }
        let liveResult = try acquireLiveResult(request.content, in: context)
        // Before the first read: whatever it does not see will be sent.
        targets.put(
            Target(
                id: id,
                liveResult: liveResult,
                subscriber: liveResult.subscribe(),
                once: request.once,
                label: request.label,
                authorization: request.authorization,
                term: verdict.term
            )
        )
        guard let resumption else {
            let reading = try context.reader.read { snapshot in
                try snapshot.initialDocuments(of: liveResult.subject, in: context.database)
            }
            give(reading, to: id, into: &batch, in: context)
            return
        }
        let (reading, count) = try context.reader.read { snapshot in
            try resumption.read(liveResult.subject, in: context.database, from: snapshot)
        }
        announce(resumption, reading: reading, into: &batch, in: context)
        give(reading, to: id, filter: resumption.filter(count, of: id), into: &batch, in: context)
        if let count, resumption.answer.isBilledInFull(at: reading.readTime), !reading.isReset {
            batch.replaceBill(of: id, by: max(1, count.count) + count.indexEntryReads)
        }
    }

    /// Sends a client that returns alone where it was, as production does (recorded 2026-10).
    private mutating func announce(
        _ resumption: Resumption,
        reading: TargetReading,
        into batch: inout ListenBatch,
        in context: Context
    ) {
        guard targets.count == 1, !reading.isReset, resumption.since > sentThrough else { return }
        appendSnapshot(at: resumption.since, into: &batch, in: context)
    }

    private func acquireLiveResult(_ content: ListenTarget.Content, in context: Context) throws -> LiveResult {
        let subject: ResultSubject
        let key: ResultKey
        switch content {
        case .refused(let error): throw error
        case .documents(let paths):
            var seen: Set<DocumentPath> = []
            let distinct = paths.filter { seen.insert($0).inserted }
            subject = .documents(distinct)
            key = ResultKey(database: context.database, content: .documents(distinct))
        case .query(let query):
            subject = .query(try ResultQuery(query, in: context.database))
            key = ResultKey(database: context.database, content: .query(SharedQuery(query: query)))
        }
        return context.registry.acquire(key, for: context.signal) {
            LiveResult(key, subject: subject, reader: context.reader)
        }
    }
}

extension FirestoreError {
    /// Whether it is the request's fault, so that it costs the target and not the stream.
    fileprivate var isAboutTarget: Bool {
        switch code {
        case .unavailable, .dataLoss: false
        // Else the disk's.
        case .resourceExhausted: self == .tooManyTargets
        case .invalidArgument, .notFound, .alreadyExists, .failedPrecondition: true
        case .permissionDenied, .unknown, .aborted, .unimplemented: true
        }
    }
}

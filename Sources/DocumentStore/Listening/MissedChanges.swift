// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// How far a target is with what its stream missed.
///
/// The documents that changed are sent by name, part by part, all parts as of the moment of the first: then the target is
/// as of that moment, and what changed meanwhile is sent in the next round.
struct CatchingUp: Sendable {
    /// When the first part was read, and as of when the others are.
    let time: Timestamp
    /// The last document sent.
    let path: DocumentPath
}

extension ListenSnapshot {
    /// The changes since a time, up to the bytes of a part; `former` is the part before, of the same moment.
    func missedChanges(
        of subject: ResultSubject,
        in database: DatabaseID,
        since time: Timestamp,
        behind former: CatchingUp?
    ) throws -> TargetReading {
        // A limited query is read whole: it is its window that changed.
        if case .query(let query) = subject, query.isLimited {
            return try changes(of: subject, in: database, since: time)
        }
        guard time <= readTime else { return try allDocumentsAgain(of: subject, in: database) }
        do {
            return try part(of: subject, in: database, since: time, behind: former)
        } catch let error as FirestoreError where error.code == .failedPrecondition {
            return try allDocumentsAgain(of: subject, in: database)
        }
    }

    private func part(
        of subject: ResultSubject,
        in database: DatabaseID,
        since time: Timestamp,
        behind former: CatchingUp?
    ) throws -> TargetReading {
        var reading = TargetReading(self)
        if let former { reading.readTime = former.time }
        var byteCount = 0
        for next in try paths(of: subject, in: database, since: time, behind: former?.path) {
            for change in try changes(of: [next], in: database, since: time, asOf: former?.time) {
                guard let meaning = try subject.meaning(of: change) else { continue }
                reading.changes.append(meaning)
                byteCount += change.after?.heldByteCount ?? 0
            }
            guard byteCount < limits.partByteCountMax else {
                reading.missedThrough = next
                break
            }
        }
        return reading
    }

    private func paths(
        of subject: ResultSubject,
        in database: DatabaseID,
        since time: Timestamp,
        behind path: DocumentPath?
    ) throws -> ArraySlice<DocumentPath> {
        switch subject {
        case .documents(let paths):
            let index = path.flatMap { paths.firstIndex(of: $0) }
            return paths[(index.map { $0 + 1 } ?? 0)...]
        case .query(let query):
            let paths = try changedPaths(in: query.plan.scope, of: database, since: time)
            guard let told = path.map({ OrderedKey($0) }) else { return paths[...] }
            return paths.drop { OrderedKey($0) <= told }
        }
    }
}

extension ResultSubject {
    /// The effect of a change where no limit counts.
    fileprivate func meaning(of change: DocumentChange) throws -> ResultChange? {
        switch self {
        case .documents: change.asNamed
        case .query(let query): try query.evaluate(change)
        }
    }
}

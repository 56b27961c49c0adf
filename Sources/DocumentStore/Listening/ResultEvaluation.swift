// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Works out what commits mean to a live result, and keeps it for those who have not received it.
struct ResultEvaluation: Sendable {
    private let subject: ResultSubject
    /// The result of a limited query as it was at a time.
    private let windowAsOf: @Sendable (ResultQuery, Timestamp) throws -> ResultWindow
    var log: ResultLog
    /// Of a limited query, as of the commits evaluated; `nil` until the result was read.
    private var window: ResultWindow? {
        didSet { boundWindow() }
    }
    /// Commits up to here are in the window already.
    private var windowTime = Timestamp(microseconds: .min)
    private let windowByteCountMax: Int
    private let windows: ChangeMemory
    private var windowMemory: (held: HeldChanges, byteCount: Int)?

    init(
        _ subject: ResultSubject,
        limits: ListenLimits,
        windows: ChangeMemory,
        windowAsOf: @escaping @Sendable (ResultQuery, Timestamp) throws -> ResultWindow
    ) {
        self.subject = subject
        self.windowAsOf = windowAsOf
        self.log = ResultLog(changeMax: limits.waitingChangeMax, byteCountMax: limits.waitingByteCountMax)
        self.windowByteCountMax = limits.windowByteCountMax
        self.windows = windows
    }

    /// Forgets a window that does not fit into memory; the result is then read again after each commit.
    private mutating func boundWindow() {
        let byteCount = window?.byteCount ?? 0
        guard byteCount != windowMemory?.byteCount ?? 0 else { return }
        windowMemory = nil
        guard byteCount > 0 else { return }
        if byteCount <= windowByteCountMax, let held = windows.hold(byteCount) {
            windowMemory = (held, byteCount)
        } else {
            window = nil
        }
    }

    /// Evaluates what waited, from a window that was just read if there is none.
    mutating func evaluate(
        _ waiting: (droppedThrough: Timestamp?, commits: [UnevaluatedCommits.Commit]),
        from provided: (window: ResultWindow, time: Timestamp)? = nil
    ) {
        if let time = waiting.droppedThrough {
            window = nil
            log.lose(through: time)
        }
        if window == nil, let provided, provided.time >= waiting.droppedThrough ?? provided.time {
            window = provided.window
            windowTime = provided.time
        }
        for commit in waiting.commits {
            evaluate(commit)
        }
    }

    private mutating func evaluate(_ commit: UnevaluatedCommits.Commit) {
        switch subject {
        case .documents(let paths):
            log.append(commit.delta(of: \.asNamed) { paths.map { ResultChange(initial: nil, at: $0) } })
        case .query(let query) where query.isLimited:
            evaluate(commit, for: query)
        case .query(let query):
            do {
                log.append(try commit.delta(of: query.evaluate) { [] })
            } catch {
                // A subscriber that catches up meets the error again, or not.
                log.lose(through: commit.time)
            }
        }
    }

    private mutating func evaluate(_ commit: UnevaluatedCommits.Commit, for query: ResultQuery) {
        guard commit.time > windowTime, let before = window else {
            log.lose(through: commit.time)
            return
        }
        switch commit.content {
        case .everythingDeleted:
            window = ResultWindow(query, entries: [])
            log.append(ResultDelta(time: commit.time, isReset: true, changes: []))
        case .changes(let changes):
            do {
                let (after, delta) = try evaluate(changes, at: commit.time, for: query, from: before)
                window = after
                log.append(ResultDelta(time: commit.time, changes: delta))
            } catch {
                // The next caller that catches up meets the error again, or not.
                window = nil
                log.lose(through: commit.time)
            }
        }
    }

    private func evaluate(
        _ changes: [DocumentChange],
        at time: Timestamp,
        for query: ResultQuery,
        from before: ResultWindow
    ) throws -> (ResultWindow, [ResultChange]) {
        var after = before
        guard try after.apply(changes) else { return (after, []) }
        if after.needsRefill {
            after = try windowAsOf(query, time)
        }
        let delta = try ResultWindow.changes(
            from: before.result,
            to: after.result,
            // Times are whole microseconds, and no two commits have the same.
            since: Timestamp(microseconds: time.microseconds - 1),
            mask: query.plan.mask
        ) { entry in
            let change = changes.last { $0.path == entry.document.path }
            return change.map(\.after) ?? entry.document
        }
        return (after, delta)
    }
}

extension UnevaluatedCommits.Commit {
    fileprivate func delta(
        of change: (DocumentChange) throws -> ResultChange?,
        whenEmptied: () -> [ResultChange]
    ) rethrows -> ResultDelta {
        switch content {
        case .changes(let changes): ResultDelta(time: time, changes: try changes.compactMap(change))
        case .everythingDeleted: ResultDelta(time: time, isReset: true, changes: whenEmptied())
        }
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Works out what commits mean to a view, and keeps it for those who have not been told.
struct ViewEvaluation: Sendable {
    private let subject: ViewSubject
    /// The result of a limited query as it was at a time.
    private let windowAsOf: @Sendable (ViewQuery, Timestamp) throws -> ResultWindow
    var log: ViewLog
    /// Of a limited query, as of the commits evaluated; `nil` until somebody read the result.
    private var window: ResultWindow?
    /// Commits up to here are in the window already.
    private var windowTime = Timestamp(microseconds: .min)

    init(
        _ subject: ViewSubject,
        changeMax: Int,
        windowAsOf: @escaping @Sendable (ViewQuery, Timestamp) throws -> ResultWindow
    ) {
        self.subject = subject
        self.windowAsOf = windowAsOf
        self.log = ViewLog(changeMax: changeMax)
    }

    /// Evaluates what waited, from a window that was just read if there is none.
    mutating func evaluate(
        _ waiting: (droppedThrough: Timestamp?, commits: [WaitingCommits.Commit]),
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

    private mutating func evaluate(_ commit: WaitingCommits.Commit) {
        switch subject {
        case .documents(let paths):
            log.append(commit.delta(of: \.asNamed) { paths.map { ViewChange(initial: nil, at: $0) } })
        case .query(let query):
            guard query.isLimited else {
                log.append(commit.delta(of: query.evaluate) { [] })
                return
            }
            evaluate(commit, query)
        }
    }

    private mutating func evaluate(_ commit: WaitingCommits.Commit, _ query: ViewQuery) {
        guard commit.time > windowTime, let before = window else {
            log.lose(through: commit.time)
            return
        }
        switch commit.content {
        case .everythingDeleted:
            window = ResultWindow(query, entries: [])
            log.append(ViewDelta(time: commit.time, isReset: true, changes: []))
        case .changes(let changes):
            do {
                let (after, delta) = try evaluate(changes, at: commit.time, query, from: before)
                window = after
                log.append(ViewDelta(time: commit.time, changes: delta))
            } catch {
                // Whoever catches up meets the error again, or not.
                window = nil
                log.lose(through: commit.time)
            }
        }
    }

    private func evaluate(
        _ changes: [DocumentChange],
        at time: Timestamp,
        _ query: ViewQuery,
        from before: ResultWindow
    ) throws -> (ResultWindow, [ViewChange]) {
        var after = before
        guard after.apply(changes) else { return (after, []) }
        if after.needsRefill {
            after = try windowAsOf(query, time)
        }
        let delta = ResultWindow.changes(
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

extension WaitingCommits.Commit {
    fileprivate func delta(
        of change: (DocumentChange) -> ViewChange?,
        whenEmptied: () -> [ViewChange]
    ) -> ViewDelta {
        switch content {
        case .changes(let changes): ViewDelta(time: time, changes: changes.compactMap(change))
        case .everythingDeleted: ViewDelta(time: time, isReset: true, changes: whenEmptied())
        }
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Commits that a view was told of and that nobody has evaluated yet.
///
/// When too many wait all are dropped: the view remembers until when it knows nothing.
struct WaitingCommits: Sendable {
    enum Content: Sendable {
        case changes([DocumentChange])
        /// All documents of the database were deleted.
        case everythingDeleted
    }

    struct Commit: Sendable {
        let time: Timestamp
        let content: Content
    }

    private let changeMax: Int
    private var commits: [Commit] = []
    private var changeCount = 0
    private var droppedThrough: Timestamp?

    init(changeMax: Int) {
        self.changeMax = changeMax
    }

    mutating func add(_ commit: Commit) {
        changeCount += commit.changeCount
        guard changeCount <= changeMax else {
            commits = []
            changeCount = 0
            droppedThrough = commit.time
            return
        }
        commits.append(commit)
    }

    /// Hands over what waits: the time through which commits were dropped, and those after it.
    mutating func takeAll() -> (droppedThrough: Timestamp?, commits: [Commit]) {
        defer { self = WaitingCommits(changeMax: changeMax) }
        return (droppedThrough, commits)
    }
}

extension WaitingCommits.Commit {
    fileprivate var changeCount: Int {
        switch content {
        case .changes(let changes): max(1, changes.count)
        case .everythingDeleted: 1
        }
    }
}

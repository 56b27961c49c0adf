// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Commits that a live result received and that are not evaluated yet.
///
/// When too many wait all are dropped: the live result remembers until when it knows nothing.
struct UnevaluatedCommits: Sendable {
    enum Content: Sendable {
        case changes([DocumentChange])
        /// All documents of the database were deleted.
        case everythingDeleted
    }

    struct Commit: Sendable {
        let time: Timestamp
        let content: Content
        /// The memory of its documents, shared with the other live results; `nil` where there was none left.
        var memory: HeldChanges?
    }

    private let changeMax: Int
    private let byteCountMax: Int
    private var commits: [Commit] = []
    private var changeCount = 0
    private var byteCount = 0
    private var droppedThrough: Timestamp?

    init(changeMax: Int, byteCountMax: Int) {
        self.changeMax = changeMax
        self.byteCountMax = byteCountMax
    }

    /// Whether they are evaluated in no time.
    var areFew: Bool { ListenLimits.areFew(changeCount: changeCount, byteCount: byteCount) }

    mutating func add(_ commit: Commit) {
        changeCount += commit.changeCount
        byteCount += commit.byteCount
        guard changeCount <= changeMax, byteCount <= byteCountMax, commit.memory != nil else {
            return drop(through: commit.time)
        }
        commits.append(commit)
    }

    /// Drops what waits, for other live results to have room.
    mutating func dropAll() {
        guard let last = commits.last else { return }
        drop(through: last.time)
    }

    /// Drops what waits, and all up to a time.
    mutating func drop(through time: Timestamp) {
        commits = []
        changeCount = 0
        byteCount = 0
        droppedThrough = time
    }

    /// Hands over what waits: the time through which commits were dropped, and those after it.
    mutating func takeAll() -> (droppedThrough: Timestamp?, commits: [Commit]) {
        defer { self = UnevaluatedCommits(changeMax: changeMax, byteCountMax: byteCountMax) }
        return (droppedThrough, commits)
    }
}

extension UnevaluatedCommits.Commit {
    fileprivate var byteCount: Int {
        switch content {
        case .changes(let changes): changes.reduce(0) { $0 + $1.heldByteCount }
        case .everythingDeleted: 0
        }
    }

    fileprivate var changeCount: Int {
        switch content {
        case .changes(let changes): max(1, changes.count)
        case .everythingDeleted: 1
        }
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// Commits that were acknowledged and are not in the file yet.
///
///     commit ─▶ waiting ─▶ leaving ─▶ the file
///
/// A document is looked for here first and in the file after that, never the other way round: what leaves is in the file
/// before it is gone from here.
final class StagedCommits: Sendable {
    /// As many documents are written to the file without delay, in one transaction.
    private static let writeCountOfTransaction = 250
    /// Beyond these, commits wait for the file.
    private static let writeCountMax = 4_000
    private static let byteCountMax = 8 << 20

    /// When somebody has to write what waits.
    enum Demand {
        /// Somebody will already.
        case none
        /// A little later, together with what comes until then.
        case soon
        case now
    }

    private struct State {
        var waiting = StagedDocuments()
        /// Being written; after a failure they stay.
        var leaving = StagedDocuments()
        var demand = Demand.none
        var isClosed = false

        var writeCount: Int { waiting.writeCount + leaving.writeCount }
        var byteCount: Int { waiting.byteCount + leaving.byteCount }
    }

    private let state = NIOLockedValueBox(State())

    /// How documents are after all commits up to now.
    struct Snapshot {
        fileprivate let waiting: StagedDocuments
        fileprivate let leaving: StagedDocuments

        /// `nil` for what is as the file has it; `.some(nil)` for what is deleted.
        func state(of path: DocumentPath, in database: DatabaseID) -> StoredDocument?? {
            waiting.state(of: path, in: database) ?? leaving.state(of: path, in: database)
        }
    }

    /// To be let go before the next commit is added, which would have to copy it.
    var snapshot: Snapshot {
        state.withLockedValue { Snapshot(waiting: $0.waiting, leaving: $0.leaving) }
    }

    func state(of path: DocumentPath, in database: DatabaseID) -> StoredDocument?? {
        state.withLockedValue { state in
            state.waiting.state(of: path, in: database) ?? state.leaving.state(of: path, in: database)
        }
    }

    /// Whether the file has everything.
    var isEmpty: Bool {
        state.withLockedValue { $0.waiting.commits.isEmpty && $0.leaving.commits.isEmpty }
    }

    /// Whether the file is so far behind that commits have to wait for it.
    var isFull: Bool {
        state.withLockedValue { $0.writeCount >= Self.writeCountMax || $0.byteCount >= Self.byteCountMax }
    }

    /// The sizes of all documents that are not in the file yet.
    var byteCount: Int { state.withLockedValue(\.byteCount) }

    /// Takes a commit in and tells whether the caller has to see to it that it is written.
    ///
    /// - Throws: `DocumentStoreError` once closed.
    func add(_ commit: PlannedCommit) throws -> Demand {
        try state.withLockedValue { state in
            guard !state.isClosed else { throw DocumentStoreError.closed }
            state.waiting.append(commit)
            let needed = state.waiting.writeCount >= Self.writeCountOfTransaction ? Demand.now : .soon
            guard state.demand == .none || state.demand == .soon && needed == .now else { return .none }
            state.demand = needed
            return needed
        }
    }

    /// Takes no more commits in.
    func close() {
        state.withLockedValue { $0.isClosed = true }
    }

    /// Hands out what waits, for the one who writes to the file.
    func beginLeaving() -> [PlannedCommit] {
        state.withLockedValue { state in
            if state.leaving.commits.isEmpty {
                swap(&state.leaving, &state.waiting)
            } else {
                // Somebody failed to write these.
                state.leaving.append(state.waiting)
                state.waiting = StagedDocuments()
            }
            state.demand = .none
            return state.leaving.commits
        }
    }

    /// The file has what was handed out.
    func endLeaving() {
        // Freed behind the lock.
        var left = StagedDocuments()
        state.withLockedValue { swap(&$0.leaving, &left) }
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
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

    /// When waiting commits have to be written.
    enum Urgency {
        /// The work is already arranged.
        case none
        /// A little later, together with what comes until then.
        case soon
        case now
    }

    /// How documents are after all commits up to now.
    struct Snapshot {
        fileprivate var waiting = StagedDocuments()
        /// Being written; after a failure they stay.
        fileprivate var leaving = StagedDocuments()

        fileprivate var isEmpty: Bool { waiting.commits.isEmpty && leaving.commits.isEmpty }
        fileprivate var writeCount: Int { waiting.writeCount + leaving.writeCount }
        fileprivate var byteCount: Int { waiting.byteCount + leaving.byteCount }

        /// `nil` for what is as the file has it; `.some(nil)` for what is deleted.
        func state(of path: DocumentPath, in database: DatabaseID) -> StoredDocument?? {
            waiting.state(of: path, in: database) ?? leaving.state(of: path, in: database)
        }
    }

    private struct State {
        var documents = Snapshot()
        var urgency = Urgency.none
        var isClosed = false
    }

    private let state = NIOLockedValueBox(State())

    /// To be let go before the next commit is added, which would have to copy it.
    var snapshot: Snapshot { state.withLockedValue(\.documents) }

    /// The read time of a snapshot, without taking one.
    func state(of path: DocumentPath, in database: DatabaseID) -> StoredDocument?? {
        state.withLockedValue { $0.documents.state(of: path, in: database) }
    }

    /// Whether the file has everything.
    var isEmpty: Bool { state.withLockedValue(\.documents.isEmpty) }

    /// Whether the file is so far behind that commits have to wait for it.
    var isFull: Bool {
        state.withLockedValue { state in
            state.documents.writeCount >= Self.writeCountMax || state.documents.byteCount >= Self.byteCountMax
        }
    }

    /// The sizes of all documents that are not in the file yet.
    var byteCount: Int { state.withLockedValue(\.documents.byteCount) }

    /// Takes a commit in and returns whether the caller has to see to it that it is written.
    ///
    /// - Throws: `FirestoreError` once closed.
    func add(_ commit: PlannedCommit) throws -> Urgency {
        try state.withLockedValue { state in
            guard !state.isClosed else { throw FirestoreError.closed }
            state.documents.waiting.append(commit)
            let needed = state.documents.waiting.writeCount >= Self.writeCountOfTransaction ? Urgency.now : .soon
            guard state.urgency == .none || state.urgency == .soon && needed == .now else { return .none }
            state.urgency = needed
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
            if state.documents.leaving.commits.isEmpty {
                swap(&state.documents.leaving, &state.documents.waiting)
            } else {
                // An earlier attempt to write these failed.
                state.documents.leaving.append(state.documents.waiting)
                state.documents.waiting = StagedDocuments()
            }
            state.urgency = .none
            return state.documents.leaving.commits
        }
    }

    /// The file has what was handed out.
    func endLeaving() {
        // Freed behind the lock.
        var left = StagedDocuments()
        state.withLockedValue { swap(&$0.documents.leaving, &left) }
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How documents are before a commit: those on their way to the file, and behind them the file.
struct FormerState {
    let rows: RowMemo
    var staged: StagedCommits.Snapshot?
    /// `nil` when the store had documents before it was opened.
    let presence: PresenceFilter?

    func document(at path: DocumentPath, in database: DatabaseID) throws -> StoredDocument? {
        if let presence, !presence.mayContain(path, in: database) { return nil }
        return try staged?.state(of: path, in: database) ?? rows.storedDocument(at: path, in: database)
    }

    /// Notes what the commits after this one have to look for.
    func note(_ commit: PlannedCommit) {
        guard let presence else { return }
        for outcome in commit.outcomes where outcome.before == nil {
            presence.insert(outcome.path, in: commit.database)
        }
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Commits on their way to the file, and how they leave their documents.
struct StagedDocuments {
    private(set) var commits: [PlannedCommit] = []
    private var documents: [DatabaseID: [DocumentPath: StoredDocument?]] = [:]
    /// How many documents they write; a commit counts as one at least.
    private(set) var writeCount = 0
    /// How large these documents are, before and after.
    private(set) var byteCount = 0

    mutating func append(_ commit: PlannedCommit) {
        commits.append(commit)
        writeCount += max(1, commit.outcomes.count)
        for outcome in commit.outcomes {
            byteCount += outcome.byteCount
            // The default is used once: the inner dictionary is changed in place.
            documents[commit.database, default: [:]][outcome.path] = .some(outcome.staged)
        }
    }

    mutating func append(_ later: StagedDocuments) {
        for commit in later.commits { append(commit) }
    }

    /// A document's state after these commits, `.some(nil)` for one that they delete; `nil` if they leave it alone.
    func state(of path: DocumentPath, in database: DatabaseID) -> StoredDocument?? {
        documents[database]?[path]
    }
}

extension CommitPlan.Outcome {
    fileprivate var byteCount: Int {
        [before?.document, after].reduce(0) { $0 + ($1?.encodedFields.bytes.count ?? 0) }
    }

    /// The document as the next commit finds it; it stays in its row unless it is a new one.
    fileprivate var staged: StoredDocument? {
        after.map { StoredDocument(row: isReplaced ? nil : before?.row, document: $0) }
    }
}

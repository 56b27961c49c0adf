// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The documents as a commit's writes make them, before anything is stored.
struct CommitPlan {
    /// A document before and after the commit.
    struct Outcome {
        let path: DocumentPath
        let before: StoredDocument?
        /// `nil` for one that is missing afterwards; the former document when nothing changed.
        let after: Document?
        /// Whether it comes back as a new document.
        let isReplaced: Bool

        var isChange: Bool { before?.document.updateTime != after?.updateTime }
    }

    private let commitTime: Timestamp
    private var documents: [WorkingDocument] = []
    private var places: [DocumentPath: Int] = [:]
    /// For each write its document's place and the results of its transforms.
    private var writes: [(document: Int, operation: Write.Operation, results: [Value])] = []

    init(commitTime: Timestamp, writeCount: Int) {
        self.commitTime = commitTime
        documents.reserveCapacity(writeCount)
        places.reserveCapacity(writeCount)
        writes.reserveCapacity(writeCount)
    }

    /// Applies a write to its document, which is loaded when it is the first for it.
    mutating func add(_ write: Write, load: (DocumentPath) throws -> WorkingDocument) throws {
        let place = places[write.path] ?? documents.count
        if place == documents.count {
            documents.append(try load(write.path))
            places[write.path] = place
        }
        let results = try documents[place].apply(write, requestTime: commitTime.truncatedToMilliseconds)
        writes.append((place, write.operation, results))
    }

    /// The documents to store, in the order in which they were first written.
    func outcomes() -> [Outcome] {
        documents.map { working in
            Outcome(
                path: working.reference.path,
                before: working.stored,
                after: working.encodedFields.map { document(working, fields: $0) },
                isReplaced: working.isReplaced
            )
        }
    }

    private func document(_ working: WorkingDocument, fields: EncodedFields) -> Document {
        let path = working.reference.path
        guard let before = working.stored?.document, !working.isReplaced else {
            return Document(path: path, encodedFields: fields, createTime: commitTime, updateTime: commitTime)
        }
        // A write without effect is billed but leaves the document as it was.
        guard fields != before.encodedFields else { return before }
        return Document(path: path, encodedFields: fields, createTime: before.createTime, updateTime: commitTime)
    }

    /// Writes of one document share its update time, which none has after the last one deleted it.
    ///
    /// Source: official emulator 1.19.9 (2026-11).
    func result(_ outcomes: [Outcome]) -> CommitResult {
        var result = CommitResult(commitTime: commitTime, results: [], billedWrites: 0, billedDeletes: 0)
        for write in writes {
            let after = outcomes[write.document].after
            switch write.operation {
            case .delete: result.billedDeletes += 1
            case .set: result.billedWrites += 1
            case .verify: break
            }
            result.results.append(WriteResult(updateTime: after?.updateTime, transformResults: write.results))
            result.documents.append(after)
        }
        return result
    }
}

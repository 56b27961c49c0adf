// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The effect of one or several commits on one document of a live result.
struct ResultChange: Sendable, Equatable {
    let path: DocumentPath
    /// As it is now, with only the live result's fields; `nil` when it does not exist.
    let document: Document?
    let wasIn: Bool
    let isIn: Bool
    /// Whether the document itself changed; else it moved because others did.
    let hasChanged: Bool

    init(path: DocumentPath, document: Document?, wasIn: Bool, isIn: Bool, hasChanged: Bool = true) {
        self.path = path
        self.document = document
        self.wasIn = wasIn
        self.isIn = isIn
        self.hasChanged = hasChanged
    }

    /// A document of an initial result; for a missing one, that it is missing.
    init(initial document: Document?, at path: DocumentPath) {
        self.init(path: path, document: document, wasIn: document == nil, isIn: document != nil)
    }
}

/// The effect of one commit on a live result.
struct ResultDelta: Sendable {
    let time: Timestamp
    /// Whether the live result was emptied before the changes.
    let isReset: Bool
    let changes: [ResultChange]

    init(time: Timestamp, isReset: Bool = false, changes: [ResultChange]) {
        self.time = time
        self.isReset = isReset
        self.changes = changes
    }

    var heldByteCount: Int { changes.reduce(0) { $0 + ($1.document?.heldByteCount ?? 0) } }

    var isEmpty: Bool { !isReset && changes.isEmpty }
}

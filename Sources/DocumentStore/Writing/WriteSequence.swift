// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Which writes of one commit may follow each other on the same document.
///
/// Firestore makes one write of them before it looks at the document, so some are refused whatever it contains.
/// Measured on the official emulator 1.19.9 (2026-11); "Cannot delete then update …" is recorded from production
/// (2026-08).
struct WriteSequence {
    /// The combined effect of a document's writes so far.
    fileprivate enum Effect: String {
        case insert
        case update
        case upsert
        case delete
        case verify
    }

    private struct State {
        var effect: Effect
        let needsDocument: Bool
        /// The update time that the first write asks for.
        let version: Timestamp?
        var transformCount: Int
    }

    private var states: [DocumentPath: State] = [:]

    /// Refuses writes that cannot follow each other.
    ///
    /// - Throws: `FirestoreError` (invalid argument).
    static func validate(_ writes: [Write]) throws {
        // Where no two documents share an id, none is written twice.
        var ids = Set<String>(minimumCapacity: writes.count)
        guard !writes.allSatisfy({ ids.insert($0.path.id).inserted }) else { return }
        var sequence = WriteSequence()
        for write in writes {
            try sequence.append(write)
        }
    }

    private mutating func append(_ write: Write) throws {
        let effect = Effect(write)
        let needsDocument = write.precondition.map { $0 != .exists(false) } ?? false
        guard let state = states[write.path] else {
            let version = write.precondition?.version
            states[write.path] = State(
                effect: effect,
                needsDocument: needsDocument,
                version: version,
                transformCount: write.updateTransforms.count
            )
            return
        }
        try Self.validate(write, effect, after: state)
        // They count together (recorded from production, 2026-09: 250 and 251 are refused).
        let transformCount = state.transformCount + write.updateTransforms.count
        guard transformCount <= DocumentLimits.transformCountMax else { throw FirestoreError.tooManyTransforms }
        states[write.path]?.transformCount = transformCount
        states[write.path]?.effect = state.effect.merged(with: effect, needsDocument: state.needsDocument)
    }

    private static func validate(_ write: Write, _ next: Effect, after state: State) throws {
        switch (state.effect, next) {
        case (.verify, .verify): throw FirestoreError.verifiedTwice
        case (.verify, _): throw FirestoreError.verifiedThenWritten
        case (_, .verify): throw FirestoreError.writtenThenVerified
        case (.insert, _), (.update, _), (.upsert, _), (.delete, _): break
        }
        // A deleted document does not exist, one that was set does.
        let isDeleted = state.effect == .delete
        let isImpossible = write.precondition == .exists(isDeleted) || isDeleted && next == .update
        guard !isImpossible else {
            throw FirestoreError.impossibleSequence(state.effect.rawValue, then: next.rawValue)
        }
        if let version = write.precondition?.version, version != state.version {
            throw FirestoreError.differentVersions(state.version, version)
        }
    }
}

extension Precondition {
    fileprivate var version: Timestamp? {
        guard case .updateTime(let time) = self else { return nil }
        return time
    }
}

extension WriteSequence.Effect {
    fileprivate init(_ write: Write) {
        switch (write.operation, write.precondition) {
        case (.verify, _): self = .verify
        case (.delete, _): self = .delete
        case (.set, nil): self = .upsert
        case (.set, .exists(false)): self = .insert
        case (.set, _): self = .update
        }
    }

    fileprivate func merged(with next: Self, needsDocument: Bool) -> Self {
        guard next != .delete else { return .delete }
        guard self == .delete else { return self }
        return needsDocument ? .update : .upsert
    }
}

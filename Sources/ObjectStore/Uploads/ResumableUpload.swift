// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// An upload that arrives over several requests and outlives the process.
///
/// The received part is the length of a file, so an upload is resumed there after a crash. Of several
/// requests that append at once only the latest may: a client resends when it believes the one before to be lost.
package struct ResumableUpload: Sendable {
    /// The right to append, until another request takes it.
    package struct Turn: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// The state that all requests of an upload share; it knows nothing of the store, which keeps it.
    final class Shared: Sendable {
        fileprivate enum Bytes: Sendable {
            /// The file has not been opened yet.
            case resting
            case open(StagedBytes)
            case cancelled
            case completed(ObjectPath, generation: Int64, byteCount: Int64)
        }

        fileprivate struct State: Sendable {
            var bytes: Bytes
            var turn = 0
        }

        let request: String
        fileprivate let state: NIOLockedValueBox<State>

        /// Begins an upload.
        init(_ bytes: StagedBytes, request: String) {
            self.request = request
            state = NIOLockedValueBox(State(bytes: .open(bytes)))
        }

        /// Goes on with an upload that was begun before.
        init(_ row: UploadRow, in store: SQLiteObjectStore) throws {
            request = row.request
            let bytes: Bytes =
                switch row.state {
                case .active: .resting
                case .cancelled: .cancelled
                case .completed(let path, let generation):
                    .completed(
                        path,
                        generation: generation,
                        byteCount: try store.metadata(at: path, generation: generation)?.byteCount ?? 0
                    )
                }
            state = NIOLockedValueBox(State(bytes: bytes))
        }
    }

    private typealias State = Shared.State

    /// The name of the upload.
    package let id: UploadID
    /// The server's record of the upload's beginning.
    package var request: String { shared.request }
    private let store: SQLiteObjectStore
    private let shared: Shared
    private var state: NIOLockedValueBox<State> { shared.state }

    init(_ id: UploadID, shared: Shared, in store: SQLiteObjectStore) {
        self.id = id
        self.shared = shared
        self.store = store
    }

    /// How far the upload has come.
    package func progress() throws -> UploadProgress {
        try state.withLockedValue { state in
            switch state.bytes {
            case .resting, .open: .active(byteCount: try opened(&state).byteCount)
            case .cancelled: .cancelled
            case .completed(let path, let generation, let byteCount):
                .completed(path, generation: generation, byteCount: byteCount)
            }
        }
    }

    /// The number and the checksums of the bytes so far; throws `uploadEnded` when the upload is over.
    package func runningDigest() throws -> (byteCount: Int64, sums: ObjectDigest) {
        try state.withLockedValue { state in
            let bytes = try opened(&state)
            return (bytes.byteCount, try bytes.runningDigest())
        }
    }

    /// Takes the right to append from its holder.
    package func takeTurn() -> Turn {
        state.withLockedValue { state in
            state.turn += 1
            return Turn(number: state.turn)
        }
    }

    /// Appends bytes; throws `uploadEnded` when the upload is over or another request has the turn, and `tooLarge`.
    package func append(_ bytes: UnsafeRawBufferPointer, in turn: Turn) throws {
        try state.withLockedValue { state in
            guard state.turn == turn.number else { throw ObjectStoreError.uploadEnded }
            var staged = try opened(&state)
            do {
                try staged.append(bytes)
                state.bytes = .open(staged)
            } catch {
                // A short write has parted the file from its checksums: read the file again.
                state.bytes = .resting
                throw error
            }
        }
    }

    /// Waits until what has been appended survives whatever the durability promises; called before it is acknowledged.
    package func synchronize() throws {
        let bytes = state.withLockedValue { state in
            if case .open(let staged) = state.bytes { staged } else { StagedBytes?.none }
        }
        try bytes?.synchronize()
    }

    /// Makes the bytes the object at a path, replacing the object there; on return they are durable.
    ///
    /// Throws `preconditionFailed`, `notModified`, `hashMismatch`, `invalidAttribute`, `held` or `retained`; the upload is
    /// over then. A fault of the disk leaves it as it was, to be tried again.
    package func commit(_ placement: UploadPlacement, in turn: Turn) throws -> ObjectMetadata {
        try state.withLockedValue { state in
            guard state.turn == turn.number else { throw ObjectStoreError.uploadEnded }
            let bytes = try opened(&state)
            do {
                let placed = try ObjectPlacement(bytes, upload: placement)
                try bytes.place(isKept: true)
                let object = try store.put(
                    placed,
                    at: placement.path,
                    preconditions: placement.preconditions
                ) { database, object, _ in
                    try UploadTable(database: database).complete(id, with: object)
                }
                state.bytes = .completed(placement.path, generation: object.generation, byteCount: object.byteCount)
                bytes.discard()
                return object
            } catch {
                // The checksums are finished: to resume, the file is read again.
                state.bytes = .resting
                if (error as? ObjectStoreError)?.isFinalForUploads ?? true { try? end(&state) }
                throw error
            }
        }
    }

    /// Gives the upload up and removes its bytes; does nothing when it is over.
    package func cancel() throws {
        try state.withLockedValue { state in
            switch state.bytes {
            case .cancelled, .completed: break
            case .resting, .open: try end(&state)
            }
        }
    }

    private func end(_ state: inout State) throws {
        try store.writing(.deleting) { try UploadTable(database: $0).cancel(id) }
        state.bytes = .cancelled
        store.directory.discardUpload(id.blob)
    }

    private func opened(_ state: inout State) throws -> StagedBytes {
        switch state.bytes {
        case .open(let bytes): return bytes
        case .cancelled, .completed: throw ObjectStoreError.uploadEnded
        case .resting:
            let limit = store.configuration.objectByteCountMax
            guard let bytes = try StagedBytes(reopening: id.blob, in: store.directory, byteCountMax: limit) else {
                throw ObjectStoreError.uploadEnded
            }
            state.bytes = .open(bytes)
            return bytes
        }
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// Bytes on their way into the store: appended in order, then committed or abandoned.
///
/// The bytes wait in a temporary file, so memory does not grow with the object. An upload that is neither committed
/// nor abandoned is abandoned with its last reference. Any failure ends the upload and leaves nothing behind.
package final class ObjectUpload: Sendable {
    /// The bytes so far.
    struct Progress: Sendable {
        let file: StoreFile
        var hasher: ObjectHasher
        var byteCount: Int64 = 0
    }

    private enum State: Sendable {
        case open(Progress)
        case ended(byteCount: Int64)
    }

    private let store: SQLiteObjectStore
    private let id: BlobID
    private let state: NIOLockedValueBox<State>

    init(store: SQLiteObjectStore) throws {
        self.store = store
        id = BlobID()
        let hasher = try ObjectHasher()
        let file = try StoreFile.creating(store.directory.uploadPath(id))
        state = NIOLockedValueBox(.open(Progress(file: file, hasher: hasher)))
    }

    deinit {
        abandon()
    }

    /// The number of bytes appended so far.
    package var byteCount: Int64 {
        state.withLockedValue {
            switch $0 {
            case .open(let progress): progress.byteCount
            case .ended(let byteCount): byteCount
            }
        }
    }

    /// Appends bytes; throws `tooLarge` past the store's limit.
    package func append(_ bytes: UnsafeRawBufferPointer) throws {
        do {
            try state.withLockedValue { state in
                guard case .open(var progress) = state else { throw ObjectStoreError.uploadEnded }
                try store.append(bytes, to: &progress)
                state = .open(progress)
            }
        } catch {
            // A short write has parted the file from its checksums.
            abandon()
            throw error
        }
    }

    /// Makes the bytes the object at a path, replacing the object there; on return they are durable.
    ///
    /// Throws `preconditionFailed`, `hashMismatch` or `invalidAttribute`, and has then changed nothing.
    package func commit(
        to path: ObjectPath,
        attributes: ObjectAttributes = ObjectAttributes(),
        preconditions: ObjectPreconditions = .none,
        expected: ExpectedDigest = .anything
    ) throws -> ObjectMetadata {
        guard let progress = end() else { throw ObjectStoreError.uploadEnded }
        do {
            let digest = try progress.hasher.finish()
            try expected.check(digest)
            try attributes.validate()
            let blob = StagedBlob(id: id, byteCount: progress.byteCount, digest: digest)
            try store.directory.place(id, file: progress.file)
            return try store.put(blob, at: path, attributes: attributes, preconditions: preconditions)
        } catch {
            store.directory.discardUpload(id)
            throw error
        }
    }

    /// Ends the upload and removes its bytes; does nothing when it has ended before.
    package func abandon() {
        if end() != nil { store.directory.discardUpload(id) }
    }

    /// Ends the upload; returns its progress to the first caller only.
    private func end() -> Progress? {
        state.withLockedValue {
            guard case .open(let progress) = $0 else { return nil }
            $0 = .ended(byteCount: progress.byteCount)
            return progress
        }
    }
}

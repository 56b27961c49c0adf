// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// Bytes on their way into the store in one go: appended in order, then committed or abandoned.
///
/// The bytes wait in a temporary file, so memory does not grow with the object. An upload that is neither committed
/// nor abandoned is abandoned with its last reference. Any failure ends the upload and leaves nothing behind.
package final class ObjectUpload: Sendable {
    private enum State: Sendable {
        case open(StagedBytes)
        case ended(byteCount: Int64)
    }

    private let store: SQLiteObjectStore
    private let state: NIOLockedValueBox<State>

    init(store: SQLiteObjectStore) throws {
        self.store = store
        let bytes = try StagedBytes(in: store.directory, byteCountMax: store.configuration.objectByteCountMax)
        state = NIOLockedValueBox(.open(bytes))
    }

    deinit {
        abandon()
    }

    /// The number of bytes appended so far.
    package var byteCount: Int64 {
        state.withLockedValue {
            switch $0 {
            case .open(let bytes): bytes.byteCount
            case .ended(let byteCount): byteCount
            }
        }
    }

    /// Appends bytes; throws `tooLarge` past the store's limit.
    package func append(_ bytes: UnsafeRawBufferPointer) throws {
        do {
            try state.withLockedValue { state in
                guard case .open(var staged) = state else { throw ObjectStoreError.uploadEnded }
                try staged.append(bytes)
                state = .open(staged)
            }
        } catch {
            // A short write has parted the file from its checksums.
            abandon()
            throw error
        }
    }

    /// Makes the bytes the object at a path, replacing the object there; on return they are durable.
    ///
    /// Throws `preconditionFailed`, `hashMismatch`, `invalidAttribute`, `held` or `retained`, and has then changed nothing.
    package func commit(_ placement: UploadPlacement) throws -> ObjectMetadata {
        guard let bytes = end() else { throw ObjectStoreError.uploadEnded }
        do {
            let placed = try ObjectPlacement(bytes, upload: placement)
            try bytes.place()
            return try store.put(placed, at: placement.path, preconditions: placement.preconditions)
        } catch {
            bytes.discard()
            throw error
        }
    }

    /// Commits an object without further conditions.
    package func commit(
        to path: ObjectPath,
        attributes: ObjectAttributes = ObjectAttributes()
    ) throws -> ObjectMetadata {
        try commit(UploadPlacement(path: path, attributes: attributes))
    }

    /// Ends the upload and removes its bytes; does nothing when it has ended before.
    package func abandon() {
        end()?.discard()
    }

    /// Ends the upload; returns its bytes to the first caller only.
    private func end() -> StagedBytes? {
        state.withLockedValue {
            guard case .open(let bytes) = $0 else { return nil }
            $0 = .ended(byteCount: bytes.byteCount)
            return bytes
        }
    }
}

extension ObjectPlacement {
    /// The received bytes, if they have the expected checksums and attributes that can be kept.
    init(_ bytes: StagedBytes, upload: UploadPlacement) throws {
        let digest = try bytes.finishHashing()
        try upload.expected.check(digest)
        try upload.attributes.validate()
        self.init(
            blob: bytes.id,
            byteCount: bytes.byteCount,
            digest: digest,
            attributes: upload.attributes,
            customerKeyHash: upload.customerKeyHash,
            authorize: upload.authorize
        )
    }
}

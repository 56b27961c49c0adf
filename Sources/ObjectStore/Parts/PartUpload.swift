// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// A part on its way into the store; one that is not kept is abandoned with its last reference.
package final class PartUpload: Sendable {
    private let store: SQLiteObjectStore
    private let uploadID: String
    private let path: ObjectPath
    private let number: Int
    private let state: NIOLockedValueBox<StagedBytes?>

    init(store: SQLiteObjectStore, number: Int, of uploadID: String, at path: ObjectPath) throws {
        self.store = store
        self.number = number
        self.uploadID = uploadID
        self.path = path
        let limit = store.configuration.objectByteCountMax
        state = NIOLockedValueBox(try StagedBytes(in: store.directory, byteCountMax: limit))
    }

    deinit {
        end()?.discard()
    }

    /// Appends bytes; throws `tooLarge` past the store's limit, and the part is over then.
    package func append(_ bytes: UnsafeRawBufferPointer) throws {
        try state.withLockedValue { state in
            guard var staged = state else { throw ObjectStoreError.uploadEnded }
            do {
                try staged.append(bytes)
                state = staged
            } catch {
                staged.discard()
                state = nil
                throw error
            }
        }
    }

    /// Keeps the part in place of an earlier one of its number; durable on return.
    ///
    /// Throws `hashMismatch` where the bytes have other sums, and `noSuchUpload` where the upload has ended meanwhile.
    package func keep(expected: ExpectedDigest) throws -> StoredPart {
        guard let bytes = end() else { throw ObjectStoreError.uploadEnded }
        let part: StoredPart
        do {
            let digest = try bytes.finishHashing()
            try expected.check(digest)
            part = StoredPart(
                number: number,
                byteCount: bytes.byteCount,
                digest: digest,
                time: store.now,
                blob: bytes.id
            )
            try bytes.place()
        } catch {
            bytes.discard()
            throw error
        }
        try store.keep(part, of: uploadID, at: path)
        return part
    }

    private func end() -> StagedBytes? {
        state.withLockedValue { state in
            defer { state = nil }
            return state
        }
    }
}

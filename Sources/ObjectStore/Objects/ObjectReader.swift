// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// An object held open: its bytes stay readable to the end, even when it is replaced or deleted meanwhile.
package final class ObjectReader: Sendable {
    /// The object's metadata at the moment of opening.
    package let metadata: ObjectMetadata
    /// Returns whether the object is still as it was then; `nil` when it was being changed.
    package let stamp: ObjectStamp?
    let file: StoreFile

    init(metadata: ObjectMetadata, stamp: ObjectStamp? = nil, file: StoreFile) throws {
        let byteCount = try file.status().byteCount
        guard byteCount == metadata.byteCount else {
            throw ObjectStoreError.blobDamaged(metadata.path, expected: metadata.byteCount, actual: byteCount)
        }
        self.metadata = metadata
        self.stamp = stamp
        self.file = file
    }

    /// Reads bytes from an offset, at most the buffer's size, from any thread.
    ///
    /// - Returns: the number of bytes read; 0 only at or past the end, or for an empty buffer.
    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        precondition(offset >= 0, "an offset cannot be negative (is \(offset))")
        return try file.read(at: offset, into: buffer)
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// How much of a result is held in memory.
///
/// Our own choice: a part is read in well under a millisecond, and beside it a new snapshot costs little.
enum ResultLimits {
    /// Bytes of documents that are read before they are taken; a single document may be larger.
    static let partByteCountMax = 256 << 10
    /// Bytes of documents that are held while they are sorted; of a larger result only keys are.
    static let sortedByteCountMax = 1 << 20
    /// Bytes that a document takes besides its fields, about.
    static let documentByteCount = 256
}

extension Document {
    /// The memory that the document takes, about.
    var heldByteCount: Int { encodedFields.bytes.count + ResultLimits.documentByteCount }
}

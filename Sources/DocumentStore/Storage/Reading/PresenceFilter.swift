// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Rules out most documents that were never written, without a look at the file.
///
/// A Bloom filter of one block for each name (F. Putze, P. Sanders, J. Singler, "Cache-, Hash- and Space-Efficient Bloom
/// Filters", 2007), of a fixed size: with 200,000 documents it sends one new name in 80,000 to the file, with a million one
/// in 50 (computed).
///
/// Sendable without a lock: only used in the turn for writing, which one thread has at a time.
final class PresenceFilter: @unchecked Sendable {
    private static let blockCount = 1 << 14
    private static let wordsPerBlock = 8
    private static let bitsPerName = 6

    /// Empty until the first document is written.
    private var words: [UInt64] = []

    func insert(_ path: DocumentPath, in database: DatabaseID) {
        if words.isEmpty { words = Array(repeating: 0, count: Self.blockCount * Self.wordsPerBlock) }
        let place = Place(path, database: database)
        for bit in place.bits { words[place.block + bit.word] |= bit.mask }
    }

    /// False for a document that was never inserted.
    func mayContain(_ path: DocumentPath, in database: DatabaseID) -> Bool {
        guard !words.isEmpty else { return false }
        let place = Place(path, database: database)
        return place.bits.allSatisfy { words[place.block + $0.word] & $0.mask != 0 }
    }

    /// Where the bits of a name are.
    private struct Place {
        /// The index of the block's first word.
        let block: Int
        private let hash: UInt64

        init(_ path: DocumentPath, database: DatabaseID) {
            var hasher = Hasher()
            hasher.combine(database)
            hasher.combine(path)
            hash = UInt64(bitPattern: Int64(hasher.finalize()))
            // The lowest nine bits of six places are 54; the block follows from a product of all.
            let mixed = (hash &* 0x9E37_79B9_7F4A_7C15) >> 40
            block = Int(mixed) % PresenceFilter.blockCount * PresenceFilter.wordsPerBlock
        }

        var bits: some Sequence<(word: Int, mask: UInt64)> {
            (0..<PresenceFilter.bitsPerName).lazy.map { [hash] index in
                let place = Int(hash >> UInt64(index * 9) & 511)
                return (place / 64, 1 << UInt64(place % 64))
            }
        }
    }
}

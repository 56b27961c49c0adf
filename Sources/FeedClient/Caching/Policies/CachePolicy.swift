// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Decides which entries of a cache go when there is no room.
///
/// The cache holds the entries and counts their bytes; a policy only orders them, by their slots. The auditor simulates
/// with the very types that the client caches with.
public protocol CachePolicy: Sendable {
    /// Whether an entry that is not held may come in; asked of each before room is made for it.
    mutating func admits(id: UInt64, byteCount: Int) -> Bool
    /// Takes in an entry that was not held and that it admitted.
    mutating func insert(_ entry: CacheEntry)
    /// Notes that an entry that is held was asked for.
    mutating func touch(_ slot: Int)
    /// Forgets an entry that went for another reason.
    mutating func remove(_ slot: Int)
    /// Chooses the entry that goes, and forgets it; `nil` when there is none.
    mutating func evict() -> Int?
}

extension CachePolicy {
    /// Everything may come in.
    @inlinable public mutating func admits(id: UInt64, byteCount: Int) -> Bool { true }
}

/// An entry of a cache, as its policy sees it.
public struct CacheEntry: Sendable, Hashable {
    /// The entry's place in the cache, from 0; another entry may have it later.
    public let slot: Int
    /// Distinguishes the entry from all others, also after it is gone.
    public let id: UInt64
    /// The bytes that the entry takes.
    public let byteCount: Int

    /// Creates a description of an entry.
    @inlinable public init(slot: Int, id: UInt64, byteCount: Int) {
        self.slot = slot
        self.id = id
        self.byteCount = byteCount
    }
}

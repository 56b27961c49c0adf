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

/// A policy by its name, for configurations.
public struct CachePolicyChoice: Sendable, Hashable {
    /// The name, such as `sieve`; two choices of one name are the same.
    public let name: String
    private let makePolicy: @Sendable (_ byteCountMax: Int) -> any CachePolicy

    /// Creates a choice of a policy of your own; `makePolicy` receives the cache's size in bytes.
    public init(name: String, makePolicy: @escaping @Sendable (_ byteCountMax: Int) -> any CachePolicy) {
        self.name = name
        self.makePolicy = makePolicy
    }

    /// First in, first out.
    public static let fifo = Self(name: "fifo") { _ in FIFOPolicy() }
    /// The least recently asked for goes first.
    public static let lru = Self(name: "lru") { _ in LRUPolicy() }
    /// First in, first out, but what was asked for stays one round more.
    public static let sieve = Self(name: "sieve") { _ in SIEVEPolicy() }
    /// Images requested only once are evicted early.
    public static let s3FIFO = Self(name: "s3fifo") { S3FIFOPolicy(byteCountMax: $0) }
    /// The large and seldom asked for goes first.
    public static let gdsf = Self(name: "gdsf") { _ in GDSFPolicy() }
    /// The least often asked for goes first.
    public static let lfu = Self(name: "lfu") { _ in LFUPolicy() }
    /// Newcomers stay only in place of what was asked for less often.
    public static let wTinyLFU = Self(name: "wtinylfu") { WTinyLFUPolicy(byteCountMax: $0) }
    /// One-time and repeated requests share the cache as their misses show.
    public static let arc = Self(name: "arc") { ARCPolicy(byteCountMax: $0) }

    /// The policies that come with the client.
    public static let all = [fifo, lru, lfu, sieve, s3FIFO, wTinyLFU, arc, gdsf]

    /// A policy for an empty cache of this size.
    package func policy(byteCountMax: Int) -> any CachePolicy { makePolicy(byteCountMax) }

    /// Compares by name.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

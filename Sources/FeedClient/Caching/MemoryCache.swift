// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Values in memory within an exact limit of bytes.
///
/// `NSCache` is not a substitute: on Linux it drops the smallest entries first and its insertion takes linear time, and
/// nowhere is its limit exact. The pipeline keeps encoded images in it; keep decoded ones in another.
public struct MemoryCache<Value: Sendable>: Sendable {
    private var index: CacheIndex<Value>

    /// Creates an empty cache.
    public init(byteCountMax: Int, policy: CachePolicyChoice = .lru) {
        index = CacheIndex(byteCountMax: byteCountMax, policy: policy)
    }

    /// The bytes of all values held.
    public var byteCount: Int { index.byteCount }

    /// The number of values held.
    public var count: Int { index.count }

    /// The keys held, in alphabetical order.
    package var keys: [String] { index.keys }

    /// The value of a key, which counts as asked for.
    public mutating func value(for key: String) -> Value? {
        index.touch(key)
        return index[key]
    }

    /// The value of a key, which does not count as asked for.
    func peek(_ key: String) -> Value? { index[key] }

    /// Notes that a key was asked for.
    mutating func touch(_ key: String) { index.touch(key) }

    /// Keeps a value that takes this many bytes, unless that is more than the whole limit.
    public mutating func store(_ value: Value, for key: String, byteCount: Int) {
        _ = index.insert(key, value: value, byteCount: byteCount)
    }

    /// Forgets a value.
    public mutating func remove(_ key: String) { index.remove(key) }

    /// Forgets all values.
    public mutating func removeAll() { index.removeAll() }
}

/// An encoded image in a cache, and its validators.
struct CachedImage: Sendable, Hashable {
    let data: Data
    /// Empty when the server gave none.
    var entityTag = ""
    /// Until when the image may be shown without asking, in microseconds since 1970.
    var freshUntil: Int64 = 0
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Three rows: a small one for newcomers, the main one, and the ids of newcomers that went.
///
/// What is asked for only once goes after a tenth of the cache instead of the whole. After Yang, Zhang, Qiu, Yue and
/// Vinayak, "FIFO Queues are All You Need for Cache Eviction" (SOSP 2023); sizes are bytes.
public struct S3FIFOPolicy: CachePolicy {
    /// The share of the cache for newcomers.
    static let smallShare = 0.1
    /// The bytes of the newcomers whose ids are remembered, as a share of the cache.
    static let ghostShare = 0.9
    private static let visitCountMax: UInt8 = 3

    private struct Member: Sendable {
        var entry: CacheEntry
        var visitCount: UInt8 = 0
        var isMain: Bool
    }

    private let smallByteCountMax: Int
    private var small = SlotList()
    private var main = SlotList()
    private var ghosts: GhostQueue
    private var members: [Member?] = []
    private var smallByteCount = 0

    /// Creates the policy of an empty cache of this size.
    public init(byteCountMax: Int) {
        smallByteCountMax = Int(Double(byteCountMax) * Self.smallShare)
        ghosts = GhostQueue(byteCountMax: Int(Double(byteCountMax) * Self.ghostShare))
    }

    /// Puts the entry among the newcomers, or into the main row when it went from them not long ago.
    public mutating func insert(_ entry: CacheEntry) {
        while members.count <= entry.slot { members.append(nil) }
        let isMain = ghosts.remove(entry.id)
        members[entry.slot] = Member(entry: entry, isMain: isMain)
        if isMain {
            main.insertNewest(entry.slot)
        } else {
            small.insertNewest(entry.slot)
            smallByteCount += entry.byteCount
        }
    }

    /// Counts the visit.
    public mutating func touch(_ slot: Int) {
        guard let count = members[slot]?.visitCount, count < Self.visitCountMax else { return }
        members[slot]?.visitCount = count + 1
    }

    /// Takes the entry out of its row.
    public mutating func remove(_ slot: Int) {
        guard let member = members[slot] else { return }
        members[slot] = nil
        if member.isMain {
            main.remove(slot)
        } else {
            small.remove(slot)
            smallByteCount -= member.entry.byteCount
        }
    }

    /// Chooses a newcomer that nobody came back for, or the oldest of the main row that was not visited again.
    public mutating func evict() -> Int? {
        while let slot = small.oldest, smallByteCount >= smallByteCountMax || main.oldest == nil {
            guard let member = members[slot] else { return nil }
            remove(slot)
            guard member.visitCount > 1 else {
                ghosts.insert(member.entry.id, byteCount: member.entry.byteCount)
                return slot
            }
            members[slot] = Member(entry: member.entry, isMain: true)
            main.insertNewest(slot)
        }
        return evictFromMain()
    }

    private mutating func evictFromMain() -> Int? {
        while let slot = main.oldest, let member = members[slot] {
            guard member.visitCount > 0 else {
                remove(slot)
                return slot
            }
            members[slot]?.visitCount = member.visitCount - 1
            main.moveToNewest(slot)
        }
        return nil
    }
}

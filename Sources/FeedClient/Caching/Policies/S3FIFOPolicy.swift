// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Three rows: a small one for newcomers, the main one, and the ids of newcomers that went.
///
/// Images requested only once are evicted after a tenth of the cache instead of the whole. After Yang, Zhang, Qiu, Yue and
/// Vinayak, "FIFO Queues are All You Need for Cache Eviction" (SOSP 2023); sizes are bytes. As in the authors'
/// simulator, what would take the whole row for newcomers does not come in, and as long as nothing had to go newcomers that
/// this row has no room for begin in the main one.
public struct S3FIFOPolicy: CachePolicy {
    /// The share of the cache for newcomers.
    static let smallShare = 0.1
    /// The bytes of the newcomers whose ids are remembered, as a share of the cache.
    static let ghostShare = 0.9
    private static let visitCountMax: UInt8 = 3
    /// The visits with which a newcomer moves to the main row.
    private static let visitCountMin: UInt8 = 2

    private struct Member: Sendable {
        var id: UInt64 = 0
        var byteCount = 0
        var visitCount: UInt8 = 0
        var isMain = false
    }

    private let smallByteCountMax: Int
    private let mainByteCountMax: Int
    private var small = SlotList()
    private var main = SlotList()
    private var ghosts: GhostQueue
    private var members: [Member] = []
    private var smallByteCount = 0
    private var mainByteCount = 0
    /// Whether the entry that was admitted last went not long ago.
    private var isReturning = false
    private var hasEvicted = false

    /// Creates the policy of an empty cache of this size.
    public init(byteCountMax: Int) {
        smallByteCountMax = Int(Double(byteCountMax) * Self.smallShare)
        mainByteCountMax = byteCountMax - smallByteCountMax
        ghosts = GhostQueue(byteCountMax: Int(Double(byteCountMax) * Self.ghostShare))
    }

    /// Admits what leaves room in the row for newcomers.
    public mutating func admits(id: UInt64, byteCount: Int) -> Bool {
        isReturning = ghosts.remove(id)
        return byteCount < smallByteCountMax
    }

    /// Puts the entry among the newcomers, or into the main row when it went from them not long ago.
    public mutating func insert(_ entry: CacheEntry) {
        while members.count <= entry.slot { members.append(Member()) }
        let isMain = isReturning || (!hasEvicted && smallByteCount >= smallByteCountMax)
        members[entry.slot] = Member(id: entry.id, byteCount: entry.byteCount, isMain: isMain)
        if isMain {
            main.insertNewest(entry.slot)
            mainByteCount += entry.byteCount
        } else {
            small.insertNewest(entry.slot)
            smallByteCount += entry.byteCount
        }
        isReturning = false
    }

    /// Counts the visit.
    public mutating func touch(_ slot: Int) {
        let count = members[slot].visitCount
        if count < Self.visitCountMax { members[slot].visitCount = count + 1 }
    }

    /// Takes the entry out of its row.
    public mutating func remove(_ slot: Int) {
        let member = members[slot]
        if member.isMain {
            main.remove(slot)
            mainByteCount -= member.byteCount
        } else {
            small.remove(slot)
            smallByteCount -= member.byteCount
        }
    }

    /// Chooses a newcomer that was not requested again, or the oldest of the main row that was not visited again.
    public mutating func evict() -> Int? {
        hasEvicted = true
        return (mainByteCount > mainByteCountMax ? nil : evictFromSmall()) ?? evictFromMain()
    }

    /// Newcomers that were requested again move on until one is found that was not.
    private mutating func evictFromSmall() -> Int? {
        while let slot = small.oldest {
            remove(slot)
            let member = members[slot]
            guard member.visitCount >= Self.visitCountMin else {
                ghosts.insert(member.id, byteCount: member.byteCount)
                return slot
            }
            members[slot].visitCount = 0
            members[slot].isMain = true
            main.insertNewest(slot)
            mainByteCount += member.byteCount
        }
        return nil
    }

    private mutating func evictFromMain() -> Int? {
        while let slot = main.oldest {
            guard members[slot].visitCount > 0 else {
                remove(slot)
                return slot
            }
            members[slot].visitCount -= 1
            main.moveToNewest(slot)
        }
        return nil
    }
}

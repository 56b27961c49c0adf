// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Two rows, of what was asked for once and of what came again, whose sizes follow which of them evicts too early.
///
/// After Megiddo and Modha, "ARC: A Self-Tuning, Low Overhead Replacement Cache" (FAST 2003), which counts pages; here sizes
/// are bytes, and what moves the target is the size of the entry that came back.
public struct ARCPolicy: CachePolicy {
    private struct Member: Sendable {
        var id: UInt64 = 0
        var byteCount = 0
        var isFrequent = false
    }

    private enum Return { case none, recent, frequent }

    private let byteCountMax: Int
    private var recent = SlotList()
    private var frequent = SlotList()
    private var recentGhosts: GhostQueue
    private var frequentGhosts: GhostQueue
    private var members: [Member] = []
    private var recentByteCount = 0
    private var frequentByteCount = 0
    /// The bytes that the row of what was asked for once should have.
    private var target = 0
    private var returning = Return.none

    /// Creates the policy of an empty cache of this size.
    public init(byteCountMax: Int) {
        self.byteCountMax = byteCountMax
        recentGhosts = GhostQueue(byteCountMax: byteCountMax)
        frequentGhosts = GhostQueue(byteCountMax: 2 * byteCountMax)
    }

    /// Admits everything; learns from what went too early.
    public mutating func admits(id: UInt64, byteCount: Int) -> Bool {
        let (recentBytes, frequentBytes) = (recentGhosts.byteCount, frequentGhosts.byteCount)
        if recentGhosts.remove(id) {
            returning = .recent
            target = min(byteCountMax, target + Self.step(byteCount, others: frequentBytes, own: recentBytes))
        } else if frequentGhosts.remove(id) {
            returning = .frequent
            target = max(0, target - Self.step(byteCount, others: recentBytes, own: frequentBytes))
        } else {
            returning = .none
        }
        return true
    }

    /// Puts the entry into the row of what was asked for once, or of what came again if it went not long ago.
    public mutating func insert(_ entry: CacheEntry) {
        while members.count <= entry.slot { members.append(Member()) }
        members[entry.slot] = Member(id: entry.id, byteCount: entry.byteCount, isFrequent: returning != .none)
        if returning == .none {
            recent.insertNewest(entry.slot)
            recentByteCount += entry.byteCount
        } else {
            frequent.insertNewest(entry.slot)
            frequentByteCount += entry.byteCount
        }
        returning = .none
        forgetGhosts()
    }

    /// Makes the entry the latest of those that came again.
    public mutating func touch(_ slot: Int) {
        guard !members[slot].isFrequent else { return frequent.moveToNewest(slot) }
        remove(slot)
        members[slot].isFrequent = true
        frequent.insertNewest(slot)
        frequentByteCount += members[slot].byteCount
    }

    /// Takes the entry out of its row.
    public mutating func remove(_ slot: Int) {
        let member = members[slot]
        if member.isFrequent {
            frequent.remove(slot)
            frequentByteCount -= member.byteCount
        } else {
            recent.remove(slot)
            recentByteCount -= member.byteCount
        }
    }

    /// Chooses the oldest of the row that is larger than it should be.
    public mutating func evict() -> Int? {
        let isRecentTooLarge = recentByteCount > target || (returning == .frequent && recentByteCount == target)
        guard let slot = isRecentTooLarge ? recent.oldest ?? frequent.oldest : frequent.oldest ?? recent.oldest else {
            return nil
        }
        let member = members[slot]
        remove(slot)
        if member.isFrequent {
            frequentGhosts.insert(member.id, byteCount: member.byteCount)
        } else {
            recentGhosts.insert(member.id, byteCount: member.byteCount)
        }
        return slot
    }

    /// Both rows of images requested once together fit into the cache, all four into two caches.
    private mutating func forgetGhosts() {
        while recentGhosts.byteCount > 0, recentByteCount + recentGhosts.byteCount > byteCountMax {
            recentGhosts.forgetOldest()
        }
        let held = recentByteCount + frequentByteCount
        while frequentGhosts.byteCount > 0,
            held + recentGhosts.byteCount + frequentGhosts.byteCount > 2 * byteCountMax
        {
            frequentGhosts.forgetOldest()
        }
    }

    private static func step(_ byteCount: Int, others: Int, own: Int) -> Int {
        own == 0 || others <= own ? byteCount : Int(min(1e15, Double(byteCount) * Double(others) / Double(own)))
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// A cache that knows the future: what is asked for again last, or never, goes first (Belady, 1966).
///
/// With objects of one size no cache has more hits. With sizes it is a mark to hold others against, but no strict bound.
struct BeladyCache: Sendable {
    private let byteCountMax: Int
    private var heap = SlotHeap()
    private var occupied = 0
    private var held: [Int64] = []
    private(set) var tally = CacheTally()

    init(byteCountMax: Int) { self.byteCountMax = byteCountMax }

    /// Asks for each object of a block, and keeps those that were missing.
    mutating func ask(for block: TraceBlock) {
        for request in block.requests {
            let byteCount = Int64(request.byteCount)
            let isHit = ask(for: Int(request.object), byteCount: byteCount, nextRequest: request.nextRequest)
            tally.requestCount += 1
            tally.byteCount += byteCount
            tally.hitCount += isHit ? 1 : 0
            tally.hitByteCount += isHit ? byteCount : 0
        }
    }

    private mutating func ask(for object: Int, byteCount: Int64, nextRequest: Int64) -> Bool {
        while held.count <= object { held.append(-1) }
        let isHit = held[object] == byteCount
        if held[object] >= 0 { forget(object) }
        guard byteCount <= byteCountMax else { return false }
        while occupied + Int(byteCount) > byteCountMax, let farthest = heap.lowest?.slot { forget(farthest) }
        heap.insert(object, rank: -Double(nextRequest))
        held[object] = byteCount
        occupied += Int(byteCount)
        return isHit
    }

    private mutating func forget(_ object: Int) {
        heap.remove(object)
        occupied -= Int(held[object])
        held[object] = -1
    }
}

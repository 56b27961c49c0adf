// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Finds requests that a log has twice, in memory that does not grow.
///
/// Usage logs come in files of an hour, and a row may be in two of them. At least the last half a million requests are
/// remembered, by 64 bits of each name: of this many different ones, two are taken for one with a chance of 1 in 100 million.
package struct RecentRequests: Sendable {
    private static let countMax = 1 << 19
    private static let placeCount = 1 << 20

    // Empty until a request has a name: most logs have none.
    private var current: [UInt64] = []
    private var former: [UInt64] = []
    private var count = 0

    /// Creates a memory of no request yet.
    package init() {}

    /// Which of some requests are new; from then on they are not.
    ///
    /// Memory is slower than the processor, and many of its answers can be awaited at a time: so all are asked first where
    /// they should be, and only what is there already is looked at one by one.
    mutating func insert(_ hashes: [UInt64]) -> [Bool] {
        guard !hashes.isEmpty else { return [] }
        if current.isEmpty {
            current = [UInt64](repeating: 0, count: Self.placeCount)
            former = current
        }
        let inCurrent = hashes.map { current[Self.place(of: $0)] }
        let inFormer = hashes.map { former[Self.place(of: $0)] }
        let swapCount = Self.countMax - count
        return hashes.indices.map { index in
            // Nothing is 0.
            let hash = max(1, hashes[index])
            if inCurrent[index] == hash || inFormer[index] == hash { return false }
            // Where there was nothing, there still is nothing, unless the tables changed their places meanwhile.
            let mayBeInFormer = inFormer[index] != 0 || index >= swapCount
            return insert(hash, mayBeInFormer: mayBeInFormer)
        }
    }

    private mutating func insert(_ hash: UInt64, mayBeInFormer: Bool) -> Bool {
        if mayBeInFormer, Self.place(of: hash, in: former).isThere { return false }
        let (place, isThere) = Self.place(of: hash, in: current)
        if isThere { return false }
        current[place] = hash
        count += 1
        if count == Self.countMax {
            swap(&current, &former)
            for place in current.indices { current[place] = 0 }
            count = 0
        }
        return true
    }

    /// Where a request is in a table, or where it would go.
    private static func place(of hash: UInt64, in table: [UInt64]) -> (place: Int, isThere: Bool) {
        var place = place(of: hash)
        while table[place] != 0 {
            if table[place] == hash { return (place, true) }
            place = (place + 1) & (placeCount - 1)
        }
        return (place, false)
    }

    private static func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 20) & (placeCount - 1) }
}

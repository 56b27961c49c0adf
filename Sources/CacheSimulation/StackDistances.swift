// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How many bytes of distinct objects were asked for since each object was last asked for, itself included: what a cache that
/// drops the least recently asked for must hold to have it still.
///
/// Such a cache holds as many of the latest objects as fit (Mattson, Gecsei, Slutz and Traiger, 1970, who count pages; with
/// bytes it holds as well, because the oldest goes until there is room). Objects larger than the cache never come in, so that
/// the figures of sizes below the largest object is a little too low.
struct StackDistances: Sendable {
    /// A number larger than any size.
    static let never = Int.max

    private static let noPosition: Int32 = -1

    /// The place of each object in the order of the last requests.
    private var positions: [Int32] = []
    /// The objects at the places, of which some have moved on.
    private var objects: [Int32]
    /// The bytes at the places, 0 where the object has moved on.
    private var sums: SumTree
    private var next = 0
    private var heldCount = 0

    init() {
        sums = SumTree(count: 1 << 12)
        objects = Array(repeating: -1, count: sums.count)
    }

    /// Takes a request; returns the bytes since the last, or `never` for the first and for another size than before.
    mutating func distance(of object: Int, byteCount: UInt32) -> Int {
        while positions.count <= object { positions.append(Self.noPosition) }
        if next == sums.count { closeRanks() }
        let position = Int(positions[object])
        var distance = Self.never
        if position >= 0 {
            if sums[position] == byteCount { distance = sums.sum(from: position) }
            sums.clear(position)
            objects[position] = -1
        } else {
            heldCount += 1
        }
        positions[object] = Int32(next)
        objects[next] = Int32(object)
        sums.set(next, to: byteCount)
        next += 1
        return distance
    }

    /// Moves the objects together to the front, their order kept; makes room when they take more than half.
    private mutating func closeRanks() {
        let count = heldCount * 2 > sums.count ? sums.count * 2 : sums.count
        var values: [UInt32] = []
        values.reserveCapacity(count)
        var moved: [Int32] = []
        moved.reserveCapacity(count)
        for position in 0..<next where objects[position] >= 0 {
            positions[Int(objects[position])] = Int32(values.count)
            moved.append(objects[position])
            values.append(sums[position])
        }
        next = values.count
        moved.append(contentsOf: repeatElement(-1, count: count - next))
        objects = moved
        sums = SumTree(values, count: count)
    }
}

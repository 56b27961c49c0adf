// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Numbers ids from 0 in the order in which they come up: a table with open addressing, at most half full.
///
/// The places hold the numbers only, so that more of them fit into the processor's cache; ids that are asked for often come up
/// early and lie together.
struct ObjectTable: Sendable {
    private static let none: Int32 = -1

    private var places = [Int32](repeating: none, count: 1 << 12)
    private var ids: [UInt64] = []

    /// The ids that have come up.
    var count: Int { ids.count }

    /// The numbers of ids, in their order; those that have none get one.
    ///
    /// Memory is slower than the processor, and many of its answers can be awaited at a time: so all are asked first where the
    /// ids should be, and only those that are not there are looked for one by one.
    mutating func objects(of wanted: [UInt64]) -> [Int32] {
        let mask = places.count - 1
        var objects = wanted.map { places[Self.hash($0) & mask] }
        let areThere = zip(objects, wanted).map { object, id in object >= 0 && ids[Int(object)] == id }
        for (index, isThere) in areThere.enumerated() where !isThere { objects[index] = object(of: wanted[index]) }
        return objects
    }

    private mutating func object(of id: UInt64) -> Int32 {
        let mask = places.count - 1
        var index = Self.hash(id) & mask
        while true {
            let object = places[index]
            guard object != Self.none else { return add(id, at: index) }
            if ids[Int(object)] == id { return object }
            index = (index + 1) & mask
        }
    }

    private mutating func add(_ id: UInt64, at index: Int) -> Int32 {
        let object = Int32(ids.count)
        places[index] = object
        ids.append(id)
        if ids.count * 2 > places.count { grow() }
        return object
    }

    private mutating func grow() {
        places = Array(repeating: Self.none, count: places.count * 2)
        let mask = places.count - 1
        for (object, id) in ids.enumerated() {
            var index = Self.hash(id) & mask
            while places[index] != Self.none { index = (index + 1) & mask }
            places[index] = Int32(object)
        }
    }

    /// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
    private static func hash(_ id: UInt64) -> Int {
        let product = id &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: product ^ (product >> 32))
    }
}

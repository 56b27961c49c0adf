// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A row of numbers with the sum from any place on.
///
/// Above the numbers are the sums of each sixteen, above these the sums of each sixteen of them, and so on. A line of the
/// processor's cache holds sixteen numbers.
struct SumTree: Sendable {
    private static let fanOutBits = 4
    private static let fanOut = 1 << fanOutBits

    private var values: [UInt32]
    private var levels: [[Int]]

    /// The places.
    var count: Int { values.count }

    init(count: Int) { self.init([], count: count) }

    /// Takes over the first of `count` numbers, a multiple of 16; the others are 0.
    init(_ first: [UInt32], count: Int) {
        values = first
        values.append(contentsOf: repeatElement(0, count: count - first.count))
        levels = []
        var below = stride(from: 0, to: values.count, by: Self.fanOut).map { start in
            values[start..<start + Self.fanOut].reduce(0) { $0 + Int($1) }
        }
        levels.append(below)
        while below.count > Self.fanOut {
            below = stride(from: 0, to: below.count, by: Self.fanOut).map { start in
                below[start..<min(start + Self.fanOut, below.count)].reduce(0, +)
            }
            levels.append(below)
        }
    }

    subscript(_ place: Int) -> UInt32 { values[place] }

    /// Puts a number where there was 0.
    mutating func set(_ place: Int, to value: UInt32) {
        values[place] = value
        add(Int(value), at: place)
    }

    /// Puts 0.
    mutating func clear(_ place: Int) {
        add(-Int(values[place]), at: place)
        values[place] = 0
    }

    /// The sum of the numbers from a place on.
    func sum(from place: Int) -> Int {
        var sum = 0
        for index in place..<(place | (Self.fanOut - 1)) + 1 { sum += Int(values[index]) }
        var index = place
        for level in levels.indices {
            index >>= Self.fanOutBits
            let end = min((index | (Self.fanOut - 1)) + 1, levels[level].count)
            for sibling in (index + 1)..<max(end, index + 1) { sum += levels[level][sibling] }
        }
        return sum
    }

    private mutating func add(_ value: Int, at place: Int) {
        var index = place
        for level in levels.indices {
            index >>= Self.fanOutBits
            levels[level][index] += value
        }
    }
}

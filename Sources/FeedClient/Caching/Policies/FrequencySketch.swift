// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// About how often ids were asked for of late: a count-min sketch of four rows of counters up to 15, all halved from time to
/// time.
///
/// After Einziger, Friedman and Manes, "TinyLFU: A Highly Efficient Cache Admission Policy" (ACM ToS 2017).
struct FrequencySketch: Sendable {
    private static let counterMax: UInt8 = 15
    /// The counters of a row for each entry of the cache.
    private static let counterShare = 8
    /// The requests after which all counters are halved, for each counter of a row.
    private static let sampleShare = 10
    private static let rowCount = 4

    private var counters: [UInt8]
    private var width: Int
    private var additionCount = 0

    init() {
        width = 1 << 10
        counters = Array(repeating: 0, count: width * Self.rowCount)
    }

    /// Makes the rows long enough for a cache of this many entries; what was counted stays.
    mutating func makeRoom(forEntryCount count: Int) {
        while width < count * Self.counterShare {
            // A counter stands for two that are distinguished from now on.
            counters = (0..<Self.rowCount).flatMap { row in
                let counts = counters[row * width..<(row + 1) * width]
                return counts + counts
            }
            width *= 2
        }
    }

    /// Counts a request.
    mutating func add(_ id: UInt64) {
        for row in 0..<Self.rowCount {
            let place = place(of: id, in: row)
            if counters[place] < Self.counterMax { counters[place] += 1 }
        }
        additionCount += 1
        guard additionCount >= width * Self.sampleShare / Self.counterShare else { return }
        additionCount /= 2
        for place in counters.indices { counters[place] /= 2 }
    }

    /// How often an id was asked for; more often when it shares its counters with others.
    func count(of id: UInt64) -> UInt8 {
        var lowest = Self.counterMax
        for row in 0..<Self.rowCount { lowest = min(lowest, counters[place(of: id, in: row)]) }
        return lowest
    }

    private func place(of id: UInt64, in row: Int) -> Int {
        // SplitMix64's finalizer (Steele, Lea, Flood, 2014), with another beginning for each row.
        var hash = id &+ UInt64(row + 1) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        hash ^= hash >> 31
        return row * width + Int(hash & UInt64(width - 1))
    }
}

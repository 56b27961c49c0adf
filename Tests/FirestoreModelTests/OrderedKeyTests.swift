// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import FirestoreModel

struct OrderedKeyTests {
    /// Ascending; the values of one row are equal.
    private static let table: [[Value]] = [
        [.null],
        [.boolean(false)],
        [.boolean(true)],
        [.double(.nan), .double(-.nan)],
        [.double(-.infinity)],
        [.double(-0x1p63), .integer(.min)],
        [.integer(.min + 1)],
        [.integer(-(1 << 53) - 1)],
        [.integer(-(1 << 53)), .double(-0x1p53)],
        [.integer(-1), .double(-1)],
        [.double(-.leastNonzeroMagnitude)],
        [.integer(0), .double(0), .double(-0.0)],
        [.double(.leastNonzeroMagnitude)],
        [.integer(1), .double(1)],
        [.double(1.5)],
        [.integer(1 << 53), .double(0x1p53)],
        [.integer(1 << 53 + 1)],
        [.integer(1 << 53 + 2), .double(0x1p53 + 2)],
        [.integer(.max - 512)],
        [.integer(.max)],
        [.double(0x1p63)],
        [.double(.infinity)],
        [.timestamp(Timestamp(seconds: -1, nanoseconds: 999_999_000))],
        [.timestamp(Timestamp(seconds: 0)), .timestamp(Timestamp(seconds: 0, nanoseconds: 999))],
        [.timestamp(Timestamp(seconds: 0, nanoseconds: 1_000))],
        [.string("")],
        [.string("a")],
        [.string("a\u{0}")],
        [.string("a\u{0}b")],
        [.string("a\u{1}")],
        [.string("ab")],
        [.string("e\u{301}")],
        [.string("\u{E9}")],
        [.string("\u{FFFF}")],
        [.string("\u{1F600}")],
        [.bytes([])],
        [.bytes([0])],
        [.bytes([0, 0])],
        [.bytes([0, 255])],
        [.bytes([1])],
        [.bytes([255])],
        [.geoPoint(GeoPoint(latitude: -1, longitude: 5))],
        [.geoPoint(GeoPoint(latitude: 0, longitude: 0)), .geoPoint(GeoPoint(latitude: -0.0, longitude: 0))],
        [.geoPoint(GeoPoint(latitude: 0, longitude: 1))],
        [.array([])],
        [.array([.null])],
        [.array([.integer(1)]), .array([.double(1)])],
        [.array([.integer(1), .integer(2)])],
        [.array([.integer(2)])],
        [.vector([9])],
        [.vector([0, 1])],
        [.map([:])],
        [.map(["a": .integer(1)])],
        [.map(["a": .integer(1), "b": .integer(1)])],
        [.map(["a": .integer(2)])],
        [.map(["aa": .integer(0)])],
        [.map(["b": .integer(0)])],
    ]

    @Test func `orders every type as Firestore does`() {
        let keys = Self.table.map { $0.map { OrderedKey($0) } }
        for row in keys {
            #expect(Set(row).count == 1)
        }
        for (lower, upper) in zip(keys, keys.dropFirst()) {
            #expect(lower[0] < upper[0])
        }
    }

    @Test func `orders references by segment with numeric ids first`() throws {
        let names = [
            "c/__id-2__", "c/__id7__", "c/__id10__", "c/5", "c/a", "c/a/d/x", "c/ab", "c/\u{FFFF}", "c/\u{1F600}",
        ]
        let keys = try names.map { OrderedKey(try reference($0)) }
        #expect(keys == keys.sorted())
        #expect(Set(keys).count == keys.count)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `agrees with the rules on random pairs`(seed: UInt64) {
        var values = RandomValues(seed: seed)
        let sample = (0..<500).map { _ in values.value() }
        let keys = sample.map { OrderedKey($0) }
        for left in sample.indices {
            for right in sample.indices {
                let expected = ReferenceOrder.compare(sample[left], sample[right])
                let actual = keys[left] == keys[right] ? 0 : keys[left] < keys[right] ? -1 : 1
                guard expected == actual else {
                    Issue.record("\(sample[left]) and \(sample[right]): \(actual), not \(expected)")
                    return
                }
            }
        }
    }

    @Test func `no key is the beginning of another's`() {
        var values = RandomValues(seed: 4)
        let keys = Set((0..<600).map { _ in OrderedKey(values.value()) }).sorted()
        for (key, next) in zip(keys, keys.dropFirst()) {
            #expect(!next.hasPrefix(key))
            #expect(key.successor <= next)
        }
    }

    @Test func `descending keys sort the other way round`() {
        var values = RandomValues(seed: 5)
        let sample = (0..<200).map { _ in values.value() }
        let byKey = sample.sorted { OrderedKey($0) < OrderedKey($1) }.map { OrderedKey($0) }
        let byDescendingKey = sample.sorted { descending($1) < descending($0) }.map { OrderedKey($0) }
        #expect(byKey == byDescendingKey)
    }

    private func descending(_ value: Value) -> OrderedKey {
        var encoder = KeyEncoder()
        encoder.append(value, in: .descending)
        return encoder.key
    }

    @Test func `path keys read back`() throws {
        for text in ["c/a", "c/__id-7__/d/__id9__", "a\u{0}b/\u{0}/é/x"] {
            #expect(try PathKeyDecoder.decode(OrderedKey(path(text)).bytes) == path(text))
        }
    }
}

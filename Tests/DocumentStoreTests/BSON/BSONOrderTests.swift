// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct BSONOrderTests {
    private static let hex = String(repeating: "0a", count: 12)

    /// Ascending; the values of one row are equal.
    private static let table: [[Value]] = [
        [.null],
        [.minKey],
        [.boolean(false)],
        [.double(.nan), .decimal("NaN")],
        [.double(-.infinity), .decimal("-Infinity")],
        [.decimal("-1e6000")],
        [.decimal("-1e400")],
        [.double(-.greatestFiniteMagnitude)],
        [.decimal("-1.5"), .double(-1.5)],
        [.int32(-1), .integer(-1), .decimal("-1.0")],
        [.double(-.leastNonzeroMagnitude)],
        [.decimal("-1e-6000")],
        [.integer(0), .double(-0.0), .int32(0), .decimal("0"), .decimal("-0E+5")],
        [.decimal("1e-6000")],
        [.decimal("2e-6000")],
        [.double(.leastNonzeroMagnitude)],
        [.double((0.1).nextDown)],
        // The double written 0.1 is a little more than a tenth.
        [.decimal("0.1")],
        [.double(0.1)],
        [.int32(1), .decimal("1.00000000000000000000000000000000"), .decimal("10e-1"), .double(1)],
        [.integer(1 << 53), .decimal("9007199254740992")],
        [.decimal("9007199254740992.5")],
        [.integer(1 << 53 + 1), .decimal("9007199254740993")],
        [.decimal("9007199254740993.25")],
        [.decimal("9007199254740993.5")],
        [.integer(1 << 53 + 2)],
        [.integer(.max - 10)],
        [.integer(.max - 9), .decimal("9223372036854775798")],
        [.integer(.max)],
        [.double(0x1p63), .decimal("9223372036854775808")],
        [.double(.greatestFiniteMagnitude)],
        [.decimal("1e400")],
        [.decimal("1e6000")],
        [.double(.infinity), .decimal("inf")],
        [.timestamp(Timestamp(seconds: 5))],
        [.bsonTime(1, 0)],
        [.bsonTime(1, 1)],
        [.bsonTime(2, 0)],
        [.string("a")],
        [.bytes([255])],
        [.binary([1, 2])],
        [.binary([128])],
        [.objectID(hex), .objectID(hex.uppercased())],
        [.geoPoint(GeoPoint(latitude: 1, longitude: 1))],
        [.regex("a")],
        [.regex("a", "i")],
        [.regex("b")],
        [.array([.minKey])],
        [.vector([1])],
        [.map([:])],
        [.map(["__min": .null])],
        [.maxKey],
    ]

    @Test func `orders the values among the others, numbers exactly`() {
        let keys = Self.table.map { $0.map { OrderedKey($0) } }
        for (row, values) in zip(keys, Self.table) {
            #expect(Set(row).count == 1, "\(values)")
        }
        for index in keys.indices.dropFirst() {
            #expect(keys[index - 1][0] < keys[index][0], "\(Self.table[index])")
            #expect(!keys[index][0].hasPrefix(keys[index - 1][0]))
        }
    }

    @Test func `answers queries by them`() throws {
        let store = try makeStore()
        for (id, value) in [
            ("a", .maxKey), ("b", .int32(10)), ("c", .minKey), ("d", .integer(10)), ("e", .decimal("10.5")),
        ] as [(String, Value)] {
            try store.put("b/\(id)", ["val": value], in: enterprise)
        }
        let path = try field("val")
        let ordered = try store.paths(Query("b", orderBy: [Query.Ordering(path)]), in: enterprise)
        #expect(String(ordered.compactMap(\.last)) == "cbdea")
        for (filter, ids) in [
            (.field(path, .equal, .integer(10)), "bd"), (.field(path, .equal, .decimal("10")), "bd"),
            (.field(path, .greaterThan, .int32(10)), "e"), (.field(path, .lessThanOrEqual, .minKey), "c"),
            (.field(path, .notEqual, .maxKey), "cbde"),
        ] as [(Filter, String)] {
            #expect(String(try store.paths(Query("b", where: filter), in: enterprise).compactMap(\.last)) == ids)
        }
    }
}

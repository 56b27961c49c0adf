// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import TestSupport
import Testing

@testable import FirestoreModel

struct FieldsCodingTests {
    /// The value of a field `a`, and the bytes that Google's Python library (google-cloud-firestore 2.34.1) gives it.
    private static let golden: [(Value, String)] = [
        (.null, "12070a016112025800"),
        (.boolean(true), "12070a016112020801"),
        (.boolean(false), "12070a016112020800"),
        (.integer(300), "12080a0161120310ac02"),
        (.integer(-1), "12100a0161120b10ffffffffffffffffff01"),
        (.integer(0), "12070a016112021000"),
        (.double(1.5), "120e0a0161120919000000000000f83f"),
        (.double(0), "120e0a01611209190000000000000000"),
        (.timestamp(Timestamp(seconds: 5, nanoseconds: 123_456_000)), "120e0a0161120952070805108094ef3a"),
        (.timestamp(Timestamp(seconds: -5)), "12120a0161120d520b08fbffffffffffffffff01"),
        (.timestamp(Timestamp(seconds: 0)), "12070a016112025200"),
        (.string("é"), "120a0a016112058a0102c3a9"),
        (.string(""), "12080a016112038a0100"),
        (.bytes([0, 255]), "120a0a0161120592010200ff"),
        (.geoPoint(GeoPoint(latitude: 1.5, longitude: 0)), "12100a0161120b420909000000000000f83f"),
        (
            .geoPoint(GeoPoint(latitude: 1.5, longitude: -0.0)),
            "12190a01611214421209000000000000f83f110000000000000080"
        ),
        (.array([.integer(1), .string("x")]), "12110a0161120c4a0a0a0210010a048a010178"),
        (.array([]), "12070a016112024a00"),
        (.map(["b": .integer(1), "ab": .null]), "121a0a0161121532130a080a026162120258000a070a016212021001"),
        (.map([:]), "12070a016112023200"),
        (
            .vector([1, 2]),
            """
            12450a01611240323e0a190a085f5f747970655f5f120d8a010a5f5f766563746f725f5f0a210a0576616c756512184a160a09190000\
            00000000f03f0a09190000000000000040
            """
        ),
    ]

    @Test func `writes the protocol's own bytes`() throws {
        let name = try reference("c/d")
        let cases =
            Self.golden + [
                (
                    name,
                    """
                    12360a016112312a2f70726f6a656374732f64656d6f2f6461746162617365732f2864656661756c74292f646f63756d656e7473\
                    2f632f64
                    """
                )
            ]
        for (value, bytes) in cases {
            #expect(hex(FieldsEncoder.encode(["a": value])) == bytes)
            #expect(try FieldsDecoder.decode(FieldsEncoder.encode(["a": value])) == ["a": value])
        }
        #expect(hex(FieldsEncoder.encode(["b": .null, "a": .null])) == "12070a01611202580012070a016212025800")
        let long = FieldsEncoder.encode(["a": .string(String(repeating: "y", count: 200))])
        #expect(hex(long).hasPrefix("12d2010a016112cc018a01c8") && long.count == 213)
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test func `reads back what it wrote`() throws {
        var values = RandomValues(seed: 11)
        for _ in 0..<300 {
            let fields = ["f": values.value(), "g": values.value()]
            #expect(try FieldsDecoder.decode(FieldsEncoder.encode(fields)) == fields)
        }
    }

    @Test func `reads single fields like all of them`() throws {
        var values = RandomValues(seed: 14)
        let paths = try ["f", "g", "g.a", "g.ab", "g.a.b", "h", "f.`__type__`"].map { try FieldPath(parsing: $0) }
        var foundCount = 0
        for _ in 0..<300 {
            let fields = ["f": values.value(), "g": .map(values.fields(depth: 2))]
            for path in paths {
                let value = try EncodedFields(fields).value(at: path)
                #expect(value == fields.value(at: path))
                foundCount += value == nil ? 0 : 1
            }
        }
        #expect(foundCount > 700)
    }

    @Test func `equal fields give equal bytes`() {
        let names = (0..<50).map { "n\($0)" }
        let forward = Dictionary(uniqueKeysWithValues: names.map { ($0, Value.double(.nan)) })
        let backward = Dictionary(uniqueKeysWithValues: names.reversed().map { ($0, Value.double(-.nan)) })
        #expect(FieldsEncoder.encode(forward) == FieldsEncoder.encode(backward))
    }

    @Test func `damaged bytes throw and never trap`() throws {
        var values = RandomValues(seed: 12)
        var generator = SeededGenerator(seed: 13)
        let path = try field("f.a")
        for _ in 0..<300 {
            var bytes = FieldsEncoder.encode(["f": values.value(), "g": values.value()])
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            let cut = bytes.prefix(Int.random(in: 0...bytes.count, using: &generator))
            for damaged in [bytes, Array(cut)] {
                _ = try? FieldsDecoder.decode(damaged)
                _ = try? EncodedFields(stored: damaged).value(at: path)
            }
        }
        #expect(throws: FirestoreError.self) { try FieldsDecoder.decode([0x12, 5, 1]) }
        // Maps within maps without end.
        let deep = (0..<100_000).reduce(into: [UInt8]()) { bytes, _ in bytes += [0x32, 0x7F, 0x0A, 0x7F, 0x12, 0x7F] }
        #expect(throws: FirestoreError.self) { try FieldsDecoder.decode([0x12, 0x7F, 0x12, 0x7F] + deep) }
    }
}

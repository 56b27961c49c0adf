// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import FirestoreSamples
import Testing

@testable import SuiteFiles

/// Entities compared with the bytes of the official emulator.
@Suite struct EntityBytesTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let value: Value
        /// The property `f`, in hexadecimal.
        let property: String

        var testDescription: String { property }

        init(_ value: Value, _ property: String) { (self.value, self.property) = (value, property) }
    }

    private static let project = "demo-export"
    private static let database = DatabaseID(project: project)

    private static func reference(_ segments: [String], database: String = "(default)") -> Value {
        .reference(
            DocumentReference(
                database: DatabaseID(project: project, database: database),
                path: DocumentPath(validated: segments)
            )
        )
    }

    private static let app = "6a0f" + hexadecimal(Array("dev~demo-export".utf8))

    /// In the order and with the bytes of an export by the official emulator of google-cloud-cli 528.0.0 (2026-11).
    private static let examples: [Example] = [
        Example(.null, "7a07 1a0166 2000 2a00"),
        Example(.boolean(true), "7a09 1a0166 2000 2a02 1001"),
        Example(.boolean(false), "7a09 1a0166 2000 2a02 1000"),
        Example(.integer(3), "7a09 1a0166 2000 2a02 0803"),
        Example(.integer(-7), "7a12 1a0166 2000 2a0b 08f9ffffffffffffffff01"),
        Example(.double(1.5), "7a10 1a0166 2000 2a09 21000000000000f83f"),
        Example(.double(.nan), "7a10 1a0166 2000 2a09 21000000000000f87f"),
        Example(.string(""), "7a09 1a0166 2000 2a02 1a00"),
        Example(.string("é"), "7a0b 1a0166 2000 2a04 1a02c3a9"),
        Example(.bytes([0, 255]), "7a0d 080e 1a0166 2000 2a04 1a0200ff"),
        Example(.timestamp(Timestamp(seconds: 0, nanoseconds: 1_000)), "7a0b 0807 1a0166 2000 2a02 0801"),
        Example(
            .timestamp(Timestamp(seconds: -62_135_596_800)),
            "7a14 0807 1a0166 2000 2a0b 0880 80d1 8690 80d0 91ff01"
        ),
        Example(
            .geoPoint(GeoPoint(latitude: 35.5, longitude: -139.25)),
            "7a1d 0809 1a0166 2000 2a14 2b 310000000000c04140 39000000000068 61c0 2c"
        ),
        Example(reference(["c", "a"]), "7a23 1a0166 2000 2a1c 63 \(app) 73 7a0163 8a010161 74 64"),
        Example(
            reference(["c", "x"], database: "db2"),
            "7a29 1a0166 2000 2a22 63 \(app) 73 7a0163 8a010178 74 ba0103646232 64"
        ),
        Example(reference(["c", "__id7__"]), "7a22 1a0166 2000 2a1b 63 \(app) 73 7a0163 800107 74 64"),
        Example(.array([]), "7209 0818 1a0166 2000 2a00"),
        Example(.array([.integer(1), .null]), "7a09 1a0166 2001 2a02 0801 7a07 1a0166 2001 2a00"),
        Example(.map([:]), "7a14 0813 1a0166 2000 2a0b 1a09 6a046a007200 820100"),
        Example(
            .map(["z": .boolean(true), "a": .array([])]),
            "7a2a 0813 1a0166 2000 2a21 1a1f 6a046a007200 7209 0818 1a0161 2000 2a00 7a09 1a017a 2000 2a02 1001 820100"
        ),
        Example(
            .vector([1]),
            """
            7a2f 0813 1a0166 2000 2a26 1a24 6a046a007200 7a19 1a0a5f5f766563746f725f5f 2001 2a09 21000000000000f03f \
            820100
            """
        ),
    ]

    private func encode(_ path: DocumentPath, _ fields: [String: Value], in database: DatabaseID) throws -> [UInt8] {
        try EncodedFields(fields).bytes.withUnsafeBytes {
            try EntityEncoder(database: database).encode(path, fields: $0)
        }
    }

    @Test(arguments: examples)
    func `a property has the bytes of the official emulator`(example: Example) throws {
        let entity = try encode(path("c/a"), ["f": example.value], in: Self.database)
        let key = "6a1b \(Self.app) 7208 0b 120163 220161 0c"
        let group = "8201 08 0b 120163 220161 0c"
        let expected = (key + example.property + group).filter { $0 != " " }
        #expect(hexadecimal(entity) == expected)
    }

    @Test(arguments: examples)
    func `reads what it wrote`(example: Example) throws {
        let entity = try encode(path("c/a"), ["f": example.value], in: Self.database)
        let document = try entity.withUnsafeBytes { try EntityDecoder(database: Self.database).decode($0) }
        #expect(try document?.path == path("c/a"))
        #expect(try document?.fields.decoded() == ["f": example.value])
    }

    @Test func `a whole record has the bytes of the official emulator`() throws {
        let entity = try encode(path("c/a"), ["n": .integer(3)], in: Self.database)
        let expected = """
            6a1b 6a0f 6465767e64656d6f2d6578706f7274 7208 0b 120163 220161 0c 7a09 1a016e 2000 2a02 0803 \
            8201 08 0b 120163 220161 0c
            """
        #expect(hexadecimal(entity) == expected.filter { $0 != " " })
        #expect(entity.withUnsafeBytes { RecordLog.checksum(of: .full, $0) } == UInt32(bigEndian: 0xB958_103D))
    }

    @Test func `keys have numbers, parents and databases`() throws {
        let database = DatabaseID(project: "p", database: "db2")
        let entity = try encode(path("c/__id-9__/sub/x"), [:], in: database)
        let expected = """
            6a29 6a05 6465767e70 721a 0b 120163 18f7ffffffffffffffff01 0c 0b 1203737562 220178 0c ba0103 646232 \
            8201 10 0b 120163 18f7ffffffffffffffff01 0c
            """
        #expect(hexadecimal(entity) == expected.filter { $0 != " " })
        let document = try entity.withUnsafeBytes { try EntityDecoder(database: database).decode($0) }
        #expect(document?.path.description == "c/__id-9__/sub/x")
        #expect(try entity.withUnsafeBytes { try EntityDecoder(database: demo).decode($0) } == nil)
    }
}

/// Two digits for each byte.
func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }
    .joined()
}

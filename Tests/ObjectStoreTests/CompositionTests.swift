// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct CompositionTests {
    let directory: TemporaryDirectory
    let store: SQLiteObjectStore
    let whole: ObjectPath

    init() throws {
        directory = TemporaryDirectory()
        store = try SQLiteObjectStore.make(directory, objectByteCountMax: 3_000_000)
        whole = try .named("whole")
    }

    private func component(_ name: String, generation: Int64? = nil) throws -> ObjectComponent {
        ObjectComponent(name: try #require(ObjectName(name)), generation: generation)
    }

    @Test func `joins bytes and checksums`() throws {
        let parts: [[UInt8]] = [[UInt8](repeating: 7, count: 1_500_000), [], [1, 2, 3]]
        for (index, part) in parts.enumerated() { try store.put(part, at: .named("\(index)")) }
        let components = try (0..<3).map { try component("\($0)") }
        let composed = try store.compose(components, into: whole, attributes: ObjectAttributes(contentType: "a/b"))
        let bytes = parts.flatMap { $0 }
        #expect(try store.bytes(at: whole) == bytes)
        #expect(composed.digest.md5 == nil)
        #expect(composed.componentCount == 3)
        #expect(composed.attributes.contentType == "a/b")
        let same = try store.put(bytes, at: .named("same"))
        #expect(composed.digest.crc32c == same.digest.crc32c)
        let nested = try store.compose([component("whole"), component("2")], into: whole)
        #expect(nested.componentCount == 4)
        #expect(try store.bytes(at: whole) == bytes + [1, 2, 3])
        #expect(try directory.dataFiles().count == 5)
    }

    @Test func `stores nothing when a part is not as it must be`() throws {
        let first = try store.put([1], at: .named("a"))
        let missing = try [component("a"), component("none")]
        #expect(try errorCode { _ = try store.compose(missing, into: whole) } == .componentMissing)
        let stale = try [component("a", generation: first.generation - 1)]
        #expect(try errorCode { _ = try store.compose(stale, into: whole) } == .componentMissing)
        var guarded = try component("a")
        guarded.preconditions = ObjectPreconditions(ifGenerationMatch: 1)
        #expect(try errorCode { _ = try store.compose([guarded], into: whole) } == .preconditionFailed)
        let absent = ObjectPreconditions(ifGenerationMatch: 1)
        let parts = try [component("a")]
        #expect(
            try errorCode { _ = try store.compose(parts, into: whole, preconditions: absent) } == .preconditionFailed
        )
        #expect(try store.metadata(at: whole) == nil)
        #expect(try directory.dataFiles().count == 1)
    }

    @Test func `refuses a whole that is too large`() throws {
        try store.put([UInt8](repeating: 1, count: 2_000_000), at: .named("a"))
        let parts = try [component("a"), component("a")]
        #expect(try errorCode { _ = try store.compose(parts, into: whole) } == .tooLarge)
        #expect(try directory.dataFiles().count == 1)
    }

    @Test(arguments: [(0, 0), (1, 0), (0, 5), (9, 9), (4_096, 1), (1, 70_001)])
    func `joins checksums as if the bytes were one`(first: Int, second: Int) throws {
        let left = (0..<first).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let right = (0..<second).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 5) }
        func checksum(_ bytes: [UInt8]) throws -> UInt32 {
            var hasher = try ObjectHasher()
            try bytes.withUnsafeBytes { try hasher.update($0) }
            return try hasher.finish().crc32c
        }
        let joined = try CRC32CJoining.join(checksum(left), checksum(right), byteCount: Int64(second))
        #expect(try joined == checksum(left + right))
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DocumentStore

struct FieldsCodingTests {
    @Test func `reads back what it wrote`() throws {
        var values = RandomValues(seed: 11)
        for _ in 0..<300 {
            let fields = ["f": values.value(), "g": values.value()]
            #expect(try FieldsDecoder.decode(FieldsEncoder.encode(fields)) == fields)
        }
    }

    @Test func `equal fields give equal bytes`() {
        let names = (0..<50).map { "n\($0)" }
        let forward = Dictionary(uniqueKeysWithValues: names.map { ($0, Value.null) })
        let backward = Dictionary(uniqueKeysWithValues: names.reversed().map { ($0, Value.null) })
        #expect(FieldsEncoder.encode(forward) == FieldsEncoder.encode(backward))
    }

    @Test func `damaged bytes throw and never trap`() {
        var values = RandomValues(seed: 12)
        var generator = SeededGenerator(seed: 13)
        for _ in 0..<300 {
            var bytes = FieldsEncoder.encode(["f": values.value(), "g": values.value()])
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            let cut = bytes.prefix(Int.random(in: 0...bytes.count, using: &generator))
            _ = try? FieldsDecoder.decode(bytes)
            _ = try? FieldsDecoder.decode(Array(cut))
        }
        #expect(throws: DocumentStoreError.self) { try FieldsDecoder.decode([1, 1]) }
    }
}

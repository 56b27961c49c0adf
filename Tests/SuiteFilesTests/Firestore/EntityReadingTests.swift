// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import FirestoreSamples
import TestSupport
import Testing

@testable import SuiteFiles

/// Entities of other writers: production, other projects, and damaged ones.
@Suite struct EntityReadingTests {
    /// Builds entities property by property.
    struct Builder {
        var writer = WireWriter()

        init(app: String = "s~prod", path: [(String, String)] = [("c", "a")], database: String = "") {
            writer.append(EntityTag.key) { key in
                key.append(EntityTag.app, text: app)
                key.append(EntityTag.path) { steps in
                    for (collection, document) in path {
                        steps.append(varint: EntityTag.keyStep.begin)
                        steps.append(EntityTag.keyStep.collection, text: collection)
                        steps.append(EntityTag.keyStep.name, text: document)
                        steps.append(varint: EntityTag.keyStep.end)
                    }
                }
                if !database.isEmpty { key.append(EntityTag.database, text: database) }
            }
        }

        mutating func add(
            _ name: String,
            meaning: Int64 = 0,
            isMultiple: Bool = false,
            isIndexed: Bool = false,
            _ value: (inout WireWriter) -> Void
        ) {
            writer.append(isIndexed ? EntityTag.indexedProperty : EntityTag.plainProperty) { property in
                if meaning != 0 { property.append(EntityTag.meaning, integer: meaning) }
                property.append(EntityTag.name, text: name)
                property.append(EntityTag.isMultiple, integer: isMultiple ? 1 : 0)
                property.append(EntityTag.value, message: value)
            }
        }

        func decoded(in database: DatabaseID = demo) throws -> [String: Value]? {
            try writer.bytes.withUnsafeBytes { try EntityDecoder(database: database).decode($0)?.fields.decoded() }
        }

        /// The reason for which it is refused.
        func refusal() -> String? {
            do {
                _ = try decoded()
                return nil
            } catch let fault as EntityFault {
                return fault.reason
            } catch {
                return "\((error as? FirestoreError)?.message ?? "another error")"
            }
        }
    }

    private static func reference(_ writer: inout WireWriter) {
        writer.append(varint: EntityTag.reference)
        writer.append(EntityTag.app, text: "s~prod")
        writer.append(varint: EntityTag.referenceStep.begin)
        writer.append(EntityTag.referenceStep.collection, text: "c")
        writer.append(EntityTag.referenceStep.name, text: "b")
        writer.append(varint: EntityTag.referenceStep.end)
        writer.append(varint: EntityTag.referenceEnd)
    }

    private static func target(project: String) throws -> Value {
        .reference(DocumentReference(database: DatabaseID(project: project), path: try path("c/b")))
    }

    @Test func `elements of an array may be apart, and fields in any order`() throws {
        var entity = Builder()
        entity.add("l", isMultiple: true) { $0.append(EntityTag.integer, integer: 1) }
        entity.add("b") { $0.append(EntityTag.boolean, integer: 1) }
        entity.add("l", isMultiple: true) { $0.append(EntityTag.text, text: "x") }
        entity.add("a", isIndexed: true) { _ in }
        let expected: [String: Value] = ["l": .array([.integer(1), .string("x")]), "b": .boolean(true), "a": .null]
        #expect(try entity.decoded() == expected)
    }

    private static func map(isIndexed: Bool) -> [UInt8] {
        var map = Builder()
        map.writer = WireWriter()
        map.add("r", isIndexed: isIndexed) { reference(&$0) }
        return map.writer.bytes
    }

    @Test func `references that are indexed move along with their document`() throws {
        var entity = Builder()
        for (name, isOuter, isInner) in [("in", true, true), ("out", false, true), ("mixed", true, false)] {
            entity.add(name, meaning: EntityMeaning.entity, isIndexed: isOuter) {
                $0.append(EntityTag.text, content: Self.map(isIndexed: isInner))
            }
        }
        entity.add("moved", isIndexed: true) { Self.reference(&$0) }
        entity.add("all", isMultiple: true, isIndexed: true) { Self.reference(&$0) }
        entity.add("kept") { Self.reference(&$0) }
        let (moved, kept) = (try Self.target(project: "demo"), try Self.target(project: "prod"))
        let expected: [String: Value] = [
            "moved": moved, "all": .array([moved]), "kept": kept, "in": .map(["r": moved]), "out": .map(["r": kept]),
            "mixed": .map(["r": kept]),
        ]
        #expect(try entity.decoded() == expected)
    }

    @Test(arguments: [("", "(default)", true), ("(default)", "(default)", true), ("db2", "(default)", false)])
    func `documents of other databases are left out`(written: String, wanted: String, isTaken: Bool) throws {
        let entity = Builder(database: written)
        #expect(try (entity.decoded(in: DatabaseID(project: "p", database: wanted)) != nil) == isTaken)
    }

    @Test func `a vector may be a map that says so`() throws {
        var entity = Builder()
        entity.add("v", meaning: EntityMeaning.entity) { value in
            value.append(EntityTag.text) { map in
                var inner = Builder()
                inner.writer = WireWriter()
                inner.add("value", isMultiple: true) { $0.append(EntityTag.double, double: 2.5) }
                inner.add("__type__") { $0.append(EntityTag.text, text: "__vector__") }
                map.append(encoded: inner.writer.bytes)
            }
        }
        #expect(try entity.decoded() == ["v": .vector([2.5])])
    }

    @Test func `a vector may be an array of elements that say so`() throws {
        var entity = Builder()
        for number in [1, -2.5] {
            entity.add("v", meaning: 31, isMultiple: true) { $0.append(EntityTag.double, double: number) }
        }
        #expect(try entity.decoded() == ["v": .vector([1, -2.5])])
    }

    @Test func `production's texts, short bytes and unknown fields are read`() throws {
        var entity = Builder()
        entity.add("t", meaning: 15) { $0.append(EntityTag.text, text: "long") }
        entity.add("b", meaning: 16, isIndexed: true) { $0.append(EntityTag.text, content: [1, 2]) }
        entity.writer.append(varint: 90 << 3 | EntityTag.groupBegin)
        entity.writer.append(1 << 3, integer: 5)
        entity.writer.append(varint: 90 << 3 | EntityTag.groupEnd)
        #expect(try entity.decoded() == ["t": .string("long"), "b": .bytes([1, 2])])
    }

    @Test func `refuses what no document may have`() throws {
        var twice = Builder()
        for _ in 0..<2 { twice.add("a") { $0.append(EntityTag.integer, integer: 1) } }
        #expect(twice.refusal() == "it has a field twice")
        var enterprise = Builder()
        enterprise.add("a", meaning: 32) { $0.append(EntityTag.text, content: [1]) }
        #expect(enterprise.refusal() == "a field has a type of the Enterprise edition (32)")
        var text = Builder()
        text.add("a") { $0.append(EntityTag.text, content: [0xFF]) }
        #expect(text.refusal() == "a text is not UTF-8")
        var large = Builder()
        large.add("a", meaning: 14) { $0.append(EntityTag.text, content: [UInt8](repeating: 0, count: 1_048_400)) }
        large.add("b", meaning: 14) { $0.append(EntityTag.text, content: [UInt8](repeating: 0, count: 1_000)) }
        #expect(large.refusal()?.hasPrefix("it has 1049") == true)
        #expect(Builder(path: [("c", "a/b")]).refusal()?.contains("contains \"/\"") == true)
        #expect(Builder(path: []).refusal() != nil)
        #expect(Builder(path: [("c", String(repeating: "x", count: 1_501))]).refusal() != nil)
    }

    @Test func `maps nest to the limit and no deeper`() throws {
        for (depth, isFine) in [(DocumentLimits.depthMax, true), (DocumentLimits.depthMax + 1, false), (5_000, false)] {
            var map = WireWriter()
            for _ in 0..<depth {
                var outer = Builder()
                outer.writer = WireWriter()
                outer.add("m", meaning: EntityMeaning.entity) { $0.append(EntityTag.text, content: map.bytes) }
                map = outer.writer
            }
            var entity = Builder()
            entity.writer.append(encoded: map.bytes)
            #expect((entity.refusal() == nil) == isFine, "depth \(depth)")
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `random documents survive`(seed: UInt64) throws {
        var random = RandomValues(seed: seed)
        var count = 0
        while count < 300 {
            let fields = random.fields(depth: 4)
            guard (try? FieldValidator.validate(fields)) != nil else { continue }
            count += 1
            let encoded = EncodedFields(fields)
            let entity = try encoded.bytes.withUnsafeBytes {
                try EntityEncoder(database: demo).encode(path("c/a"), fields: $0)
            }
            let read = try entity.withUnsafeBytes { try EntityDecoder(database: demo).decode($0)?.fields }
            #expect(read == encoded)
        }
    }

    @Test(arguments: [4, 5] as [UInt64])
    func `damaged entities are refused or read, and never crash`(seed: UInt64) throws {
        var random = RandomValues(seed: seed)
        for _ in 0..<2_000 {
            let fields = random.fields(depth: 3)
            guard (try? FieldValidator.validate(fields)) != nil else { continue }
            var entity = try EncodedFields(fields).bytes.withUnsafeBytes {
                try EntityEncoder(database: demo).encode(path("c/a"), fields: $0)
            }
            for _ in 0..<3 {
                let place = Int.random(in: entity.indices, using: &random.generator)
                entity[place] = UInt8.random(in: 0...255, using: &random.generator)
            }
            entity.removeLast(Int.random(in: 0..<3, using: &random.generator))
            let read = try? entity.withUnsafeBytes { try EntityDecoder(database: demo).decode($0)?.fields }
            if let read { _ = try read.decoded() }
        }
    }
}

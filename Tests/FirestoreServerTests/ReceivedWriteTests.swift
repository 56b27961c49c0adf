// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreProtocol
import SeededRandom
import SwiftProtobuf
import Testing

@testable import DocumentStore
@testable import FirestoreModel
@testable import FirestoreServer

/// Writes read from the wire's bytes beside the same writes read as messages.
struct ReceivedWriteTests {
    private let database = DatabaseID(project: "demo")

    @Test(
        arguments: [
            #"{"nullValue":null}"#, #"{"booleanValue":true}"#, #"{"integerValue":"-9223372036854775808"}"#,
            #"{"doubleValue":-0.0}"#, #"{"doubleValue":"NaN"}"#, #"{"stringValue":""}"#,
            #"{"stringValue":"é \u0000 🔥"}"#, #"{"bytesValue":"AP8="}"#,
            #"{"timestampValue":"0001-01-01T00:00:00.000001Z"}"#,
            #"{"geoPointValue":{"latitude":-90,"longitude":180}}"#, #"{"arrayValue":{}}"#, #"{"mapValue":{}}"#,
            #"{"referenceValue":"projects/p/databases/d/documents/a/b"}"#,
            #"{"arrayValue":{"values":[{"integerValue":"1"},{"mapValue":{"fields":{"é":{"nullValue":null}}}}]}}"#,
        ]
    )
    func `reads plain fields without a message`(value: String) throws {
        let message = try Self.message(#"{"update":{"name":"\#(Self.name)","fields":{"v":\#(value),"w":\#(value)}}}"#)
        let received = try Self.received(message)
        let values = try Write(message, in: database).values
        #expect(received.document?.fields.encoded == EncodedFields(values))
        #expect(try Write(received, in: database) == Write(message, in: database))
    }

    @Test func `brings fields into the order of their names`() throws {
        let names = (0..<20).map { String(repeating: "z", count: $0 % 3) + "f\($0)" }
        let fields = Dictionary(uniqueKeysWithValues: names.map { ($0, Proto.Value.with { $0.integerValue = 1 }) })
        for _ in 0..<10 {
            // Written in the order of the dictionary, which is another one each time.
            let message = Proto.Write.with { write in
                write.update.name = Self.name
                write.update.fields = fields.filter { _ in true }
                write.update.fields["z"] = .with { $0.mapValue.fields = fields.filter { _ in true } }
            }
            let encoded = try Self.received(message).document?.fields.encoded
            #expect(try encoded == EncodedFields(Write(message, in: database).values))
        }
    }

    @Test func `leaves to the messages names that are equal as strings only`() throws {
        var writer = WireWriter()
        writer.append(WireTag.writeUpdate) { document in
            document.append(WireTag.documentName, text: Self.name)
            for name in ["e\u{301}", "\u{E9}"] {
                document.append(WireTag.documentField) { entry in
                    entry.append(WireTag.key, text: name)
                    entry.append(WireTag.value) { $0.append(WireTag.null, integer: 0) }
                }
            }
        }
        #expect(try writer.bytes.withUnsafeBytes { try ReceivedWrite(serializedBytes: $0) }.document == nil)
    }

    @Test(
        arguments: [
            (String(repeating: "n", count: 1_500), "v", true), (String(repeating: "n", count: 1_501), "v", false),
            ("n", String(repeating: "v", count: 1_048_487), true),
            ("n", String(repeating: "v", count: 1_048_488), false),
        ]
    )
    func `leaves to the messages what is beyond a limit`(name: String, text: String, isPlain: Bool) throws {
        let message = Proto.Write.with { write in
            write.update.name = Self.name
            write.update.fields[name] = .with { $0.stringValue = text }
        }
        #expect(try (Self.received(message).document != nil) == isPlain)
    }

    @Test func `leaves to the messages what nests deeply`() throws {
        let depths = try (1...25).filter { depth in
            let value = (0..<depth).reduce(#"{"nullValue":null}"#) { inner, _ in
                #"{"mapValue":{"fields":{"m":\#(inner)}}}"#
            }
            let json = #"{"update":{"name":"\#(Self.name)","fields":{"v":\#(value)}}}"#
            return try Self.received(Self.message(json)).document != nil
        }
        #expect(depths == Array(1...19))
    }

    @Test(
        arguments: [
            #""updateMask":{"fieldPaths":["v","a.b"]}"#,
            #""currentDocument":{"exists":false}"#,
            #""currentDocument":{"updateTime":"2026-11-21T00:49:09.123456Z"}"#,
            #""updateTransforms":[{"fieldPath":"n","increment":{"integerValue":"1"}}]"#,
        ]
    )
    func `keeps what a write says beside its fields`(part: String) throws {
        let message = try Self.message(
            #"{"update":{"name":"\#(Self.name)","fields":{"v":{"integerValue":"1"}}},\#(part)}"#
        )
        let received = try Self.received(message)
        #expect(received.document != nil)
        #expect(try Write(received, in: database) == Write(message, in: database))
    }

    @Test(
        arguments: [
            #"{"delete":"\#(Self.name)"}"#,
            #"{"update":{"name":"\#(Self.name)","fields":{"v":{"mapValue":{"fields":{"#
                + #""__type__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":[{"doubleValue":1}]}}}}}}}}"#,
            #"{"update":{"name":"\#(Self.name)","fields":{"v":{"mapValue":{"fields":{"__min__":{"nullValue":null}}}}}}}"#,
            #"{"update":{"name":"\#(Self.name)","fields":{"__x":{"nullValue":null}}}}"#,
        ]
    )
    func `leaves to the messages what needs a closer look`(json: String) throws {
        let message = try Self.message(json)
        let received = try Self.received(message)
        #expect(received.document == nil)
        #expect(try Write(received, in: database) == Write(message, in: database))
    }

    @Test func `agrees with the messages on damaged bytes`() throws {
        let message = try Self.message(
            #"{"update":{"name":"\#(Self.name)","fields":{"t":{"timestampValue":"2026-11-21T00:49:09.5Z"},"#
                + #""a":{"arrayValue":{"values":[{"mapValue":{"fields":{"s":{"stringValue":"é"}}}},{"doubleValue":1}]}},"#
                + #""r":{"referenceValue":"projects/p/databases/d/documents/c/d"},"#
                + #""g":{"geoPointValue":{"latitude":1,"longitude":2}}}},"currentDocument":{"exists":true}}"#
        )
        var options = BinaryEncodingOptions()
        options.useDeterministicOrdering = true
        let bytes: [UInt8] = try message.serializedBytes(options: options)
        var generator = SplitMix64(seed: 11)
        for _ in 0..<20_000 {
            var damaged = bytes
            for _ in 0..<generator.integer(in: 1...3) {
                let place = generator.integer(in: 0...damaged.count - 1)
                switch generator.integer(in: 0...2) {
                case 0: damaged[place] = UInt8(generator.integer(in: 0...255))
                case 1: damaged[place] ^= 1 << UInt8(generator.integer(in: 0...7))
                default: damaged.remove(at: place)
                }
            }
            let asMessage = try? Write(Proto.Write(serializedBytes: damaged), in: database)
            let received = try? Write(damaged.withUnsafeBytes { try ReceivedWrite(serializedBytes: $0) }, in: database)
            #expect(received?.precondition == asMessage?.precondition, "\(damaged)")
            #expect(try (received?.values).map(EncodedFields.init) == (asMessage?.values).map(EncodedFields.init))
        }
    }

    @Test(arguments: [0, 3, 500])
    func `keeps the parts of a request`(writeCount: Int) throws {
        let request = Proto.CommitRequest.with { request in
            request.database = database.name
            request.transaction = .init([1, 2])
            request.writes = (0..<writeCount).map { number in
                .with { $0.update.name = Self.name + "\(number)" }
            }
        }
        let bytes: [UInt8] = try request.serializedBytes()
        let received = try bytes.withUnsafeBytes { try ReceivedCommit(serializedBytes: $0) }
        #expect(received.database == request.database)
        #expect(received.transaction == request.transaction)
        #expect(received.writes.map(\.document?.reference.name) == request.writes.map(\.update.name))
    }

    private static let name = "projects/demo/databases/(default)/documents/a/b"

    private static func message(_ json: String) throws -> Proto.Write {
        try Proto.Write(jsonString: json)
    }

    private static func received(_ message: Proto.Write) throws -> ReceivedWrite {
        let bytes: [UInt8] = try message.serializedBytes()
        return try bytes.withUnsafeBytes { try ReceivedWrite(serializedBytes: $0) }
    }
}

extension Write {
    /// The fields that a write sets; none for others.
    fileprivate var values: [String: Value] {
        get throws {
            guard case .set(let fields, _) = operation else { return [:] }
            return try fields.values
        }
    }
}

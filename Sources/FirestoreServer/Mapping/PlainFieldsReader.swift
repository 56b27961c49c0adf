// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore

/// Reads documents' fields from the wire's bytes if nothing about them needs a closer look; nearly all are such.
///
/// Throws, or returns `nil`, for damaged bytes, reserved names, vectors and other maps with a meaning, references of an
/// unusual form, kinds of values it does not know, and whatever else `Value.init(_:)` is there to judge.
enum PlainFieldsReader {
    /// A document's name and fields.
    static func document(_ bytes: UnsafeRawBufferPointer) throws -> (name: String, fields: [String: Value])? {
        var reader = WireReader(bytes)
        var name = ""
        var count = 0
        while let tag = try reader.nextTag() {
            switch tag {
            case WireTag.documentName: name = try reader.nextValidText()
            case WireTag.documentField:
                _ = try reader.nextContent()
                count += 1
            default: return nil
            }
        }
        return (name, try fields(count, tagged: WireTag.documentField, bytes, depth: DocumentLimits.depthMax))
    }

    private static func map(_ bytes: UnsafeRawBufferPointer, depth: Int) throws -> Value {
        guard depth > 0 else { throw NotPlain() }
        var count = 0
        var reader = WireReader(bytes)
        while let tag = try reader.nextTag() {
            guard tag == WireTag.member else { throw NotPlain() }
            _ = try reader.nextContent()
            count += 1
        }
        return .map(try fields(count, tagged: WireTag.member, bytes, depth: depth))
    }

    private static func fields(
        _ count: Int,
        tagged wanted: UInt64,
        _ bytes: UnsafeRawBufferPointer,
        depth: Int
    ) throws -> [String: Value] {
        var fields: [String: Value] = Dictionary(minimumCapacity: count)
        var reader = WireReader(bytes)
        while let tag = try reader.nextTag() {
            let content = try reader.nextContent()
            if tag == wanted { try add(WireReader(content), to: &fields, depth: depth) }
        }
        return fields
    }

    private static func add(_ entry: consuming WireReader, to fields: inout [String: Value], depth: Int) throws {
        guard try entry.nextTag() == WireTag.key else { throw NotPlain() }
        let name = try entry.nextValidText()
        guard !name.isEmpty, !name.utf8.starts(with: "__".utf8), try entry.nextTag() == WireTag.value else {
            throw NotPlain()
        }
        fields[name] = try value(try entry.nextContent(), depth: depth)
        guard try entry.nextTag() == nil else { throw NotPlain() }
    }

    private static func value(_ bytes: UnsafeRawBufferPointer, depth: Int) throws -> Value {
        var reader = WireReader(bytes)
        let value = try value(&reader, depth: depth)
        guard try reader.nextTag() == nil else { throw NotPlain() }
        return value
    }

    private static func value(_ reader: inout WireReader, depth: Int) throws -> Value {
        switch try reader.nextTag() {
        case WireTag.null:
            _ = try reader.nextVarint()
            return .null
        case WireTag.boolean: return .boolean(try reader.nextVarint() != 0)
        case WireTag.integer: return .integer(try reader.nextInteger())
        case WireTag.double: return .double(try reader.nextDouble())
        case WireTag.timestamp: return .timestamp(try WireReader(try reader.nextContent()).timestamp())
        case WireTag.string: return .string(try reader.nextValidText())
        case WireTag.bytes: return .bytes(Array(try reader.nextContent()))
        case WireTag.reference:
            return .reference(try DocumentReference(parsing: try reader.nextValidText()))
        case WireTag.geoPoint: return .geoPoint(try WireReader(try reader.nextContent()).geoPoint())
        case WireTag.array: return .array(try elements(try reader.nextContent(), depth: depth - 1))
        case WireTag.map: return try map(try reader.nextContent(), depth: depth - 1)
        default: throw NotPlain()
        }
    }

    private static func elements(_ bytes: UnsafeRawBufferPointer, depth: Int) throws -> [Value] {
        guard depth > 0 else { throw NotPlain() }
        var elements: [Value] = []
        var reader = WireReader(bytes)
        while let tag = try reader.nextTag() {
            guard tag == WireTag.member else { throw NotPlain() }
            elements.append(try value(try reader.nextContent(), depth: depth))
        }
        return elements
    }

    private struct NotPlain: Error {}
}

extension WireReader {
    /// Text that is valid UTF-8, as the protocol demands.
    fileprivate mutating func nextValidText() throws -> String {
        let bytes = try nextContent()
        var text = String(decoding: bytes, as: UTF8.self)
        // Decoding repairs what is not valid, which always changes it; validating first takes longer.
        guard text.withUTF8({ $0.elementsEqual(bytes) }) else { throw CallError.unexpected }
        return text
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// `N.overall_export_metadata`: the entry of an export.
struct OverallMetadata {
    /// Where a kind's metadata are, and how much there is of it.
    struct Kind {
        /// As seen from the folder of the overall file.
        let path: String
        let documents: Int64
        /// The size of its outputs.
        let bytes: Int64
    }

    /// The first record of every overall file.
    private static let version = Array("3".utf8)

    var kinds: [Kind] = []

    /// Writes the file of an export.
    func write(to path: String) throws {
        var log = RecordLogWriter(try .creating(path))
        try log.append(Self.version)
        var record = WireWriter()
        for kind in kinds {
            record.append(Tag.kind) { message in
                message.append(Tag.format) {
                    $0.append(1 << 3, integer: 2)
                    $0.append(3 << 3, integer: 3)
                }
                message.append(Tag.path, text: kind.path)
                message.append(Tag.documents, integer: kind.documents)
                message.append(Tag.bytes, integer: kind.bytes)
            }
        }
        try log.append(record.bytes)
        try log.flush()
    }

    /// Reads the file of an export.
    static func read(_ path: String) throws -> OverallMetadata {
        let file: ExportFile
        do {
            file = try .reading(path)
        } catch let error as ExportError {
            throw ExportError(
                code: error.code,
                description: "Failed to parse overall export metadata file: \(error.description)"
            )
        }
        var metadata = OverallMetadata()
        var recordCount = 0
        var log = RecordLogReader(file)
        do {
            try log.visit { record in
                defer { recordCount += 1 }
                guard recordCount > 0 else { return try requireVersion(record, in: path) }
                try metadata.add(record)
            }
        } catch let fault as EntityFault {
            throw ExportError.badOverallFile(path, because: "has a record that cannot be read: \(fault.reason)")
        }
        guard recordCount > 0 else { throw ExportError.unsupportedOverallFile(path, because: "is empty") }
        return metadata
    }

    private static func requireVersion(_ record: UnsafeRawBufferPointer, in path: String) throws {
        guard record.elementsEqual(version) else {
            throw ExportError.unsupportedOverallFile(path, because: "does not begin with version 3")
        }
    }

    private mutating func add(_ record: UnsafeRawBufferPointer) throws {
        var reader = MessageReader(record)
        while let tag = try reader.nextTag() {
            guard tag == Tag.kind else {
                try reader.skip(tag)
                continue
            }
            kinds.append(try Self.kind(try reader.nextContent()))
        }
    }

    private static func kind(_ bytes: UnsafeRawBufferPointer) throws -> Kind {
        var (path, documents, byteCount) = ("", Int64(0), Int64(0))
        var reader = MessageReader(bytes)
        while let tag = try reader.nextTag() {
            switch tag {
            case Tag.path: path = try reader.nextText()
            case Tag.documents: documents = try reader.nextInteger()
            case Tag.bytes: byteCount = try reader.nextInteger()
            default: try reader.skip(tag)
            }
        }
        return Kind(path: path, documents: documents, bytes: byteCount)
    }

    private enum Tag {
        static let kind: UInt64 = 1 << 3 | EntityTag.delimited
        static let format: UInt64 = 1 << 3 | EntityTag.delimited
        static let path: UInt64 = 2 << 3 | EntityTag.delimited
        static let documents: UInt64 = 3 << 3 | EntityTag.varint
        static let bytes: UInt64 = 4 << 3 | EntityTag.varint
    }
}

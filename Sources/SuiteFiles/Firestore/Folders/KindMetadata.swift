// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import FirestoreModel

/// `….export_metadata`: the outputs of one kind, or of all kinds.
struct KindMetadata {
    private static let byteCountMax = 16 << 20

    /// The names of the outputs, as seen from the folder of the file.
    var outputs: [String]

    /// Writes the file of an export.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The name of the export.
    ///   - time: The moment of which the documents are.
    /// - Throws: `ExportError` when the disk refuses.
    func write(to path: String, exportNamed name: String, at time: Timestamp) throws {
        var message = WireWriter()
        message.append(Tag.export) { export in
            export.append(1 << 3 | EntityTag.delimited, text: name)
            export.append(2 << 3, integer: time.microseconds)
            export.append(3 << 3, integer: time.microseconds)
        }
        message.append(Tag.outputs) { list in
            list.append(1 << 3 | EntityTag.delimited, text: "")
            for output in outputs { list.append(Tag.output, text: output) }
        }
        let file = try ExportFile.creating(path)
        try message.bytes.withUnsafeBytes { try file.append($0) }
    }

    /// Reads the file of an export.
    static func read(_ path: String) throws -> KindMetadata {
        let bytes = try ExportFile.reading(path).contents(upTo: byteCountMax)
        do {
            return KindMetadata(outputs: try bytes.withUnsafeBytes { try outputs(in: $0) })
        } catch let fault as EntityFault {
            throw ExportError.badFile(path, because: "does not list the files of an export: \(fault.reason)")
        }
    }

    /// Outputs may be in one list, or each in one of its own.
    private static func outputs(in bytes: UnsafeRawBufferPointer) throws(EntityFault) -> [String] {
        var outputs: [String] = []
        var reader = MessageReader(bytes)
        while let tag = try reader.nextTag() {
            guard tag == Tag.outputs else {
                try reader.skip(tag)
                continue
            }
            var list = MessageReader(try reader.nextContent())
            while let tag = try list.nextTag() {
                if tag == Tag.output { outputs.append(try list.nextText()) } else { try list.skip(tag) }
            }
        }
        return outputs
    }

    private enum Tag {
        static let export: UInt64 = 1 << 3 | EntityTag.delimited
        static let outputs: UInt64 = 2 << 3 | EntityTag.delimited
        static let output: UInt64 = 2 << 3 | EntityTag.delimited
    }
}

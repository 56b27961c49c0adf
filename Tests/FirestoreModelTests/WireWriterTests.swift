// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import FirestoreModel

struct WireWriterTests {
    @Test(
        arguments: [
            (0, [0]), (1, [1]), (127, [127]), (128, [0x80, 1]), (16_383, [0xFF, 0x7F]), (16_384, [0x80, 0x80, 1]),
            (2_097_152, [0x80, 0x80, 0x80, 1]),
        ] as [(Int, [UInt8])]
    )
    func `puts the length before a message`(byteCount: Int, length: [UInt8]) {
        let content = [UInt8](repeating: 7, count: byteCount)
        var writer = WireWriter()
        writer.append(0x0A) { $0.append(encoded: content) }
        #expect(writer.bytes == [0x0A] + length + content)
    }

    @Test func `writes names in parts`() throws {
        let name = "projects/demo/databases/(default)/documents/w/\(String(repeating: "é", count: 100))"
        let reference = try DocumentReference(parsing: name)
        var writer = WireWriter()
        writer.append(0x0A, nameOf: reference.path, in: reference.database)
        let read = try writer.bytes.withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            return (tag: try reader.nextTag(), name: try reader.nextText(), end: try reader.nextTag())
        }
        #expect(read.tag == 0x0A)
        #expect(read.name == name)
        #expect(read.end == nil)
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Answers as one array of JSON, its length before it.
///
///     29
///     [[1,["noop"]],[2,["noop"]]]
struct ChannelChunk {
    /// Room for the length, and for what a connection puts before it.
    private static let headByteCountMax = 40

    private(set) var bytes: ByteBuffer
    /// In UTF-16 code units, as browsers count.
    private var length = 2
    /// The costs of the answers in it; `nil` where none of them is an answer of the call.
    private(set) var usages: [CallUsage]?

    /// Begins a chunk.
    ///
    /// - Parameter byteCount: The bytes that are expected.
    init(expecting byteCount: Int) {
        bytes = ByteBuffer()
        bytes.reserveCapacity(Self.headByteCountMax + byteCount + 16)
        bytes.writeRepeatingByte(UInt8(ascii: " "), count: Self.headByteCountMax)
        bytes.moveReaderIndex(to: Self.headByteCountMax)
        bytes.writeInteger(UInt8(ascii: "["))
    }

    /// A chunk of one value, which is not an answer of the call.
    static func alone(_ json: String) -> ByteBuffer {
        let length = json.utf16.count
        return ByteBuffer(string: "\(length)\n\(json)")
    }

    var byteCount: Int { bytes.readableBytes }

    /// Appends an answer, and its costs.
    mutating func append(_ json: [UInt8], number: Int, usages: [CallUsage]?) {
        let head = byteCount == 1 ? "[\(number),[" : ",[\(number),["
        bytes.writeString(head)
        bytes.writeBytes(json)
        bytes.writeStaticString("]]")
        length += head.utf8.count + Self.utf16Length(of: json) + 2
        guard let usages else { return }
        // Mostly one answer has any: then nothing is copied.
        if self.usages?.isEmpty ?? true {
            self.usages = usages
        } else if !usages.isEmpty {
            self.usages? += usages
        }
    }

    /// Ends the chunk: from now on it is as it is sent.
    mutating func finish() {
        bytes.writeInteger(UInt8(ascii: "]"))
        let head = "\(length)\n"
        let start = bytes.readerIndex - head.utf8.count
        bytes.setString(head, at: start)
        bytes.moveReaderIndex(to: start)
    }

    /// A character has a unit, one of four bytes in UTF-8 has two; bytes that continue a character have none.
    private static func utf16Length(of utf8: [UInt8]) -> Int {
        // Counted so that compilers take many bytes at once.
        utf8.withUnsafeBufferPointer { bytes in
            var (continuationCount, pairCount) = (0, 0)
            for byte in bytes {
                continuationCount &+= byte & 0b1100_0000 == 0b1000_0000 ? 1 : 0
                pairCount &+= byte >= 0b1111_0000 ? 1 : 0
            }
            return bytes.count - continuationCount + pairCount
        }
    }
}

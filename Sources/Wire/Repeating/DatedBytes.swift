// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The bytes of an answer, which contain the second in which they are given.
struct DatedBytes {
    /// An answer of which this many bytes are given in one second go into a file for the rest of it.
    ///
    /// At 100 KB and at 20 KB, making one takes about as long as is saved by giving this many (measured in 2026-11).
    static let givenByteCountOfFile = 400_000

    private var buffer: ByteBuffer
    /// Where the date of the answer stands in it.
    private let dateOffsets: [Int]
    /// The second since the Unix epoch that the bytes contain; `nil` before they are given.
    private var second: Int64?
    /// How many bytes were given in that second.
    private var givenByteCount = 0
    private var wasFileTried = false
    private var file: MemoryFile?

    /// Takes an answer over; `nil` where it cannot be given a new date.
    ///
    /// - Parameters:
    ///   - message: The answer.
    ///   - headerByteCount: The bytes of its head.
    ///   - date: The date that it contains.
    init?(_ message: ByteBuffer, headerByteCount: Int, date: String) {
        let head = message.getSlice(at: message.readerIndex, length: headerByteCount) ?? ByteBuffer()
        guard let dateOffsets = DateFields.offsets(of: date, in: head) else { return nil }
        buffer = message
        self.dateOffsets = dateOffsets
    }

    /// The bytes that are held at most: those of the answer, which may lie in a file too.
    var heldByteCount: Int {
        buffer.storageCapacity + (buffer.readableBytes >= MemoryFile.byteCountMin ? buffer.readableBytes : 0)
    }

    /// Returns the answer as it is given in a second since the Unix epoch.
    mutating func give(atSecond second: Int64) -> GivenBytes {
        if second != self.second { date(second) }
        givenByteCount += buffer.readableBytes
        return given
    }

    private var given: GivenBytes { file.map { .file($0) } ?? .buffer(buffer) }

    /// Whether it is time to put the bytes into a file.
    var isWorthFile: Bool {
        !wasFileTried && givenByteCount >= Self.givenByteCountOfFile && buffer.readableBytes >= MemoryFile.byteCountMin
    }

    /// Gives the bytes from a file, now and for the rest of the second, if there can be one.
    mutating func giveFile(_ budget: DescriptorBudget) -> GivenBytes {
        wasFileTried = true
        file = MemoryFile(buffer, budget: budget)
        return given
    }

    /// Releases a file, which stays as long as it is being sent.
    mutating func forgetFile() { file = nil }

    /// The key where the file is not of a second.
    mutating func forgetFile(unlessOf second: Int64) {
        if self.second != second { forgetFile() }
    }

    private mutating func date(_ second: Int64) {
        forgetFile()  // so that there is one owner, and setting does not copy
        let date = HTTPDate.text(secondsSinceEpoch: second)
        for offset in dateOffsets { buffer.setString(date, at: buffer.readerIndex + offset) }
        self.second = second
        givenByteCount = 0
        wasFileTried = false
    }
}

/// The bytes of an answer, dated now.
enum GivenBytes {
    case buffer(ByteBuffer)
    case file(MemoryFile)
}

/// The fields of an answer's head that contain when it was given.
private enum DateFields {
    private static let names: Set<String> = ["date", "expires"]

    /// Returns where the values of the fields `Date` and `Expires` begin that are `date`; `nil` without a `Date`.
    static func offsets(of date: String, in head: ByteBuffer) -> [Int]? {
        var offsets: [Int] = []
        var lineStart = 0
        for line in head.readableBytesView.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            defer { lineStart += line.count + 1 }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let value = line[colon...].dropFirst().drop { $0 == UInt8(ascii: " ") }
            guard names.contains(name), value.starts(with: date.utf8) else { continue }
            offsets.append(lineStart + line.distance(from: line.startIndex, to: value.startIndex))
        }
        return offsets.isEmpty ? nil : offsets
    }
}

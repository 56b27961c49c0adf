// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import SessionLog

/// Writes records about requests into a file, so that those of one class can be looked at alone.
///
/// The file has frames: the number of a class and the words of a record, both of 16 bits, the count of the records of 32 bits, and the
/// records, in words of 64 bits, all little-endian. Memory does not grow.
struct RecordFile: Sendable {
    static let classCount = 256
    static let headByteCount = 8
    private static let frameByteCount = 16 << 10

    private let file: OpenFile<SessionLogError>
    private let wordCount: Int
    private var frames: [[UInt64]]

    /// Creates a file of records that have `wordCount` words each.
    init(_ path: String, wordCount: Int) throws(SessionLogError) {
        file = try OpenFile(path, .readingAndWriting, [.creating, .emptying])
        self.wordCount = wordCount
        frames = Array(repeating: [], count: Self.classCount)
    }

    /// Appends a record, whose words `add` appends, to the class of a hash.
    mutating func append(by hash: UInt64, _ add: (inout [UInt64]) -> Void) throws(SessionLogError) {
        let number = Int(hash >> 56)
        add(&frames[number])
        if frames[number].count * 8 >= Self.frameByteCount { try write(number) }
    }

    /// Writes what waits.
    mutating func finish() throws(SessionLogError) {
        for number in frames.indices where !frames[number].isEmpty { try write(number) }
    }

    private mutating func write(_ number: Int) throws(SessionLogError) {
        let count = frames[number].count / wordCount
        let head = UInt64(number | wordCount << 16 | count << 32)
        frames[number].insert(head.littleEndian, at: 0)
        let outcome = frames[number].withUnsafeBytes { bytes in
            Result { () throws(SessionLogError) in try file.append(bytes) }
        }
        try outcome.get()
        frames[number].removeAll(keepingCapacity: true)
    }
}

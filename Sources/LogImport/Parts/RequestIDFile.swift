// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import SessionLog

/// Writes what a part of a log counted for each request that has an id, by which duplicates in other parts are found.
///
/// The file has frames: the number of a class and the words of a record, both of 16 bits, the count of the records of 32 bits, and the
/// records, in words of 64 bits, all little-endian.
/// Requests of the same id are in the same class, so that each class can be looked at alone. Memory does not grow.
struct RequestIDFile: Sendable {
    /// The classes, by the first byte of an id's hash.
    static let classCount = 256
    static let headByteCount = 8
    private static let frameByteCount = 16 << 10

    private let file: OpenFile<SessionLogError>
    private let hasGroups: Bool
    private var frames: [[UInt64]]

    init(_ path: String, hasGroups: Bool) throws(SessionLogError) {
        file = try OpenFile(path, .readingAndWriting, [.creating, .emptying])
        self.hasGroups = hasGroups
        frames = Array(repeating: [], count: Self.classCount)
    }

    mutating func append(_ record: CountedRequest) throws(SessionLogError) {
        let number = Int(record.id >> 56)
        record.append(to: &frames[number], hasGroup: hasGroups)
        if frames[number].count * 8 >= Self.frameByteCount { try write(number) }
    }

    /// Writes what waits.
    mutating func finish() throws(SessionLogError) {
        for number in frames.indices where !frames[number].isEmpty { try write(number) }
    }

    private mutating func write(_ number: Int) throws(SessionLogError) {
        let wordCount = CountedRequest.wordCount(hasGroup: hasGroups)
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

/// A request with an id, and how it was counted.
struct CountedRequest: Sendable, Hashable {
    private static let (byteBits, statusBits) = (44, 10)

    /// The hash of its id.
    let id: UInt64
    /// Bytes, status and operation: requests that were counted alike have the same.
    private let counted: UInt64
    /// The hash of its group; 0 without groups.
    let group: UInt64

    init(id: UInt64, byteCount: Int64?, status: Int, operation: Int, group: UInt64) {
        (self.id, self.group) = (id, group)
        // No object has 2^43 bytes; nothing is 0.
        counted =
            UInt64(byteCount.map { $0 + 1 } ?? 0) | UInt64(status) << Self.byteBits
            | UInt64(operation) << (Self.byteBits + Self.statusBits)
    }

    init?(_ words: ArraySlice<UInt64>) {
        guard words.count >= 2 else { return nil }
        let start = words.startIndex
        id = UInt64(littleEndian: words[start])
        counted = UInt64(littleEndian: words[start + 1])
        group = words.count > 2 ? UInt64(littleEndian: words[start + 2]) : 0
    }

    var byteCount: Int64? {
        let count = counted & (1 << Self.byteBits - 1)
        return count == 0 ? nil : Int64(count - 1)
    }

    var status: Int { Int(counted >> Self.byteBits & (1 << Self.statusBits - 1)) }

    var operation: Int { Int(counted >> (Self.byteBits + Self.statusBits)) }

    /// An order that does not depend on that of the log.
    var order: (UInt64, UInt64, UInt64) { (id, counted, group) }

    static func wordCount(hasGroup: Bool) -> Int { hasGroup ? 3 : 2 }

    func append(to words: inout [UInt64], hasGroup: Bool) {
        words.append(id.littleEndian)
        words.append(counted.littleEndian)
        if hasGroup { words.append(group.littleEndian) }
    }
}

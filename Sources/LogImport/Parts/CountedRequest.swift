// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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

    /// A request of a ``RecordFile``.
    init(_ words: ArraySlice<UInt64>) {
        let start = words.startIndex
        (id, counted) = (words[start], words[start + 1])
        group = words.count > 2 ? words[start + 2] : 0
    }

    /// Whether some log may have it: a damaged file has others.
    var isPlausible: Bool { operation < LoggedOperation.allCases.count && status < 1_000 }

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

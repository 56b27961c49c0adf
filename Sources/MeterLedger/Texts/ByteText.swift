// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The ids of texts met lately, so that a busy ledger looks few of them up.
struct TextCache: Sendable {
    static let entryCountMax = 65_536

    private var ids: [ByteText: Int64] = [:]

    mutating func id(of text: ByteText, in table: TextTable) throws -> Int64 {
        if let id = ids[text] { return id }
        let id = try table.id(of: text.text)
        if ids.count >= Self.entryCountMax { ids.removeAll(keepingCapacity: true) }
        ids[text] = id
        return id
    }

    /// Forgets everything; for a transaction that was undone, whose ids other texts may get.
    mutating func forget() {
        ids.removeAll()
    }
}

/// A text equal by bytes: the composed and the decomposed letter are two, although they are equal as a `String`.
struct ByteText: Hashable {
    var text: String

    static func == (left: Self, right: Self) -> Bool {
        let isSame = left.text.utf8.withContiguousStorageIfAvailable { left in
            right.text.utf8.withContiguousStorageIfAvailable { left.hasSameBytes(as: $0) }
        }
        return (isSame ?? nil) ?? left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func hasSameBytes(as other: Self) -> Bool {
        guard count == other.count, let start = baseAddress, let otherStart = other.baseAddress else {
            return count == other.count
        }
        return memcmp(start, otherStart, count) == 0
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

// Swift's comparisons equate canonically equivalent spellings (é as one scalar or two), which are different
// names and values to Firestore. These compare UTF-8 bytes.

extension String {
    /// Returns `nil` for bytes that are not UTF-8.
    package init?(validUTF8 bytes: UnsafeRawBufferPointer) {
        self.init(decoding: bytes, as: UTF8.self)
        // Decoding repairs what is wrong, which always changes it; validating first takes longer.
        guard withUTF8({ UnsafeRawBufferPointer($0).hasSameBytes(as: bytes) }) else { return nil }
    }

    package func hasSameBytes(as other: String) -> Bool {
        isRepresented(as: other) || (utf8.count == other.utf8.count && order(inBytesTo: other) == 0)
    }

    /// Whether both are the same sixteen bytes in memory, as equal texts of up to fifteen bytes mostly are.
    private func isRepresented(as other: String) -> Bool {
        unsafeBitCast(self, to: (UInt64, UInt64).self) == unsafeBitCast(other, to: (UInt64, UInt64).self)
    }

    func precedesInBytes(_ other: String) -> Bool {
        let order = order(inBytesTo: other)
        return order == 0 ? utf8.count < other.utf8.count : order < 0
    }

    /// How the bytes that both have compare: below, at or above zero.
    private func order(inBytesTo other: String) -> Int32 {
        let order = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else { return Int32(0) }
                return memcmp(leftStart, rightStart, min(left.count, right.count))
            }
        }
        return (order ?? nil) ?? slowOrder(inBytesTo: other)
    }

    /// For strings that are not kept in UTF-8.
    private func slowOrder(inBytesTo other: String) -> Int32 {
        for (left, right) in zip(utf8, other.utf8) where left != right {
            return left < right ? -1 : 1
        }
        return 0
    }
}

extension UnsafeRawBufferPointer {
    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count, let start = baseAddress, let otherStart = other.baseAddress else {
            return count == other.count
        }
        return memcmp(start, otherStart, count) == 0
    }

    package func precedesInBytes(_ other: UnsafeRawBufferPointer) -> Bool {
        let common = Swift.min(count, other.count)
        guard common > 0, let start = baseAddress, let otherStart = other.baseAddress else {
            return count < other.count
        }
        let order = memcmp(start, otherStart, common)
        return order == 0 ? count < other.count : order < 0
    }

    /// The place of the first byte of a value.
    package func firstPlace(of byte: UInt8) -> Int? {
        guard let start = baseAddress, let found = memchr(start, Int32(byte), count) else { return nil }
        return UnsafeRawPointer(found) - start
    }
}

extension Sequence<String> {
    package func hasSameBytes(as other: some Sequence<String>) -> Bool {
        elementsEqual(other) { $0.hasSameBytes(as: $1) }
    }
}

extension [String: Value] {
    var sortedByName: [(key: String, value: Value)] {
        count < 2 ? Array(self) : sorted { $0.key.precedesInBytes($1.key) }
    }
}

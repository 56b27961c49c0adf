// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Looks for bytes in a part of a text; the C library compares many of them at a time.
enum ByteSearch {
    /// The place of the first of these bytes; `nil` where there is none.
    static func first(_ byte: UInt8, in text: UnsafeBufferPointer<UInt8>, at range: Range<Int>) -> Int? {
        guard !range.isEmpty, let base = text.baseAddress,
            let found = memchr(base + range.lowerBound, CInt(byte), range.count)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Whether a part of a text is this one.
    static func isEqual(_ text: UnsafeBufferPointer<UInt8>, at range: Range<Int>, to other: StaticString) -> Bool {
        range.count == other.utf8CodeUnitCount && starts(text, at: range, with: other)
    }

    /// Whether a part of a text begins with this one.
    static func starts(_ text: UnsafeBufferPointer<UInt8>, at range: Range<Int>, with other: StaticString) -> Bool {
        guard let base = text.baseAddress, range.count >= other.utf8CodeUnitCount else { return false }
        return memcmp(base + range.lowerBound, other.utf8Start, other.utf8CodeUnitCount) == 0
    }

    /// Whether a part of a text ends with this one.
    static func ends(_ text: UnsafeBufferPointer<UInt8>, at range: Range<Int>, with other: StaticString) -> Bool {
        guard range.count >= other.utf8CodeUnitCount else { return false }
        return starts(text, at: range.upperBound - other.utf8CodeUnitCount..<range.upperBound, with: other)
    }
}

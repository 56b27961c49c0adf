// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A part of the source, in bytes of UTF-8 from its beginning.
///
/// Kept in 32 bits, as every node of a file has several.
package struct SourceRange: Sendable, Hashable {
    private var startByte: Int32
    private var endByte: Int32

    init(start: Int, end: Int) { (startByte, endByte) = (Int32(start), Int32(end)) }

    var start: Int {
        get { Int(startByte) }
        set { startByte = Int32(newValue) }
    }

    /// Behind the last byte.
    var end: Int {
        get { Int(endByte) }
        set { endByte = Int32(newValue) }
    }

    /// From the beginning of one part to the end of another.
    func joined(to other: SourceRange) -> SourceRange { SourceRange(start: start, end: other.end) }
}

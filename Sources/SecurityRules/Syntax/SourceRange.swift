// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A part of the source, in bytes of UTF-8 from its beginning.
package struct SourceRange: Sendable, Hashable {
    var start: Int
    /// Behind the last byte.
    var end: Int

    /// From the beginning of one part to the end of another.
    func joined(to other: SourceRange) -> SourceRange { SourceRange(start: start, end: other.end) }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The last segment of an object's name as the name of an image: `stem`, perhaps `_WIDTHxHEIGHT`, perhaps `.jpg`.
///
/// The size is how the Firebase extension Resize Images names what it makes (0.3.3, 2026-04).
struct ImageFileName {
    /// The name before the size and the extension.
    let stem: Substring
    /// Whether the name contains a size.
    let isResized: Bool

    init(_ segment: Substring) {
        let name = segment.lastIndex(of: ".").map { segment[..<$0] } ?? segment
        if let size = name.lastIndex(of: "_"), Self.isSize(name[size...].dropFirst()) {
            stem = name[..<size]
            isResized = true
        } else {
            stem = segment.prefix { $0 != "." }
            isResized = false
        }
    }

    /// The stem as a decimal number.
    var number: Int? { Self.isNumber(stem) ? Int(stem) : nil }

    private static func isSize(_ text: Substring) -> Bool {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false)
        return sides.count == 2 && sides.allSatisfy(isNumber)
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

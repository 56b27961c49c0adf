// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// An object's name around the last number of its last segment, which may be an image's place in a post:
/// `users/u1/photo_`, 0, `.jpg`.
package struct NumberedName: Sendable, Hashable {
    /// The text before the number, with the folders.
    package let prefix: String
    package let number: Int
    /// The text behind the number.
    package let suffix: String

    /// Numbers from here on are ids or times, not places in a post.
    package static let placeEnd = 100

    /// Whether the number may be a place in a post.
    package var isPlace: Bool { number < Self.placeEnd }

    /// Returns `nil` for a name whose last segment has no number.
    package init?(_ name: String) {
        let fileStart = name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex
        let isDigit = { (character: Character) in character.isASCII && character.isNumber }
        guard let last = name[fileStart...].lastIndex(where: isDigit) else { return nil }
        let start = name[fileStart...last].lastIndex { !isDigit($0) }.map(name.index(after:)) ?? fileStart
        guard let number = Int(name[start...last]) else { return nil }
        (prefix, self.number, suffix) = (String(name[..<start]), number, String(name[name.index(after: last)...]))
    }
}

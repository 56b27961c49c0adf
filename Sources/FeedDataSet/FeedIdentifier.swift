// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The rules of an id: one segment of a document's path and of an object's name alike.
enum FeedIdentifier {
    static let rule = "an id of 1 to \(FeedLimits.idByteCountMax) bytes without /, control characters, ., .. or __*__"

    /// Firestore reserves `.`, `..` and `__*__`; Cloud Storage forbids line breaks in names.
    static func isValid(_ id: String) -> Bool {
        guard (1...FeedLimits.idByteCountMax).contains(id.utf8.count), id != ".", id != ".." else { return false }
        if id.utf8.count >= 4, id.hasPrefix("__"), id.hasSuffix("__") { return false }
        // Bytes, not characters: "\r\n" is a single Character.
        return id.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0x2F }
    }
}

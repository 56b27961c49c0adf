// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore

/// The order of a listing as text: `priority desc, name`.
enum OrderByText {
    /// - Throws: `CallError` or `DocumentStoreError` (invalid argument).
    static func parse(_ text: String) throws -> [Query.Ordering] {
        if text.allSatisfy(\.isWhitespace) { return [] }
        return try split(text, where: { $0 == "," }).map { try ordering($0) }
    }

    private static func ordering(_ text: Substring) throws -> Query.Ordering {
        let words = split(text, where: \.isWhitespace).filter { !$0.isEmpty }
        guard let path = words.first, words.count <= 2 else {
            throw CallError.orderByInvalid(words.joined(separator: " "))
        }
        let fieldPath = try FieldPath(parsing: String(path))
        switch words.dropFirst().first?.lowercased() {
        case nil, "asc": return Query.Ordering(fieldPath)
        case "desc": return Query.Ordering(fieldPath, .descending)
        default: throw CallError.orderByInvalid(words.joined(separator: " "))
        }
    }

    /// Splits outside of backticks, within which field names may hold any character.
    private static func split(_ text: some StringProtocol, where isSeparator: (Character) -> Bool) -> [Substring] {
        var isQuoted = false
        var isEscaped = false
        return Substring(text).split(omittingEmptySubsequences: false) { character in
            if character == "`", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && character == "\\" && !isEscaped
            return !isQuoted && isSeparator(character)
        }
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore

/// The order of a listing as text: `priority desc, name`.
enum OrderByText {
    /// An empty text is not an order; space is fine everywhere but at the start.
    ///
    /// - Throws: `CallError` (invalid argument) that names the whole text.
    static func parse(_ text: String) throws -> [Query.Ordering] {
        guard let first = text.first else { return [] }
        guard !first.isWhitespace else { throw CallError.orderByInvalid(text) }
        return try split(text, where: { $0 == "," }).map { criterion in
            guard let ordering = ordering(criterion) else { throw CallError.orderByInvalid(text) }
            return ordering
        }
    }

    private static func ordering(_ text: Substring) -> Query.Ordering? {
        let words = split(text, where: \.isWhitespace).filter { !$0.isEmpty }
        guard let name = words.first, words.count <= 2, let fieldPath = try? FieldPath(parsing: String(name)) else {
            return nil
        }
        switch words.dropFirst().first?.lowercased() {
        case nil, "asc": return Query.Ordering(fieldPath)
        case "desc": return Query.Ordering(fieldPath, .descending)
        default: return nil
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

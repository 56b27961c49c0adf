// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How the names of objects follow from the documents of a collection: `posts: users/{author}/{id}/photo_{n}.jpg`.
///
/// `{id}` is the document's id, `{n}` the image's number, `{#}` any digits; every other name in braces is a field of the
/// document, or a collection above it, which stands for the id there.
package struct ImageLayout: Sendable, Hashable, CustomStringConvertible {
    /// A part of an object's name.
    enum Piece: Sendable, Hashable {
        case literal(String)
        case field(String)
        case number
        case digits
    }

    /// The name of the field that is the document's id.
    static let id = "id"

    /// The ids of the collections on the way to the documents, such as `users/posts`.
    package let collection: String
    let pieces: [Piece]

    init(collection: String, pieces: [Piece]) {
        self.collection = collection
        self.pieces = pieces
    }

    /// Reads a layout; without a collection it is that of the last collection named in the path, or of `posts`.
    package init(_ text: String) throws(ImageLayoutError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let last = parts.last, !last.trimmed.isEmpty else { throw ImageLayoutError(text, "names no object") }
        collection = parts.count == 2 ? parts[0].trimmed : Self.collection(of: last.trimmed)
        pieces = try Self.pieces(of: last.trimmed, in: text)
        guard !fields.isEmpty else { throw ImageLayoutError(text, "names no field of a document, such as {id}") }
    }

    /// The names of the fields, in their order.
    var fields: [String] {
        pieces.compactMap { piece in if case .field(let name) = piece { name } else { nil } }
    }

    /// Whether objects of one document are distinguished by a number.
    var hasNumber: Bool { pieces.contains(.number) }

    /// The layout without its collection.
    var pattern: String {
        pieces.map { piece in
            switch piece {
            case .literal(let text): text
            case .field(let name): "{\(name)}"
            case .number: "{n}"
            case .digits: "{#}"
            }
        }.joined()
    }

    package var description: String { "\(collection): \(pattern)" }

    /// The collection before the first field, as in `posts/{id}/{n}.jpg`.
    private static func collection(of pattern: String) -> String {
        let segments = pattern.split(separator: "/").map(String.init)
        guard let place = segments.firstIndex(where: { $0.contains("{id}") }), place > 0,
            !segments[place - 1].contains("{")
        else { return "posts" }
        return segments[place - 1]
    }

    private static func pieces(of pattern: String, in text: String) throws(ImageLayoutError) -> [Piece] {
        var pieces: [Piece] = []
        var rest = pattern[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { throw ImageLayoutError(text, "lacks a '}'") }
            if open > rest.startIndex { pieces.append(.literal(String(rest[..<open]))) }
            switch rest[rest.index(after: open)..<close] {
            case "n": pieces.append(.number)
            case "#": pieces.append(.digits)
            case "": throw ImageLayoutError(text, "has braces without a name")
            case let name: pieces.append(.field(String(name)))
            }
            rest = rest[rest.index(after: close)...]
        }
        return rest.isEmpty ? pieces : pieces + [.literal(String(rest))]
    }
}

/// Why a text is not a layout.
package struct ImageLayoutError: Error, Sendable, CustomStringConvertible {
    package let description: String

    init(_ text: String, _ problem: String) {
        description = "'\(text)' \(problem); expected a layout such as 'posts/{id}/{n}.jpg'"
    }
}

extension ImageLayout {
    /// The values that an object's name has for the fields, in their order, and its number; `nil` where it is another's.
    func values(in name: String) -> (fields: [Substring], number: Int?)? {
        var found: (fields: [Substring], number: Int?) = ([], nil)
        guard pieces != [.field(fields.first ?? "")] else { return ([name[...]], nil) }
        return match(pieces[...], name[...], &found) ? found : nil
    }

    private func match(
        _ pieces: ArraySlice<Piece>,
        _ text: Substring,
        _ found: inout (fields: [Substring], number: Int?)
    ) -> Bool {
        guard let piece = pieces.first else { return text.isEmpty }
        let rest = pieces.dropFirst()
        switch piece {
        case .literal(let literal):
            return text.hasPrefix(literal) && match(rest, text.dropFirst(literal.count), &found)
        case .number, .digits:
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty else { return false }
            let former = found.number
            if piece == .number { found.number = Int(digits) }
            if match(rest, text.dropFirst(digits.count), &found) { return true }
            found.number = former
            return false
        case .field:
            let segment = text.prefix { $0 != "/" }
            let count = found.fields.count
            // The shortest first: what follows is a literal as a rule, and ends it.
            for end in segment.indices.dropFirst() + [segment.endIndex] where end > segment.startIndex {
                found.fields.append(segment[..<end])
                if match(rest, text[end...], &found) { return true }
                found.fields.removeLast(found.fields.count - count)
            }
            return false
        }
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Entity tags as `If-Match` and `If-None-Match` list them (RFC 9110 section 8.8.3).
struct EntityTags {
    private let tags: [Substring]

    init(_ header: String) {
        tags = header.split(separator: ",").map { Self.opaque($0) }
    }

    /// Whether the list names a tag, quoted or, as the JSON API writes its own, bare; `*` names all.
    func contains(_ tag: String) -> Bool {
        let wanted = Self.opaque(tag[...])
        return tags.contains { $0 == "*" || $0 == wanted }
    }

    /// What is left without spaces, quotes and the mark of a weak tag.
    private static func opaque(_ tag: Substring) -> Substring {
        var tag = tag.drop { $0 == " " || $0 == "\t" }
        if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
        while let last = tag.last, last == " " || last == "\t" || last == "\"" { tag.removeLast() }
        return tag.first == "\"" ? tag.dropFirst() : tag
    }
}

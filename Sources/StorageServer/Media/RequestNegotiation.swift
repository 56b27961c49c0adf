// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The codings of content that a client takes (RFC 9110 section 12.5.3).
struct AcceptedEncodings {
    private let weights: [String: Double]

    /// Reads an `Accept-Encoding` field; a client that sends none takes what is not coded, as production has it.
    init(_ header: String?) {
        let codings = (header ?? "").split(separator: ",").map(Self.parse)
        weights = Dictionary(codings, uniquingKeysWith: max)
    }

    /// Whether bytes compressed with gzip can be sent, which some clients call by its old name.
    var takesGzip: Bool {
        let weight = ["gzip", "x-gzip"].compactMap { weights[$0] }.max() ?? weights["*"] ?? 0
        return weight > 0
    }

    private static func parse(_ text: Substring) -> (coding: String, weight: Double) {
        let parts = text.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
        return (parts.first ?? "", weight ?? 1)
    }
}

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

    /// The tag without spaces, quotes and the mark of a weak tag.
    private static func opaque(_ tag: Substring) -> Substring {
        var tag = tag.drop { $0 == " " || $0 == "\t" }
        if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
        while let last = tag.last, last == " " || last == "\t" || last == "\"" { tag.removeLast() }
        return tag.first == "\"" ? tag.dropFirst() : tag
    }
}

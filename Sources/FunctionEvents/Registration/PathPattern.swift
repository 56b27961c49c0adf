// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Which documents an event concerns: `users/{user}`, `users/{user}/{rest=**}`, or one document.
///
/// Source: cloud.google.com/eventarc/docs/path-patterns (2026-11) and firebase-functions 7.2,
/// `src/common/utilities/path-pattern.ts`.
struct PathPattern: Sendable, Equatable {
    /// The longest pattern, that of a document's name.
    static let byteCountMax = 6_144

    /// A part between two slashes.
    enum Segment: Sendable, Equatable {
        case literal(String)
        /// `{id}`, `{id=*}` or `*`.
        case one
        /// `{id=**}` or `**`: any number of segments, also none.
        case any
        /// `log-*`: texts that any text may stand between.
        case parts([String])
    }

    let segments: [Segment]
    private let anyIndex: Int?

    /// The document of a path, whose braces and stars mean themselves.
    init(exactly path: String) throws(TriggerFailure) {
        try self.init(Self.split(path).map { Segment.literal(String($0)) }, text: path)
    }

    /// Reads a pattern.
    ///
    /// - Throws: ``TriggerFailure``, for a pattern that is too long, is malformed or is not one of documents.
    init(_ text: String) throws(TriggerFailure) {
        var segments: [Segment] = []
        for part in Self.split(text) {
            guard let segment = Segment(part) else { throw .malformedPattern(text) }
            segments.append(segment)
        }
        try self.init(segments, text: text)
    }

    private init(_ segments: [Segment], text: String) throws(TriggerFailure) {
        guard text.utf8.count <= Self.byteCountMax else { throw .patternTooLong }
        guard !segments.contains(.literal("")) else { throw .malformedPattern(text) }
        let anyIndices = segments.indices.filter { segments[$0] == .any }
        guard anyIndices.count <= 1 else { throw .severalMultiSegmentWildcards(text) }
        guard !anyIndices.isEmpty || segments.count.isMultiple(of: 2) else { throw .notOfDocuments(text) }
        (self.segments, anyIndex) = (segments, anyIndices.first)
    }

    /// The parts between slashes; one at either end does not count.
    private static func split(_ text: String) -> [Substring] {
        var rest = text[...]
        if rest.hasPrefix("/") { rest.removeFirst() }
        if rest.hasSuffix("/") { rest.removeLast() }
        return rest.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// The collection that the pattern begins with; `nil` for a wildcard.
    var firstLiteral: String? {
        guard case .literal(let collection)? = segments.first else { return nil }
        return collection
    }

    /// Whether a document is one of the pattern's.
    func matches(_ path: DocumentPath) -> Bool {
        guard let anyIndex else {
            return segments.count == path.segments.count && zip(segments, path.segments).allSatisfy { $0.matches($1) }
        }
        let tailCount = segments.count - anyIndex - 1
        guard path.segments.count >= anyIndex + tailCount else { return false }
        return zip(segments.prefix(anyIndex), path.segments).allSatisfy { $0.matches($1) }
            && zip(segments.suffix(tailCount), path.segments.suffix(tailCount)).allSatisfy { $0.matches($1) }
    }
}

extension PathPattern.Segment {
    /// Reads a part of a pattern; `nil` for one with braces that make no sense.
    fileprivate init?(_ text: Substring) {
        if text.hasPrefix("{"), text.hasSuffix("}"), text.count >= 2 {
            let sides = text.dropFirst().dropLast().split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard let name = sides.first, !name.isEmpty, !name.contains(where: Self.isReserved) else { return nil }
            switch sides.count == 2 ? sides[1] : "*" {
            case "*": self = .one
            case "**": self = .any
            default: return nil
            }
            return
        }
        guard !text.contains(where: { $0 == "{" || $0 == "}" }) else { return nil }
        switch text {
        case "*": self = .one
        case "**": self = .any
        default: self.init(wild: text)
        }
    }

    private init?(wild text: Substring) {
        guard text.contains("*") else {
            self = .literal(String(text))
            return
        }
        guard !text.contains("**") else { return nil }
        self = .parts(text.split(separator: "*", omittingEmptySubsequences: false).map(String.init))
    }

    private static func isReserved(_ character: Character) -> Bool { "{}*=".contains(character) }

    fileprivate func matches(_ text: String) -> Bool {
        switch self {
        case .literal(let literal): literal.utf8.elementsEqual(text.utf8)
        case .one, .any: true
        case .parts(let parts): Self.matches(parts, text)
        }
    }

    /// Whether a text has the parts in turn, the first at its beginning and the last at its end.
    private static func matches(_ parts: [String], _ text: String) -> Bool {
        guard let first = parts.first, let last = parts.last, text.hasPrefix(first) else { return false }
        var rest = text.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads `projects/{p}/databases/{d}/documents/{…}` from left to right.
struct ResourceNameParser {
    private let name: String
    private let kind: ResourceNameKind
    private let segments: [Substring]
    private var position = 0

    package init(_ name: String, kind: ResourceNameKind) {
        self.name = name
        self.kind = kind
        self.segments = name.segments
    }

    var isAtEnd: Bool { position == segments.count }

    mutating func parseDatabase() throws -> DatabaseID {
        try expect("projects")
        let project = try parseIdentifier("project id")
        try expect("databases")
        let database = try parseIdentifier("database id")
        try expect("documents")
        return DatabaseID(project: project, database: database)
    }

    /// Parses all that is left.
    mutating func parseDocumentPath() throws -> DocumentPath {
        guard !isAtEnd else { throw FirestoreError.databaseInsteadOfDocument(kind: kind, name: name) }
        guard segments[position...] != [""] else { throw FirestoreError.emptyDocument(kind: kind, name: name) }
        var path: [String] = []
        while !isAtEnd {
            let role: ResourceID.Role = path.count.isMultiple(of: 2) ? .collection : .document
            path.append(try parseIdentifier(role.noun))
        }
        guard path.count.isMultiple(of: 2) else { throw lacks("\"/\"") }
        return try DocumentPath(path)
    }

    private mutating func expect(_ literal: String) throws {
        guard !isAtEnd else { throw lacks("\"/\"") }
        let isTrailing = position > 0 && segments[position...] == [""]
        guard !isTrailing else { throw FirestoreError.trailingSlash(kind: kind, name: name) }
        guard segments[position].elementsEqual(literal) else { throw lacks("\"\(literal)\"") }
        position += 1
    }

    private mutating func parseIdentifier(_ noun: String) throws -> String {
        guard !isAtEnd else { throw lacks("\"/\"") }
        let segment = segments[position]
        guard !segment.isEmpty else {
            throw position == segments.count - 1
                ? FirestoreError.trailingSlash(kind: kind, name: name)
                : lacks("a \(noun)")
        }
        guard segment != ".", segment != ".." else {
            throw FirestoreError.dotsInName(kind: kind, name: name, noun: noun, identifier: segment, index: index)
        }
        position += 1
        return String(segment)
    }

    private func lacks(_ part: String) -> FirestoreError {
        .incompleteName(kind: kind, name: name, missing: part, index: index)
    }

    /// Where the current segment starts, counted as the JVM servers count: in UTF-16 units.
    private var index: Int {
        let before = segments[..<position].reduce(0) { $0 + $1.utf16.count + 1 }
        return min(before, name.utf16.count)
    }
}

/// The kind of a resource name; the refusals begin with it.
package enum ResourceNameKind: String, Sendable {
    case document = "Document name"
    /// Also of reference values in queries, which production reads as parents (recorded 2026-09).
    case parent = "Document parent name"
}

/// A full name in one pass over its bytes, if nothing about it needs a closer look; nearly all are such.
///
/// `ResourceNameParser` reads the others, and says what is wrong with them.
struct PlainResourceName {
    package let database: DatabaseID
    /// The document; `nil` for the root of the database.
    package let document: DocumentPath?

    package init?(_ name: String) {
        var name = name
        guard let parts = name.withUTF8({ Self.parts(UnsafeRawBufferPointer($0)) }) else { return nil }
        database = DatabaseID(project: parts.project, database: parts.database)
        document = parts.segments.isEmpty ? nil : DocumentPath(validated: parts.segments)
    }

    private static func parts(
        _ name: UnsafeRawBufferPointer
    ) -> (project: String, database: String, segments: [String])? {
        var scanner = SegmentScanner(name: name)
        guard let (project, database) = scanner.nextDatabase(), scanner.skip("documents") else { return nil }
        var segments: [String] = []
        if !scanner.isAtEnd { segments.reserveCapacity(2) }
        while !scanner.isAtEnd {
            guard let collection = scanner.nextID(), let document = scanner.nextID() else { return nil }
            segments.append(collection)
            segments.append(document)
        }
        return (project, database, segments)
    }
}

extension DatabaseID {
    /// Reads `projects/{project}/databases/{database}`; `nil` for one that needs a closer look.
    package init?(plain name: String) {
        var name = name
        let parts = name.withUTF8 { bytes in
            var scanner = SegmentScanner(name: UnsafeRawBufferPointer(bytes))
            let parts = scanner.nextDatabase()
            return scanner.isAtEnd ? parts : nil
        }
        guard let parts else { return nil }
        self.init(project: parts.project, database: parts.database)
    }
}

/// Takes a name apart at its slashes.
private struct SegmentScanner {
    /// `nil` at the end, where not even an empty segment follows.
    private var rest: UnsafeRawBufferPointer?

    init(name: UnsafeRawBufferPointer) {
        rest = name
    }

    var isAtEnd: Bool { rest == nil }

    mutating func skip(_ literal: StaticString) -> Bool {
        let expected = UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
        return next()?.hasSameBytes(as: expected) ?? false
    }

    /// A database: `projects/{project}/databases/{database}`.
    mutating func nextDatabase() -> (project: String, database: String)? {
        guard skip("projects"), let project = nextID(), skip("databases"), let database = nextID() else { return nil }
        return (project, database)
    }

    /// The next id; `nil` for one that is empty, too long, or could be `.`, `..` or reserved.
    mutating func nextID() -> String? {
        guard let segment = next(), let first = segment.first, first != UInt8(ascii: "."), first != UInt8(ascii: "_"),
            segment.count <= ResourceID.byteCountMax
        else { return nil }
        return String(decoding: segment, as: UTF8.self)
    }

    private mutating func next() -> UnsafeRawBufferPointer? {
        guard let rest else { return nil }
        guard let end = rest.firstPlace(of: UInt8(ascii: "/")) else {
            self.rest = nil
            return rest
        }
        self.rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
        return UnsafeRawBufferPointer(rebasing: rest[..<end])
    }
}

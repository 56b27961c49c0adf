// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads `projects/{p}/databases/{d}/documents/{…}` from left to right.
struct ResourceNameParser {
    private let name: String
    private let kind: ResourceNameKind
    private let segments: [Substring]
    private var position = 0

    init(_ name: String, kind: ResourceNameKind) {
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
        guard !isAtEnd else { throw DocumentStoreError.databaseInsteadOfDocument(kind: kind, name: name) }
        guard segments[position...] != [""] else { throw DocumentStoreError.emptyDocument(kind: kind, name: name) }
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
        guard !isTrailing else { throw DocumentStoreError.trailingSlash(kind: kind, name: name) }
        guard segments[position].elementsEqual(literal) else { throw lacks("\"\(literal)\"") }
        position += 1
    }

    private mutating func parseIdentifier(_ noun: String) throws -> String {
        guard !isAtEnd else { throw lacks("\"/\"") }
        let segment = segments[position]
        guard !segment.isEmpty else {
            throw position == segments.count - 1
                ? DocumentStoreError.trailingSlash(kind: kind, name: name)
                : lacks("a \(noun)")
        }
        guard segment != ".", segment != ".." else {
            throw DocumentStoreError.dotsInName(kind: kind, name: name, noun, identifier: segment, index: index)
        }
        position += 1
        return String(segment)
    }

    private func lacks(_ part: String) -> DocumentStoreError {
        .incompleteName(kind: kind, name: name, missing: part, index: index)
    }

    /// Where the current segment starts, counted as the JVM servers count: in UTF-16 units.
    private var index: Int {
        let before = segments[..<position].reduce(0) { $0 + $1.utf16.count + 1 }
        return min(before, name.utf16.count)
    }
}

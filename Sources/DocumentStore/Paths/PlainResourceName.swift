// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A full name in one pass over its bytes, if nothing about it needs a closer look; nearly all are such.
///
/// `ResourceNameParser` reads the others, and says what is wrong with them.
struct PlainResourceName {
    let database: DatabaseID
    /// The document; `nil` for the root of the database.
    let document: DocumentPath?

    init?(_ name: String) {
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

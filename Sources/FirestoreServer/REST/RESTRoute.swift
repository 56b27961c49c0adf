// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Wire

/// A request's method and path, taken apart: the call and the resource it is made on.
struct RESTRoute: Equatable {
    let call: RESTCall
    /// The database's full name: `projects/{project}/databases/{database}`.
    let database: String
    /// Collection and document ids below the database, decoded.
    let segments: [String]

    /// The resource the path names, a database's documents or something below them.
    var name: String { Self.join([database, "documents"] + segments) }

    /// The resource without its last segment.
    var parent: String { Self.join([database, "documents"] + segments.dropLast()) }

    /// Takes a method and the path of a target apart.
    ///
    /// - Throws: `CallError`: not found for a path that is not a resource or a method it does not have, invalid argument
    ///   for a segment that cannot be decoded.
    init(method: String, path: Substring) throws {
        let isEmulatorPath = path.hasPrefix(Self.emulatorPrefix)
        guard isEmulatorPath || path.hasPrefix(Self.prefix) else { throw CallError.pathNotFound }
        let resource = path.dropFirst((isEmulatorPath ? Self.emulatorPrefix : Self.prefix).utf8.count)
        // Only POST has custom verbs; elsewhere a colon belongs to an id. So it does in a root collection's, for which
        // production takes the one segment of `documents/cities:runQuery` (recorded 2026-09); a body that lists
        // collections may be empty and so be a document, which no one means to create.
        var (resourcePath, verb) = method == "POST" ? Self.splitVerb(resource) : (resource, nil)
        let isRootCollection = resourcePath.count(where: { $0 == "/" }) == Self.rootCollectionSlashCount
        if isRootCollection, verb != "listCollectionIds" {
            (resourcePath, verb) = (resource, nil)
        }
        let decoded = try Self.decode(resourcePath)
        guard decoded.count >= 5, decoded[0] == "projects", decoded[2] == "databases", decoded[4] == "documents" else {
            throw CallError.pathNotFound
        }
        database = Self.join(decoded[..<4])
        segments = Array(decoded[5...])
        guard let call = Self.call(method, verb: verb, segmentCount: segments.count, isEmulatorPath: isEmulatorPath)
        else {
            throw CallError.pathNotFound
        }
        self.call = call
    }

    private static let prefix = "/v1/"
    private static let emulatorPrefix = "/emulator/v1/"
    /// Of `projects/p/databases/d/documents/cities`.
    private static let rootCollectionSlashCount = 5

    private static func call(
        _ method: String,
        verb: Substring?,
        segmentCount: Int,
        isEmulatorPath: Bool
    ) -> RESTCall? {
        let isRoot = segmentCount == 0
        if isEmulatorPath { return method == "DELETE" ? .clearDocuments : nil }
        let isDocument = !isRoot && segmentCount.isMultiple(of: 2)
        // Production leaves it to the call to refuse a collection in place of a document (recorded 2026-09).
        if let verb { return RESTCall(verb: verb, isDatabaseRoot: isRoot, isDocument: !isRoot) }
        return isRoot ? nil : RESTCall(method: method, isDocument: isDocument)
    }

    /// Splits `…/documents:commit`; an id's own colon has to be percent-encoded in a POST.
    private static func splitVerb(_ path: Substring) -> (Substring, Substring?) {
        let lastSegment = path[(path.lastIndex(of: "/") ?? path.startIndex)...]
        guard let colon = lastSegment.lastIndex(of: ":") else { return (path, nil) }
        return (path[..<colon], path[path.index(after: colon)...])
    }

    private static func decode(_ path: Substring) throws -> [String] {
        try path.split(separator: "/", omittingEmptySubsequences: false).enumerated().map { index, segment in
            guard let decoded = PercentCoding.decode(segment), !decoded.isEmpty,
                !decoded.utf8.contains(UInt8(ascii: "/"))
            else { throw CallError.pathSegmentMalformed(index) }
            return decoded
        }
    }

    private static func join(_ segments: some Sequence<String>) -> String {
        segments.joined(separator: "/")
    }
}

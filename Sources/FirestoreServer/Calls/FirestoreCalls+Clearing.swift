// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
package import SwiftProtobuf

extension FirestoreCalls {
    /// The documents whose names are held while some are deleted: a larger tree is looked at several times.
    private static let heldCountMax = 50_000
    /// The writes of a commit, which other writers wait for.
    private static let commitCountMax = 500

    /// Deletes every document of a database, or those at a place and below it, as the official emulator offers it to tests
    /// and to its user interface; never billed.
    ///
    /// - Parameters:
    ///   - database: The database's full name.
    ///   - segments: The path of a collection or of a document; none for all documents.
    ///   - context: The call.
    /// - Returns: The empty answer.
    /// - Throws: `FirestoreError`.
    package func clearDocuments(
        of database: String,
        below segments: [String] = [],
        in context: CallContext
    ) async throws -> Google_Protobuf_Empty {
        let database = try DatabaseID(parsing: database)
        context.attribute(to: database)
        guard !segments.isEmpty else {
            try store.deleteAll(in: database)
            return Google_Protobuf_Empty()
        }
        while true {
            let paths = try documents(of: database, below: segments)
            for begin in stride(from: 0, to: paths.count, by: Self.commitCountMax) {
                let part = paths[begin..<min(begin + Self.commitCountMax, paths.count)]
                _ = try await transactions.commit(part.map { Write(path: $0, operation: .delete) }, in: database)
            }
            if paths.count < Self.heldCountMax { return Google_Protobuf_Empty() }
        }
    }

    private func documents(of database: DatabaseID, below segments: [String]) throws -> [DocumentPath] {
        struct Enough: Error {}
        var paths: [DocumentPath] = []
        do {
            try store.scanning { scan in
                try scan.visitDocuments(of: database) { path, _ in
                    guard path.segments.starts(with: segments, by: { $0.utf8.elementsEqual($1.utf8) }) else { return }
                    paths.append(path)
                    if paths.count == Self.heldCountMax { throw Enough() }
                }
            }
        } catch is Enough {}
        return paths
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import Foundation

/// Writes commits of which each touches several documents, so that half of one would show.
///
/// The commit numbered n of a thread sets `same/{thread}` and `c/{thread}/same/{thread}` to n, lets `odd/{thread}` exist
/// for odd numbers only, and adds one to `total/all`.
struct CrashingWriter: Sendable {
    static let threadCount = 4

    private let store: SQLiteDocumentStore
    private let number = FieldPath.number
    private let database = DatabaseID(project: "crash")

    init(file: URL) throws {
        var limits = IndexLimits()
        limits.scanCountMax = -1
        store = try SQLiteDocumentStore(
            location: .file(file),
            clock: { Timestamp(seconds: 1_700_000_000) },
            indexLimits: limits
        )
    }

    /// Queries that leave indexes behind, which every commit then has to maintain.
    func buildIndexes() throws {
        for isGroup in [false, true] {
            let source = Query.Source(collectionID: "same", allDescendants: isGroup)
            _ = try store.run(Query(source: source, orderBy: [Query.Ordering(number)]), in: database)
        }
        let filter = Filter.field(FieldPath.tags, .arrayContains, .integer(1))
        _ = try store.run(Query(source: Query.Source(collectionID: "odd"), filter: filter), in: database)
    }

    func commitForever(as thread: Int) throws {
        var next = try lastNumber(of: thread) + 1
        while true {
            say("begin \(thread) \(next)")
            _ = try store.commit(try writes(of: thread, next), in: database)
            say("end \(thread) \(next)")
            next += 1
        }
    }

    private func lastNumber(of thread: Int) throws -> Int64 {
        let path = try DocumentPath(parsing: "same/\(thread)")
        guard case .found(let document) = try store.get([path], in: database).entries.first,
            case .integer(let last)? = try document.value(at: number)
        else { return 0 }
        return last
    }

    private func writes(of thread: Int, _ next: Int64) throws -> [Write] {
        let odd = try DocumentPath(parsing: "odd/\(thread)")
        let tags = Value.array([.integer(next), .integer(1)])
        let text = String(repeating: "x", count: Int(next % 400) * 10)
        return [
            .set(try DocumentPath(parsing: "same/\(thread)"), fields: ["n": .integer(next), "text": .string(text)]),
            next.isMultiple(of: 2) ? .delete(odd) : .set(odd, fields: ["n": .integer(next), "tags": tags]),
            .transform(
                try DocumentPath(parsing: "total/all"),
                [FieldTransform(number, .increment(.integer(1)))]
            ),
            .set(try DocumentPath(parsing: "c/\(thread)/same/\(thread)"), fields: ["n": .integer(next)]),
        ]
    }

    /// In one call, which the pipe does not mix with those of other threads.
    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}

extension FieldPath {
    fileprivate static let number = path("n")
    fileprivate static let tags = path("tags")

    private static func path(_ name: String) -> FieldPath {
        guard let path = try? FieldPath([name]) else { preconditionFailure("\(name) is a field's name") }
        return path
    }
}

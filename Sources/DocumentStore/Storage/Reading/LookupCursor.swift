// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// Documents by name, read in parts as they are taken, all as of one moment; holds nothing of the file in between.
///
/// For one thread at a time.
package final class LookupCursor {
    private let store: SQLiteDocumentStore
    private let paths: [DocumentPath]
    private let database: DatabaseID
    private let mask: DocumentMask?
    private let partByteCountMax: Int
    /// `nil` for the latest state, before the first part.
    private var time: Timestamp?
    private var isFirst = true
    private var seen: Set<DocumentPath> = []
    private var index = 0

    package init(
        _ paths: [DocumentPath],
        of store: SQLiteDocumentStore,
        in database: DatabaseID,
        mask: DocumentMask? = nil,
        at time: Timestamp? = nil,
        partByteCountMax: Int = ResultLimits.partByteCountMax
    ) {
        self.store = store
        self.paths = paths
        self.database = database
        self.mask = mask
        self.time = time
        self.partByteCountMax = partByteCountMax
    }

    /// Whether all names have been looked up.
    package var isFinished: Bool { !isFirst && index == paths.count }

    /// Looks up the next names, of those that repeat the first; bills each, repeated ones too.
    ///
    /// - Throws: `FirestoreError` for a time that is yet to come, or too long ago by now.
    package func nextPart() throws -> LookupResult {
        defer { isFirst = false }
        if isFirst, paths.count < 2 {
            index = paths.count
            return try store.get(paths, in: database, mask: mask, at: time)
        }
        return try store.read(at: isFirst ? time : nil) { snapshot in
            let readTime = time ?? snapshot.readTime
            // Writes since the first part are left out; most often nothing was.
            let isLatest = isFirst ? time == nil : snapshot.lastCommit <= readTime
            time = readTime
            return try part(in: snapshot, asOf: readTime, isLatest: isLatest)
        }
    }

    private func part(in snapshot: StoreSnapshot, asOf readTime: Timestamp, isLatest: Bool) throws -> LookupResult {
        var part = LookupResult(entries: [], readTime: readTime, billedReads: 0)
        var byteCount = 0
        while index < paths.count, byteCount < partByteCountMax {
            let path = paths[index]
            index += 1
            part.billedReads += 1
            guard seen.insert(path).inserted else { continue }
            let document =
                isLatest
                ? try snapshot.document(at: path, in: database)
                : try snapshot.formerDocument(at: path, in: database, asOf: readTime)
            byteCount += document?.heldByteCount ?? ResultLimits.documentByteCount
            part.entries.append(try document.map { .found(try $0.selecting(mask)) } ?? .missing(path))
        }
        return part
    }
}

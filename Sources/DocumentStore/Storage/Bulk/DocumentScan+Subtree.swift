// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

extension DocumentScan {
    /// Hands out the paths of the documents at a place, without holding them: first those below it, in the order of
    /// collections and names, then the document at the place itself, if it is one.
    ///
    /// Reads the keys of the place alone, however many documents are beside it.
    ///
    /// - Parameters:
    ///   - segments: The path of a collection or of a document.
    ///   - database: The database.
    ///   - first: The collection to begin with; those before it are left out.
    ///   - visit: Receives a document's path and how many bytes its fields have; returns whether it takes another.
    /// - Throws: `FirestoreError` for a damaged file, and the errors of `visit`.
    package func visitPaths(
        at segments: [String],
        of database: DatabaseID,
        from first: CollectionPath? = nil,
        _ visit: (DocumentPath, _ byteCount: Int) throws -> Bool
    ) throws {
        guard let row = try snapshot.row(of: database) else { return }
        var names = KeyInterval(subtreeOf: segments)
        if let first { names.lower = max(names.lower, OrderedKey(first)) }
        guard try visitPaths(in: names, of: row, visit), segments.count.isMultiple(of: 2) else { return }
        let path = DocumentPath(validated: segments)
        guard let document = try snapshot.document(at: path, in: database) else { return }
        _ = try visit(path, document.encodedFields.bytes.count)
    }

    /// Returns whether the visitor takes more.
    private func visitPaths(
        in names: KeyInterval,
        of database: Int64,
        _ visit: (DocumentPath, _ byteCount: Int) throws -> Bool
    ) throws -> Bool {
        var paths = ScannedPaths()
        return try snapshot.db.with(.documentsInRange) { rows in
            rows.bind(database, at: 1)
            rows.bind(names.lower.bytes, at: 2)
            rows.bind(names.upper.bytes, at: 3)
            while try rows.step() {
                guard try visit(paths.path(of: rows), Int(rows.integer(at: 3))) else { return false }
            }
            return true
        }
    }
}

extension KeyInterval {
    /// The keys of the collections at a place and below it.
    fileprivate init(subtreeOf segments: [String]) {
        guard segments.count.isMultiple(of: 2) else {
            self.init(prefix: OrderedKey(CollectionPath(validated: segments)))
            return
        }
        let document = segments.isEmpty ? nil : DocumentPath(validated: segments)
        self.init(prefix: OrderedKey(segmentsOf: document) + OrderedKey([PathTag.string]))
    }
}

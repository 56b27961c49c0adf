// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// Takes the documents of an import, in a transaction of the file; valid only while the import runs.
package final class DocumentImport {
    private let transaction: StoreTransaction
    /// When the documents are written.
    private let time: Timestamp
    /// `nil` when the store had documents before it was opened.
    private let presence: PresenceFilter?
    private var changedDatabases: [DatabaseID: Int64] = [:]

    init(_ transaction: StoreTransaction, at time: Timestamp, presence: PresenceFilter?) {
        self.transaction = transaction
        self.time = time
        self.presence = presence
    }

    /// Writes a document in place of one of its name; returns `false` where that has these fields already, and stays.
    ///
    /// A document that is replaced keeps its create time. The caller has checked that the fields are within all limits.
    @discardableResult
    package func put(_ path: DocumentPath, fields: EncodedFields, in database: DatabaseID) throws -> Bool {
        let row = try transaction.rows.makeRow(of: database)
        let document = Document(path: path, encodedFields: fields, createTime: time, updateTime: time)
        guard try transaction.importDocument(document, in: row) else { return false }
        presence?.insert(path, in: database)
        changedDatabases[database] = row
        return true
    }

    /// Ends the past of the databases that changed, and returns the changes reported to observers.
    func finish() throws -> [CommittedChanges] {
        for row in changedDatabases.values {
            try transaction.db.run(.clearDatabase) { statement in
                statement.bind(time.microseconds, at: 1)
                statement.bind(row, at: 2)
            }
        }
        return changedDatabases.keys.map { CommittedChanges(database: $0, commitTime: time, content: .imported) }
    }
}

extension SQLiteDocumentStore {
    /// How much of the file an import holds in memory: names that come in no order touch pages all over their index.
    private static let importCacheKibibytes = 64 << 10

    /// Makes all writes of an import, or none of them.
    ///
    /// After an error, and after the death of the process at any moment before the end, the store is as it was. Other
    /// writers wait until the end; readers do not see the documents before. Reads as of earlier times, and transactions
    /// that are open, fail afterwards in the databases that changed; listeners receive everything again.
    ///
    /// - Parameter body: Puts the documents; receives the import, which it must not keep.
    /// - Returns: The result of `body`.
    /// - Throws: `FirestoreError`, and the errors of `body`.
    @discardableResult
    package func importing<Result>(_ body: (DocumentImport) throws -> Result) throws -> Result {
        var result: Result?
        defer { writer.shortenLog() }
        try write(for: .storing) {
            try writer.write { [writer] transaction, time in
                try transaction.db.withCache(kibibytes: Self.importCacheKibibytes) {
                    let target = DocumentImport(transaction, at: time, presence: writer.presence)
                    result = try body(target)
                    return try target.finish()
                }
            }
        }
        guard let result else { preconditionFailure("an import that succeeded has a result") }
        return result
    }
}

extension SQLiteConnection {
    /// Runs a body with a larger cache.
    fileprivate func withCache<Result>(kibibytes: Int, _ body: () throws -> Result) throws -> Result {
        try execute("PRAGMA cache_size = -\(kibibytes)")
        defer { try? execute("PRAGMA cache_size = -\(Tuning.writerCacheKibibytes)") }
        return try body()
    }
}

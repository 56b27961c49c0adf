// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension WriteSession {
    /// Deletes all documents of a database, with their indexes and former versions.
    func deleteAll(in database: DatabaseID, at time: Timestamp) throws {
        guard let row = try rows.row(of: database) else { return }
        let isOnly =
            try db.first(.otherDocument) {
                $0.bind(row, at: 1)
            } _: { _ in
                true
            } == nil
        for table in ["documents", "versions"] {
            try deleteRows(
                of: table,
                where: "collection IN (SELECT id FROM collections WHERE database = \(row))",
                isOnly
            )
        }
        try deleteRows(of: "entries", where: "index_id IN (SELECT id FROM indexes WHERE database = \(row))", isOnly)
        try deleteRows(of: "indexes", where: "database = \(row)", isOnly)
        try db.run(.changeCatalog)
        try db.run(.clearDatabase) { statement in
            statement.bind(time.microseconds, at: 1)
            statement.bind(row, at: 2)
        }
    }

    /// Without a condition SQLite drops whole pages, which takes next to no time.
    private func deleteRows(of table: String, where condition: String, _ all: Bool) throws {
        try db.execute(all ? "DELETE FROM \(table)" : "DELETE FROM \(table) WHERE \(condition)")
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

import struct Foundation.Data

extension Database {
    /// A database's row; `nil` when nothing was ever written to it.
    func id(of database: DatabaseID) throws -> Int64? {
        let statement = try cachedStatement(sql: "SELECT id FROM databases WHERE project = ? AND name = ?")
        return try Int64.fetchOne(statement, arguments: [database.project, database.database])
    }

    /// A scope's row; `nil` when no document was ever in it.
    func id(of scope: IndexScope, in database: Int64) throws -> Int64? {
        let statement = try cachedStatement(
            sql: "SELECT id FROM scopes WHERE database = ? AND kind = ? AND key = ?"
        )
        return try Int64.fetchOne(statement, arguments: [database, scope.kind.rawValue, Data(scope.key)])
    }

    func storedDocument(at path: DocumentPath, in database: Int64) throws -> StoredDocument? {
        let statement = try cachedStatement(
            sql: "SELECT id, create_time, update_time, data FROM documents WHERE database = ? AND path = ?"
        )
        let rows = try Row.fetchCursor(statement, arguments: [database, Data(OrderedKey(path).bytes)])
        guard let row = try rows.next() else { return nil }
        let data = try row.bytes(atIndex: 3)
        let document = Document(
            path: path,
            fields: try FieldsDecoder.decode(data),
            createTime: Timestamp(microseconds: row[1]),
            updateTime: Timestamp(microseconds: row[2])
        )
        return StoredDocument(row: row[0], document: document, data: data)
    }

    /// The first document's key in an interval, now or at a time.
    func firstPath(in interval: KeyInterval, of database: Int64, asOf time: Timestamp?) throws -> [UInt8]? {
        if let time { return try firstPath(in: interval, of: database, asOf: time) }
        let statement = try cachedStatement(
            sql: "SELECT path FROM documents WHERE database = ? AND path >= ? AND path < ? ORDER BY path LIMIT 1"
        )
        let rows = try Row.fetchCursor(
            statement,
            arguments: [database, Data(interval.lower.bytes), Data(interval.upper.bytes)]
        )
        return try rows.next()?.bytes(atIndex: 0)
    }
}

extension Database {
    private func firstPath(in interval: KeyInterval, of database: Int64, asOf time: Timestamp) throws -> [UInt8]? {
        let bounds = [Data(interval.lower.bytes), Data(interval.upper.bytes)]
        let present = try cachedStatement(
            sql: """
                SELECT path FROM documents WHERE database = ? AND path >= ? AND path < ? AND update_time <= ?
                ORDER BY path LIMIT 1
                """
        )
        let former = try cachedStatement(
            sql: """
                SELECT path FROM versions WHERE database = ? AND path >= ? AND path < ? AND until > ?
                AND update_time <= ? ORDER BY path LIMIT 1
                """
        )
        let now = time.microseconds
        let paths = [
            try Row.fetchOne(present, arguments: [database, bounds[0], bounds[1], now]),
            try Row.fetchOne(former, arguments: [database, bounds[0], bounds[1], now, now]),
        ]
        return try paths.compactMap { try $0?.bytes(atIndex: 0) }.min { $0.lexicographicallyPrecedes($1) }
    }
}

extension Row {
    func bytes(atIndex index: Int) throws -> [UInt8] {
        try withUnsafeData(atIndex: index) { $0.map { Array($0) } ?? [] }
    }
}

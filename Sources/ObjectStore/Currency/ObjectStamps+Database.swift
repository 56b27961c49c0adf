// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

extension ObjectStamps {
    private static let function = "objectChanged"

    /// Lets the database report every change of a row, whichever statement makes it.
    ///
    /// The triggers belong to the connection that writes, and are gone with it. An answer may contain its bucket too, so
    /// a changed bucket changes all its objects.
    func watch(_ database: Database) throws {
        database.add(
            function: DatabaseFunction(Self.function, argumentCount: 1) { [self] arguments in
                if let name = Data.fromDatabaseValue(arguments[0]) { changed(name) } else { changedAll() }
                return nil
            }
        )
        for table in ["object", "noncurrent"] {
            for (event, row) in [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")] {
                try watch(event, of: table, "\(row).name", database)
            }
        }
        for event in ["UPDATE", "DELETE"] { try watch(event, of: "bucket", "NULL", database) }
    }

    private func watch(_ event: String, of table: String, _ name: String, _ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TEMP TRIGGER \(table)\(event) AFTER \(event) ON main.\(table)
                BEGIN SELECT \(Self.function)(\(name)); END
                """
        )
    }
}

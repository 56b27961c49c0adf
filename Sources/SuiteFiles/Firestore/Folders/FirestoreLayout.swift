// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The files of an export of one database.
///
///     N/N.overall_export_metadata                                             which kinds there are, and where
///     N/all_namespaces/all_kinds/all_namespaces_all_kinds.export_metadata     their outputs
///     N/all_namespaces/all_kinds/output-0                                     the entities
///
/// An empty database has the first file alone. Source: official emulator of google-cloud-cli 528.0.0 (2026-11).
enum FirestoreLayout {
    static let overallExtension = ".overall_export_metadata"
    static let kindsFolder = "all_namespaces/all_kinds"
    static let kindsFile = "all_namespaces/all_kinds/all_namespaces_all_kinds.export_metadata"
    static let output = "output-0"

    /// The folder of a database in an export of all.
    static func folder(of database: DatabaseID) -> String {
        guard database.hasOwnFolder else { return "firestore_export" }
        let name = database.database.utf8.reduce(into: "") { name, byte in
            let isPlain = Self.plainBytes.contains(byte)
            name += isPlain ? String(UnicodeScalar(byte)) : "%" + Self.hexadecimal(byte)
        }
        return "firestore_export_" + name
    }

    /// Digits, letters and a hyphen: all that production allows in a database's name.
    private static let plainBytes = Set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_".utf8)

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }
}

extension DatabaseID {
    /// Whether it is another than the default database.
    fileprivate var hasOwnFolder: Bool { database != DatabaseID(project: project).database }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import Foundation

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

    /// The folder of the default database in an export of all; others have an underscore and a name behind it.
    static let defaultFolder = "firestore_export"

    /// The folder of a database in an export of all.
    static func folder(of database: DatabaseID) -> String {
        guard database != DatabaseID(project: database.project) else { return defaultFolder }
        let name = database.database.addingPercentEncoding(withAllowedCharacters: plainCharacters)
        return "\(defaultFolder)_\(name ?? database.database)"
    }

    /// Digits, letters and a hyphen: all that production allows in a database's name.
    private static let plainCharacters = CharacterSet(
        charactersIn: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-"
    )
}

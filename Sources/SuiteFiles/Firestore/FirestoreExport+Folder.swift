// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
package import FirestoreModel

extension FirestoreExport {
    /// Writes one database into a folder that appears whole, or not at all.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - directory: A directory that exists.
    ///   - name: The folder's name in it; there must be none yet.
    /// - Returns: How much there is.
    /// - Throws: As ``write(_:to:named:)``.
    @discardableResult
    package func writeWhole(
        _ database: DatabaseID,
        to directory: String,
        named name: String
    ) throws -> DocumentCounts {
        let target = "\(directory)/\(name)"
        guard try FileTree.kind(of: target) == nil else { throw ExportError.badFile(target, because: "exists already") }
        let replaced = try ReplacedDirectory(target)
        do {
            let counts = try write(database, to: replaced.staging, named: name)
            // The folder itself becomes the new one.
            try FileTree.move("\(replaced.staging)/\(name)", to: target)
            replaced.discard()
            return counts
        } catch {
            replaced.discard()
            throw error
        }
    }
}

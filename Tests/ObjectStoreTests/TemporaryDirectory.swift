// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

extension TemporaryDirectory {
    /// The files below, as paths relative to the directory, without those of SQLite and the lock.
    func dataFiles() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path)
            .filter { name in
                var isDirectory: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isDirectory)
                return !isDirectory.boolValue && !name.hasPrefix("objects.")
            }
            .sorted()
    }
}

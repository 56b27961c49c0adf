// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

extension TemporaryDirectory {
    /// The names of the files that hold bytes of objects, stored or arriving.
    func byteFiles() throws -> [String] {
        try ["uploads", "blobs"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: "\(path)/\(folder)").filter { name in
                var isDirectory: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: "\(path)/\(folder)/\(name)", isDirectory: &isDirectory)
                return !isDirectory.boolValue
            }
        }
    }
}

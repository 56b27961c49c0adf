// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A directory of its own for a test, removed with its last reference.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/firemeter-storage-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

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

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A directory of its own for a test, removed with its last reference.
package final class TemporaryDirectory: Sendable {
    /// The directory.
    package let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("firemeter-test-\(UUID().uuidString)").path

    /// Creates the directory.
    package init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in the directory.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The names in the directory, or in one of its folders; empty when there is none.
    package func names(in folder: String = "") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: file(folder))) ?? []).sorted()
    }

    /// Writes a file, making the folders above it.
    package func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        let url = URL(fileURLWithPath: file(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }
}

// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A directory of its own for a test, removed with its last reference.
package final class TemporaryDirectory: Sendable {
    /// The directory.
    package let url = FileManager.default.temporaryDirectory.appending(path: "firemeter-test-\(UUID().uuidString)")

    package var path: String { url.path }

    /// Creates the directory.
    package init() {
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            preconditionFailure("tests need a directory for their files: \(error)")
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in the directory.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The names in the directory, or in one of its folders; empty when there is none.
    package func names(in folder: String = "") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: file(folder))) ?? []).sorted()
    }

    /// Creates a folder and those above it.
    package func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
    }

    /// Writes a file, making the folders above it.
    package func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        let url = URL(fileURLWithPath: file(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }
}

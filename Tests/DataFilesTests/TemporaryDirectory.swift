// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A directory of its own for a test, removed with its last reference.
final class TemporaryDirectory: Sendable {
    let path = NSTemporaryDirectory() + "/firemeter-files-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
